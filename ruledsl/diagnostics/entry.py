"""What the code of a finding means: a title, an explanation, a wrong example and the right one."""

from ruledsl.records import dataclass


@dataclass(frozen=True)
class Code:
    """A kind of mistake. Codes about files or about sheer size have no examples.

    An example is a part of a game: `codes.complete` adds what every game has. One that begins with `-` is what
    happens in a turn.
    """

    code: str
    title: str
    explanation: str
    wrong: str = ""
    right: str = ""
