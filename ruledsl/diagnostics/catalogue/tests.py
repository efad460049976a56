"""Q: the tests of a game. They are told by `ruledsl test`, not by `check`, so their pages have no examples of games."""

from ruledsl.diagnostics.entry import Code

TESTS = (
    Code(
        "Q101",
        "a test that expects nothing",
        "A test has `expect:`, `then:`, `perft:` or `play:`; else it shows nothing.",
    ),
    Code(
        "Q102",
        "a test of too many rules",
        "A test covers at most five numbered rules; a test of many says little about each.",
    ),
    Code("Q103", "a span of rules", "`covers:` names each rule by itself, not as in `R-1..R-9`."),
    Code("Q104", "too few or too many players", "A test takes a number of players that the game is for."),
    Code(
        "Q105",
        "impossible names of players",
        "Players have different names of letters and digits; seats that the game names keep their names.",
    ),
    Code("Q106", "impossible options", "The options or the preset of a test are not those of the game."),
    Code(
        "Q107", "conditions without plays", "`always:` and `finally:` are about random plays, which `play:` asks for."
    ),
    Code(
        "Q108",
        "no outcome of a random event",
        "A list answers a shuffle, from the top down; any other random event has a single outcome, by its name.",
    ),
    Code(
        "Q109",
        "not a move",
        "A move is an option in words, with its player before it where that helps: `- anna: roll`.",
    ),
    Code(
        "Q110",
        "no way to end",
        "`ends:` takes `{win: [names]}`, `tie`, `lost`, `void`, or `false` while the play goes on.",
    ),
    Code("Q111", "not a count", "`perft:` gives a number of ways for each depth, as in `{1: 20, 2: 400}`."),
    Code("Q112", "no campaign", "`next_play:` goes on to the next play of a campaign, so the game needs `campaign:`."),
    Code(
        "Q113",
        "what a bystander cannot know",
        "A bystander knows what everybody knows and nothing else; `sees: {bystander: {anna.hand: hidden}}` says what "
        "lies hidden.",
    ),
    Code(
        "Q114",
        "not a way to be seen",
        "In `sees:` a place is `hidden`, `3 hidden`, `open`, `empty`, or a list of what lies there, as in "
        "`[two, hidden]`; a value is `hidden` or `open`.",
    ),
    Code(
        "Q115",
        "neither a place nor a value",
        "`sees: {anna: {boris.hand: hidden}}` speaks of places and values; of one that each player has, say whose.",
    ),
    Code(
        "Q116",
        "a part of a test without effect",
        "A test with `forbidden:` is about players and options that nobody can play, so it has no moves and no "
        "expectations.",
    ),
    Code(
        "Q117",
        "two tests with the same name",
        "The name of a test says what it shows; where a file has it twice, a failure does not say which test it is.",
    ),
    Code(
        "Q118",
        "words that no option has",
        "A move, or an option that is offered or refused, is written in words of its label or notation. A word "
        "that is nowhere in the game can only be a mistake, and it would be refused in any case.",
    ),
    Code("Q201", "no such board", "`board:` is for the board of that name, or the only one; `boards:` names each."),
    Code("Q202", "a piece named twice", "In a position each piece lies in one spot."),
    Code("Q203", "no such player", "The players are those of `players:` in the test, or the seats of the game."),
    Code("Q204", "no such piece", "A piece goes by its name, or by words among its kind, row, attributes and state."),
    Code("Q205", "too few pieces", "A position cannot have more pieces of a sort than the game has."),
    Code(
        "Q206",
        "a diagram of what is no grid",
        "Only a grid can be drawn as letters; other boards take a map from spaces to pieces.",
    ),
    Code("Q207", "no such space", "A space goes by the name that pictures of the board show."),
    Code(
        "Q208",
        "a diagram of another size",
        "A diagram has a row for each row of the board, and a letter, `.` or digit for its spaces.",
    ),
    Code(
        "Q209", "an unknown letter", "`letters:` of the game or of the test says what a letter of a diagram stands for."
    ),
    Code(
        "Q210",
        "no place for pieces",
        "Pieces lie in places, on spaces and on parts of tiles; of a place that each player has, say whose.",
    ),
    Code("Q211", "a gap where there are no slots", "Only places with numbered slots can have free ones."),
    Code("Q212", "no room", "More pieces are given than fit there."),
    Code(
        "Q213",
        "what cannot be given",
        "`values:` and `state:` of a position set what the game declares under these words.",
    ),
    Code("Q214", "no place for tokens", "Tokens lie with the holders that a pool declares under `at:`."),
    Code("Q215", "too many tokens", "A position cannot have more tokens than the total of their pool."),
    Code("Q216", "no such turn", "`turn:` needs `turns` in the rules, and a player who takes part in them."),
)
