"""Q: the tests of a game. They are told by `ruledsl test`, not by `check`, so their pages have no examples of games."""

from ruledsl.diagnostics.entry import Code

TESTS = (
    Code(
        "Q101",
        "a test that expects nothing",
        "A test needs `expect:`, `then:`, `perft:` or `play:`; otherwise it checks nothing.",
    ),
    Code(
        "Q102",
        "a test of too many rules",
        "A test can cover at most five numbered rules. If it covers many, a failure says little about each.",
    ),
    Code(
        "Q103", "a span of rules", "`covers:` lists each rule separately. A range such as `R-1..R-9` is not possible."
    ),
    Code("Q104", "too few or too many players", "The game cannot be played with this number of players."),
    Code(
        "Q105",
        "impossible names of players",
        "Names of players are different from each other and have only letters and digits. If the game names its "
        "players, they keep their names.",
    ),
    Code("Q106", "impossible options", "The game has no such option, value of an option, or preset."),
    Code(
        "Q107", "conditions without plays", "`always:` and `finally:` are about random plays, which `play:` asks for."
    ),
    Code(
        "Q108",
        "no outcome of a random event",
        "For a shuffle, write a list from the top down. For any other random event, write one outcome by its name.",
    ),
    Code(
        "Q109",
        "not a move",
        "A move is an option in words. Where it helps, the player comes first: `- anna: roll`.",
    ),
    Code(
        "Q110",
        "not a way to end",
        "`ends:` takes `{win: [names]}`, `tie`, `lost`, `void`, or `false` if the play goes on.",
    ),
    Code("Q111", "not a count", "`perft:` gives a number of ways for each depth, as in `{1: 20, 2: 400}`."),
    Code("Q112", "no campaign", "`next_play:` starts the next play of a campaign, so the game needs `campaign:`."),
    Code(
        "Q113",
        "what a bystander cannot know",
        "A bystander knows only what everybody knows. `sees: {bystander: {anna.hand: hidden}}` checks that "
        "something is hidden.",
    ),
    Code(
        "Q114",
        "not something that can be seen",
        "In `sees:` a place is `hidden`, `3 hidden`, `open`, `empty`, or a list of what lies there, as in "
        "`[two, hidden]`; a value is `hidden` or `open`.",
    ),
    Code(
        "Q115",
        "neither a place nor a value",
        "`sees: {anna: {boris.hand: hidden}}` is about places and values. If each player has one, write whose it is.",
    ),
    Code(
        "Q116",
        "a part of a test without effect",
        "A test with `forbidden:` is about players and options that cannot be played. So it has no moves and no "
        "expectations.",
    ),
    Code(
        "Q117",
        "two tests with the same name",
        "The name of a test says what it checks. If two tests in a file have the same name, a failure does not "
        "say which one failed.",
    ),
    Code(
        "Q118",
        "words that no option has",
        "Write a move, or an option that is offered or refused, in words of its label or notation. A word that is"
        " nowhere in the game must be a mistake; a refusal with it would always pass.",
    ),
    Code(
        "Q119",
        "expected twice, or in two ways",
        "At one moment the same thing is expected twice, or an option is expected to be offered and to be refused.",
    ),
    Code(
        "Q120",
        "two tests that do the same",
        "Two tests of a file differ in nothing but their names. One was copied from the other and not changed.",
    ),
    Code(
        "Q201",
        "no such board",
        "`board:` is for the board of that name, or for the only board. With `boards:` each board has its name.",
    ),
    Code("Q202", "a piece named twice", "In a position each piece can be in only one place."),
    Code("Q203", "no such player", "The players are those under `players:` in the test, or the seats of the game."),
    Code(
        "Q204", "no such piece", "A piece is found by its name, or by words from its kind, row, attributes and state."
    ),
    Code("Q205", "too few pieces", "A position cannot have more pieces of a kind than the game has."),
    Code(
        "Q206",
        "a diagram of a board that is not a grid",
        "Only a grid can be drawn with letters. For other boards write a map from spaces to pieces.",
    ),
    Code("Q207", "no such space", "A space has the name that pictures of the board show."),
    Code(
        "Q208",
        "a diagram of the wrong size",
        "A diagram has one row for each row of the board, and one letter, `.` or digit for each space.",
    ),
    Code(
        "Q209", "an unknown letter", "`letters:` in the game or in the test says what each letter of a diagram means."
    ),
    Code(
        "Q210",
        "not a place for pieces",
        "Pieces are in places, on spaces and on parts of tiles. If each player has such a place, write whose it is.",
    ),
    Code("Q211", "a gap where there are no slots", "Only a place with numbered slots can have gaps."),
    Code("Q212", "no room", "More pieces are given than fit there."),
    Code(
        "Q213",
        "something that cannot be given",
        "`values:` and `state:` of a position set only what the game declares under these words.",
    ),
    Code("Q214", "not a place for tokens", "Tokens are with the holders that a pool declares under `at:`."),
    Code("Q215", "too many tokens", "A position cannot have more tokens than the `total:` of their pool."),
    Code(
        "Q216",
        "no such turn or phase",
        "`turn:` needs `turns` in the rules, and a player who takes part in them; `phase:` the name of a phase.",
    ),
)
