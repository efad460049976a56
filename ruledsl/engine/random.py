"""The random streams of a state, defined bit for bit: SplitMix64, and draws without bias after Lemire."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15


def _mix(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def scrambled(x: int) -> int:
    """A number in which nothing of x can be recognised."""
    return _mix(x & _MASK)


def seeded(seed: int, stream: int) -> int:
    """Where a stream begins: far from every other stream of the same seed."""
    return stream_of(split(seed), stream)


def split(seed: int) -> int:
    """What all streams of a seed begin from."""
    return _mix(seed & _MASK)


def stream_of(source: int, stream: int) -> int:
    """Where a stream begins, by what `split` gives for its seed."""
    return _mix((source + (stream + 1) * _STEP) & _MASK)


def draw(v: list[int], slot: int, n: int) -> int:
    """A number below n from the stream in `slot`: the upper half of a 32 by 32 bit product."""
    rejected = (1 << 32) % n
    while True:
        x = v[slot] = (v[slot] + _STEP) & _MASK
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK  # as `_mix`, which is called far too often
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
        product = ((x ^ (x >> 31)) >> 32) * n
        if product & 0xFFFFFFFF >= rejected:
            return product >> 32


def shuffled(v: list[int], slot: int, items: list[int]) -> list[int]:
    """The items in random order: from the last place down, each trades with one at or before it."""
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = draw(v, slot, i + 1)
        items[i], items[j] = items[j], items[i]
    return items
