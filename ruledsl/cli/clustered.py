"""`--cluster`: work that is done by the machines of a Ray cluster."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING

from ruledsl.cli.common import UsageError

if TYPE_CHECKING:
    from ruledsl.simulation.cluster import Cluster


def cluster_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--cluster",
        nargs="?",
        const="auto",
        metavar="ADDRESS",
        help="run on a Ray cluster: this machine's, the one at an address, or `local` for processes here",
    )


@contextmanager
def cluster(args: Namespace, jobs: int) -> Iterator[Cluster | None]:
    """The cluster that is wanted, if one is. `jobs` is how many processes work if it is this machine alone."""
    if args.cluster is None:
        yield None
        return
    from ruledsl.simulation.cluster import Cluster, NoCluster

    try:
        with redirect_stdout(sys.stderr):  # Ray tells there of workers that died
            found = Cluster(args.cluster, jobs)
            try:
                yield found
            finally:
                found.close()
    except NoCluster as problem:
        raise UsageError(str(problem)) from None


__all__ = ["cluster", "cluster_argument"]
