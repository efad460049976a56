"""Put the shipped games into the package when it is built; everything else is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
SHIPPED = ("games", "examples", "schemas")


class BuildWithGames(build_py):
    """Copies the top-level folders to `ruledsl/_shipped`, where `ruledsl.shipped` looks for them."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        # setuptools keeps build/ between builds: without this a deleted game would be shipped again.
        shutil.rmtree(Path(self.build_lib, "ruledsl"), ignore_errors=True)
        super().run()
        for source, target in self._shipped():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        outputs = list(super().get_outputs(include_bytecode))
        return outputs if self.editable_mode else outputs + [str(target) for _, target in self._shipped()]

    def _shipped(self) -> list[tuple[Path, Path]]:
        target = Path(self.build_lib, "ruledsl", "_shipped")
        return [
            (source, target / source.relative_to(HERE))
            for kind in SHIPPED
            for source in sorted((HERE / kind).rglob("*"))
            if source.is_file() and not _is_left_over(source.relative_to(HERE))
        ]


def _is_left_over(path: Path) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)


setup(cmdclass={"build_py": BuildWithGames})
