"""B: boards and what stands on them at first."""

from ruledsl.diagnostics.entry import Code

BOARDS = (
    Code(
        "B201",
        "a board without shape",
        "A board has exactly one of the shapes of boards, such as `grid` or `ring`.",
        """\
board: {space: cell}
play:
  - tie: players
""",
        """\
board: {grid: {width: 3, height: 3}, space: cell}
""",
    ),
    Code(
        "B202",
        "a shape that is not a map",
        "The shape of a board takes its sizes as keys.",
        """\
board: {grid: 3}
play:
  - tie: players
""",
        """\
board: {grid: {width: 3, height: 3}}
""",
    ),
    Code(
        "B203",
        "a size that a board cannot have",
        "Each shape of board has its own keys and limits.",
        """\
board: {grid: {width: 3}}
""",
        """\
board: {grid: {width: 3, height: 3}}
""",
    ),
    Code(
        "B204",
        "a row without a space",
        "Each row of a table for a board names one of its spaces, or gives its coordinates.",
        """\
board: {grid: {width: 3, height: 3}, attributes: {wet: bool}, from: [{id: a9, wet: true}]}
""",
        """\
board: {grid: {width: 3, height: 3}, attributes: {wet: bool}, from: [{id: a3, wet: true}]}
""",
    ),
    Code(
        "B205",
        "holds neither 1 nor any",
        "A space holds one piece, or any number of them on top of each other.",
        """\
board: {grid: {width: 3, height: 3}, holds: 2}
""",
        """\
board: {grid: {width: 3, height: 3}, holds: any}
""",
    ),
    Code(
        "B206",
        "a board in separate parts, or a one-way connection",
        "Some spaces cannot be reached from others, or an edge leads only one way. If this is intended, write "
        "`apart: true` or `one_way: true`.",
        """\
board:
  spaces: [{id: dock}, {id: inn}, {id: isle}]
  edges: [{from: dock, to: inn}]
""",
        """\
board:
  spaces: [{id: dock}, {id: inn}, {id: isle}]
  edges: [{from: dock, to: inn}, {from: inn, to: isle}]
""",
    ),
    Code(
        "B207",
        "it is not clear which board to start on",
        "A condition on spaces needs to know the board. If there are several boards, name the spaces.",
        """\
boards:
  land: {grid: {width: 3, height: 3}, space: field}
  sea: {track: 5, space: wave}
pieces:
  stone: {count: 3, start: this.index == 1}
""",
        """\
boards:
  land: {grid: {width: 3, height: 3}, space: field}
  sea: {track: 5, space: wave}
pieces:
  stone: {count: 1, start: a1}
""",
    ),
    Code(
        "B208",
        "two pieces on one space",
        "Two pieces start on a space that holds only one.",
        """\
pieces:
  king: {start: [a1]}
  rook: {start: [a1]}
""",
        """\
pieces:
  king: {start: [a1]}
  rook: {start: [a2]}
""",
    ),
    Code(
        "B209",
        "too many spaces",
        "All boards of a game together have at most 40,000 spaces.",
    ),
    Code(
        "B210",
        "a frontier of a board that does not grow",
        "Only a board that is made of tiles has a frontier: the empty spaces where the next tile can go.",
        """\
board: {hexes: {radius: 3}}
define:
  open: frontier(board)
""",
        """\
board: {hexes: {growing: true}, holds: any}
pieces:
  tile: {count: 20, tile: board}
define:
  open: frontier(board)
""",
    ),
    Code(
        "B211",
        "a growing board without tiles",
        "A board that grows is made of tiles: pieces of a kind whose `tile:` is the name of the board.",
        """\
board: {hexes: {growing: true}}
pieces:
  plot: {count: 20}
""",
        """\
board: {hexes: {growing: true}}
pieces:
  plot: {count: 20, tile: board}
""",
    ),
    Code(
        "B212",
        "directions without a board",
        "The board decides which directions there are. A game without a board has none.",
        """\
boards: {}
pieces:
  ship: {count: 1, state: {heading: direction}}
""",
        """\
board: {grid: {width: 3, height: 3}}
pieces:
  ship: {count: 1, state: {heading: direction}}
""",
    ),
    Code(
        "B213",
        "slots and keys that do not fit",
        "`close:` and `each:` say how the slots of a place are filled, so they need `slots:`. A place with slots "
        "cannot have another order.",
        """\
pieces: {card: {count: 9}}
places:
  line: {holds: card, close: to first}
""",
        """\
pieces: {card: {count: 9}}
places:
  line: {holds: card, slots: 4, close: to first}
""",
    ),
    Code(
        "B214",
        "a slot or an end that does not exist",
        "`at:` is a slot of a place with `slots:`, or the top or bottom of a pile.",
        """\
pieces: {card: {count: 9}}
places:
  heap: {holds: card}
setup:
  - move: card
    to: heap
    at: 2
""",
        """\
pieces: {card: {count: 9}}
places:
  heap: {holds: card, slots: 4}
setup:
  - move: card
    to: heap
    at: 2
""",
    ),
    Code(
        "B215",
        "a direction of only one edge",
        "The label of an edge is a direction. If only one edge has this label, and many edges have a very similar"
        " one, it is probably misspelled.",
        """\
board:
  spaces: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}]
  edges:
    - {from: a, to: b, label: east, back: west}
    - {from: b, to: c, label: east, back: west}
    - {from: c, to: d, label: east, back: west}
    - {from: d, to: e, label: eats, back: west}
""",
        """\
board:
  spaces: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}]
  edges:
    - {from: a, to: b, label: east, back: west}
    - {from: b, to: c, label: east, back: west}
    - {from: c, to: d, label: east, back: west}
    - {from: d, to: e, label: east, back: west}
""",
    ),
    Code(
        "B216",
        "an attribute of edges with the wrong type",
        "A column of edges is a value for each space that the edge leads to. So its type ends in `by` and the "
        "word for spaces, or in `by direction`. A space has only one value for each: of two edges to the same "
        "neighbor only one can have it.",
        """\
board:
  spaces: [{name: mill}, {name: farm}]
  edges: [{from: mill, to: farm, hours: 3}]
  space: town
  attributes: {hours: 0..9}
""",
        """\
board:
  spaces: [{name: mill}, {name: farm}]
  edges: [{from: mill, to: farm, hours: 3}]
  space: town
  attributes:
    hours: {is: 0..9 by town, otherwise: 0}
""",
    ),
    Code(
        "B217",
        "edges that are not declared",
        "State and pieces on the edge between two spaces belong to a board of edges. `edges_of:` names the board "
        "whose neighboring spaces these edges connect.",
        """\
boards:
  field: {grid: {width: 3, height: 3, neighbors: orthogonal}, space: square}
define:
  walled(square a, square b): edge(a, b).wall
""",
        """\
boards:
  field: {grid: {width: 3, height: 3, neighbors: orthogonal}, space: square}
  gaps: {edges_of: field, space: gap, state: {wall: bool}}
define:
  walled(square a, square b): edge(a, b).wall
""",
    ),
    Code(
        "B218",
        "an edge without a direction",
        "The label of an edge is a direction. If nearly all edges have one, an edge without it is probably not "
        "finished: rows, rays and steps in a direction ignore it.",
        """\
board:
  spaces: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}, {name: h}, {name: i}, {name: j}]
  edges:
    - {from: a, to: b, label: east, back: west}
    - {from: b, to: c, label: east, back: west}
    - {from: c, to: d, label: east, back: west}
    - {from: d, to: e, label: east, back: west}
    - {from: e, to: f, label: east, back: west}
    - {from: f, to: g, label: east, back: west}
    - {from: g, to: h, label: east, back: west}
    - {from: h, to: i, label: east, back: west}
    - {from: i, to: j}
""",
        """\
board:
  spaces: [{name: a}, {name: b}, {name: c}, {name: d}, {name: e}, {name: f}, {name: g}, {name: h}, {name: i}, {name: j}]
  edges:
    - {from: a, to: b, label: east, back: west}
    - {from: b, to: c, label: east, back: west}
    - {from: c, to: d, label: east, back: west}
    - {from: d, to: e, label: east, back: west}
    - {from: e, to: f, label: east, back: west}
    - {from: f, to: g, label: east, back: west}
    - {from: g, to: h, label: east, back: west}
    - {from: h, to: i, label: east, back: west}
    - {from: i, to: j, label: east, back: west}
""",
    ),
)
