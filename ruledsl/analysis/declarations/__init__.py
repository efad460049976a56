"""The declarations of a game, a file for each sort: its form, and how what is written there comes into the `World`.

`compile.compile_game` has the order in which they are worked out. A sort has few ties to others; what several need is
apart: `rows` and `cells` (what is written in tables), `attributes`, `titles`, and `fixed` (what is known before play).
Pieces are the largest sort and have several files: `pieces`, `piece_rows`, `tiles`, `starts`; so have boards: `boards`,
`geometry`, `growing`. Where pieces are, as attributes of pieces, spaces and parts, is in `locations`.
"""
