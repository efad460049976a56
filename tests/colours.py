"""How colours look to people who tell fewer of them apart: Viénot, Brettel and Mollon's simulation, and CIE Lab."""

from __future__ import annotations

Colour = tuple[float, float, float]

_TO_LMS = ((17.8824, 43.5161, 4.11935), (3.45565, 27.1554, 3.86714), (0.0299566, 0.184309, 1.46709))
_FROM_LMS = (
    (0.0809444479, -0.130504409, 0.116721066),
    (-0.0102485335, 0.0540193266, -0.113614708),
    (-0.000365296938, -0.00412161469, 0.693511405),
)
SIGHTS = {  # which of three sorts of cones is missing, and what of the others stands for it
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.0, 2.02344, -2.52581), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "deuteranopia": ((1.0, 0.0, 0.0), (0.494207, 0.0, 1.24827), (0.0, 0.0, 1.0)),
    "tritanopia": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-0.395913, 0.801109, 0.0)),
}
_WHITE = (0.95047, 1.0, 1.08883)


def _times(matrix: tuple[Colour, ...], colour: Colour) -> Colour:
    first, second, third = (sum(a * b for a, b in zip(line, colour, strict=True)) for line in matrix)
    return first, second, third


def _linear(colour: str) -> Colour:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def seen(colour: str, sight: str) -> Colour:
    """A colour (#rrggbb) as such a person sees it, in Lab."""
    found = _times(_FROM_LMS, _times(SIGHTS[sight], _times(_TO_LMS, _linear(colour))))
    red, green, blue = (min(1.0, max(0.0, part)) for part in found)
    xyz = _times(
        ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041)),
        (red, green, blue),
    )
    x, y, z = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
        for part in (a / b for a, b in zip(xyz, _WHITE, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, other: str, sight: str) -> float:
    """How different two colours look: 2 is hardly seen, 100 is black and white."""
    a, b = seen(one, sight), seen(other, sight)
    return float(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5)
