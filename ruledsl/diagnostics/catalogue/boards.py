"""B: boards and what stands on them at first."""

from ruledsl.diagnostics.entry import Code

BOARDS = (
    Code(
        "B201",
        "a board without shape",
        "A board has exactly one shape: `grid`, `hexes`, `ring`, `track`, or `spaces` with `edges`.",
        "board: {space: cell}\nplay:\n  - tie: players\n",
        "board: {grid: {width: 3, height: 3}, space: cell}\n",
    ),
    Code(
        "B202",
        "a shape that is no map",
        "The shape of a board takes its sizes as keys.",
        "board: {grid: 3}\nplay:\n  - tie: players\n",
        "board: {grid: {width: 3, height: 3}}\n",
    ),
    Code(
        "B203",
        "a size that a board cannot have",
        "Each shape of board has its own keys and limits.",
        "board: {grid: {width: 3}}\n",
        "board: {grid: {width: 3, height: 3}}\n",
    ),
    Code(
        "B204",
        "a row for no space",
        "Each row of a table for a board names or locates one of its spaces.",
        "board: {grid: {width: 3, height: 3}, attributes: {wet: bool}, from: [{id: a9, wet: true}]}\n",
        "board: {grid: {width: 3, height: 3}, attributes: {wet: bool}, from: [{id: a3, wet: true}]}\n",
    ),
    Code(
        "B205",
        "holds neither 1 nor any",
        "A space holds one piece, or any number of them on top of each other.",
        "board: {grid: {width: 3, height: 3}, holds: 2}\n",
        "board: {grid: {width: 3, height: 3}, holds: any}\n",
    ),
    Code(
        "B206",
        "a board that falls apart, or a way without return",
        "Some spaces cannot be reached from others, or a way leads only in one direction. If this is meant, `apart: true` "
        "or `one_way: true` says so.",
        "board:\n  spaces: [{id: dock}, {id: inn}, {id: isle}]\n  edges: [{from: dock, to: inn}]\n",
        "board:\n  spaces: [{id: dock}, {id: inn}, {id: isle}]\n  edges: [{from: dock, to: inn}, {from: inn, to: isle}]\n",
    ),
    Code(
        "B207",
        "no board to start on",
        "A condition on spaces needs to know the board. With several boards, name the spaces.",
        "boards:\n  land: {grid: {width: 3, height: 3}, space: field}\n  sea: {track: 5, space: wave}\n"
        "pieces:\n  stone: {count: 3, start: this.index == 1}\n",
        "boards:\n  land: {grid: {width: 3, height: 3}, space: field}\n  sea: {track: 5, space: wave}\n"
        "pieces:\n  stone: {count: 1, start: a1}\n",
    ),
    Code(
        "B208",
        "two pieces on one space",
        "A space that holds one piece cannot have two at the start.",
        "pieces:\n  king: {start: [a1]}\n  rook: {start: [a1]}\n",
        "pieces:\n  king: {start: [a1]}\n  rook: {start: [a2]}\n",
    ),
    Code(
        "B209",
        "too many spaces",
        "All boards of a game together have at most 40,000 spaces.",
    ),
)
