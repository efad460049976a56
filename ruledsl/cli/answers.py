"""What commands answer with `--format json`: a JSON Schema of each answer, which its documentation is written from.

Every key is always there; what does not apply is null, or an empty list. New keys may come, so a reader passes over
those that it does not know; none goes away or changes its meaning while `ANSWERS_VERSION` stays the same.
`python tests/test_answers.py` writes the tables of the documentation again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from ruledsl.compiler.schema import DRAFT, MADE

Schema: TypeAlias = dict[str, Any]
ANSWERS_VERSION = 1
BEGIN, END = "<!-- answers: written from ruledsl/cli/answers.py -->", "<!-- end of answers -->"


# ------------------------------------------------------------------------------------------------ schemas


def _one(sort: str, about: str, or_null: bool = False) -> Schema:
    return {"type": [sort, "null"] if or_null else sort, "description": about}


def _text(about: str, or_null: bool = False) -> Schema:
    return _one("string", about, or_null)


def _count(about: str, or_null: bool = False) -> Schema:
    return _one("integer", about, or_null)


def _number(about: str, or_null: bool = False) -> Schema:
    return _one("number", about, or_null)


def _truth(about: str) -> Schema:
    return _one("boolean", about)


def _list(about: str, of: Schema) -> Schema:
    return {"type": "array", "items": of, "description": about}


def _texts(about: str) -> Schema:
    return _list(about, {"type": "string"})


def _by(about: str, of: Schema) -> Schema:
    return {"type": "object", "additionalProperties": of, "description": about}


def _record(about: str, **keys: Schema) -> Schema:
    return {
        "type": "object",
        "description": about,
        "properties": keys,
        "required": list(keys),
        "additionalProperties": False,
    }


def _or_null(of: Schema) -> Schema:
    return {**of, "type": [of["type"], "null"]}


_FILE = _text("the file, as it was named", or_null=True)
_LINE = _count("the line, from 1", or_null=True)
_PLACE = {"file": _FILE, "line": _LINE}
_FINDING = _record(
    "an error or a warning",
    file=_FILE,
    line=_LINE,
    column=_count("the column, from 1", or_null=True),
    end_line=_count("the line in which it ends", or_null=True),
    end_column=_count("the column after its end", or_null=True),
    severity=_text("`error` or `warning`"),
    code=_text("its code, for `explain`"),
    message=_text("what is wrong"),
    help=_text("what can be done; empty if nothing is known"),
    suggestions=_texts("what may have been meant, best first"),
    edits=_list(
        "changes that fix it, as `check --fix` makes them; none if there is no safe fix",
        _record(
            "a change: the text between two places is replaced",
            file=_text("the file"),
            line=_count("the line, from 1"),
            column=_count("the column, from 1"),
            end_line=_count("the line in which it ends"),
            end_column=_count("the column after its end"),
            text=_text("the new text"),
        ),
    ),
    again=_list("other places of the same mistake", _record("a place", **_PLACE, column=_count("the column, from 1"))),
)
_SETTING = {
    "game": _text("the name of the game"),
    "players": _texts("the names of the players"),
    "options": _by("options that were set", {}),
    "seed": _count("the seed: the same seed gives the same chance"),
}
_CASE = _record("a test", test=_text("its name"), **_PLACE)
_SHARE = {
    "count": _count("in how many plays"),
    "share": _number("of those that ended, from 0 to 1"),
    "low": _number("the true share is at least this, with 95 % confidence"),
    "high": _number("and at most this"),
}
_MEASURE: dict[str, Schema] = {
    "mean": _number("on average"),
    "within": _number(
        "how far the true mean may be from it, with 95 % confidence; null for a single play", or_null=True
    ),
    "median": _number("half of the plays have fewer, half have more"),
    "least": _count("the least"),
    "most": _count("the most"),
}
_RATIO = _record(
    "a ratio over all rounds",
    middle=_number("the middle one"),
    low=_number("the lowest"),
    high=_number("the highest"),
)
_FAULT = _or_null(_record("where the rules end in a fault", **_PLACE, message=_text("why")))
_CHANGE = {"change": _text("what was done"), **_PLACE}
_TALLY = _record(
    "how often something happened",
    what=_text("what"),
    times=_count("how often in all plays"),
    at=_text("`file:line`, relative to the folder of the game; empty where the name says it"),
)

_BENCHED = _record(
    "a game on each backend",
    game=_text("the game"),
    file=_text("its file"),
    players=_count("how many players"),
    options=_by("options that were set", {}),
    cold_load_seconds=_number("loading in a new process", or_null=True),
    load_seconds=_number("loading in a process that has loaded games before", or_null=True),
    state_numbers=_count("how many numbers a state has"),
    peer=_text("what it is compared with", or_null=True),
    note=_text("what to keep in mind when comparing", or_null=True),
    lacking=_by("backends that are not available, and why", {"type": "string"}),
    rows=_list("one for each backend or peer", {"type": "object"}),
)
_PASSES = _record(
    "what each pass brings",
    game=_text("the game"),
    backend=_text("its name"),
    plays_per_second=_number("with all passes"),
    no_use=_texts("passes that change nothing in this game"),
    rows=_list(
        "one for each other pass",
        _record("plays without it", without=_text("the pass"), plays_per_second=_number("without it"), to_whole=_RATIO),
    ),
)

CHECK = _record(
    "all findings of all games",
    diagnostics=_list("the findings, in the order of files and lines", _FINDING),
    errors=_count("how many errors"),
    warnings=_count("how many warnings"),
    menus=_list(
        "the most options each choice can have at once, as far as the rules show",
        _record("a choice", file=_text("the file"), line=_count("the line"), options=_count("the most options")),
    ),
)

FIXED = _record(
    "all findings that are left, and what was changed",
    **CHECK["properties"],
    changes=_list(
        "with `--fix`: what was fixed, or would be with `--dry-run`",
        _record(
            "a change",
            file=_text("the file"),
            line=_count("the line"),
            code=_text("the code of the mistake"),
            message=_text("what was wrong"),
            before=_list("the lines before", {"type": "string"}),
            after=_list("the lines after", {"type": "string"}),
        ),
    ),
)
TOLD = _record(
    "a game in plain sentences",
    title=_text("the title of the game, or of a chapter"),
    key=_text("a keyword for the chapter, the same in all languages; empty if it has none"),
    blocks=_list(
        "what is in it: `text`; or `items`, each with its `text` and, where it comes from a file, `file` and "
        "`line`, and perhaps `items` of its own (`ordered` if they come one after the other); "
        "or the `head` and `rows` of a table; or a `picture` as SVG with its `caption`",
        {"type": "object"},
    ),
    parts=_list("the chapters in it, which have the same keys", {"type": "object"}),
)

_SIMULATED = _record(
    "the results of thousands of plays",
    **_SETTING,
    title=_text("the title of the game"),
    bots=_texts("who plays in each seat"),
    first=_count("plays of the run before these"),
    wanted=_count("plays that you asked for"),
    done=_count("plays that were played"),
    stopped=_truth("whether it was stopped"),
    rules=_text("a fingerprint of the rules: other rules have another one"),
    seconds=_number("how long it took; 0 for results that were put together"),
    outcomes=_list(
        "the results of all plays; for campaigns, of each play in turn",
        _record(
            "an outcome",
            plays=_count("how many plays"),
            ended=_count("that came to an end"),
            void=_count("that ended in a fault of the rules"),
            broken_off=_count("that were cut off after too many decisions"),
            shared=_count("that several players won"),
            results=_list("who won", _record("a result", what=_text("the result in words"), **_SHARE)),
            length=_list("how long plays are", _record("a measure", what=_text("what is counted"), **_MEASURE)),
            options=_or_null(
                _record(
                    "how many options there are",
                    mean=_number("options at a decision, on average"),
                    most=_count("the most options at a decision"),
                    forced=_number("the share of decisions with only one option"),
                )
            ),
            points=_list("by player", _record("points", player=_text("who"), **_MEASURE)),
            sources=_list(
                "where points come from",
                _record(
                    "a source",
                    what=_text("the source"),
                    players=_list("by player, in the order of seats", _record("points", **_MEASURE)),
                ),
            ),
        ),
    ),
    ended=_list("what ended the plays", _TALLY),
    taken=_list("what was done", _TALLY),
    chosen=_list(
        "what was chosen",
        _record("a sort", what=_text("what sort of thing"), members=_list("each of them", _TALLY)),
    ),
    lying=_list(
        "where pieces that are drawn from piles were at the end of plays",
        _record(
            "a kind",
            what=_text("the kind of piece"),
            places=_texts("the boards and places where any of them was"),
            pieces=_list(
                "each of them; pieces that nothing tells apart together",
                _record("a piece", what=_text("which"), times=_list("how often in each place", {"type": "integer"})),
            ),
        ),
    ),
    statements=_list("every statement, in file order", _TALLY),
    never=_list("statements that never ran, grouped", _TALLY),
    faults=_list(
        "why plays are void",
        _record(
            "a fault",
            message=_text("why"),
            at=_text("`file:line`"),
            plays=_count("how many plays"),
            again=_text("the command that shows one of them again"),
        ),
    ),
    command=_text("the command that gives the same result again"),
)

ANSWERS: dict[str, Schema] = {
    "check": CHECK,
    "check --fix": FIXED,
    "describe": TOLD,
    "rulebook": TOLD,
    "test": _record(
        "the tests of all games",
        games=_list(
            "each game",
            _record(
                "a game",
                game=_text("the game, as it was named"),
                tests=_list(
                    "its tests",
                    _record(
                        "a test",
                        test=_text("its name"),
                        **_PLACE,
                        covers=_texts("the rules that it is about"),
                        passed=_truth("whether it passes"),
                        seconds=_number("how long it took"),
                        failures=_list(
                            "what is wrong",
                            _record(
                                "a failure",
                                **_PLACE,
                                message=_text("what is wrong"),
                                details=_texts("values and options that explain it"),
                                position=_text("the position at that moment; empty if it is not needed"),
                            ),
                        ),
                        mistakes=_count("mistakes in the test itself; they are among `diagnostics`"),
                    ),
                ),
                passed=_count("how many pass"),
                failed=_count("how many fail"),
                left=_count("how many did not run because you stopped it"),
                diagnostics=_list("errors in the rules or the tests", _FINDING),
            ),
        ),
        passed=_count("how many pass, of all games"),
        failed=_count("how many fail; a game with mistakes counts as one"),
        left=_count("how many did not run because you stopped it"),
    ),
    "test --mutate": _record(
        "changes of the rules, and whether a test notices each",
        games=_list(
            "each game",
            _record(
                "a game",
                game=_text("the game, as it was named"),
                failing=_list("tests that fail with the rules unchanged; then nothing is changed", _CASE),
                tried=_count("changes that make a difference"),
                noticed=_count("how many a test noticed"),
                unnoticed=_list("those that none noticed", _record("a change", **_CHANGE)),
                explained=_list(
                    "those that no test needs to notice",
                    _record("a change", **_CHANGE, because=_text("why")),
                ),
                stale=_texts("explanations of changes that a test notices, or that do not exist"),
                same=_count("changes that gave the same program"),
                broken=_count("changes that gave rules with mistakes"),
                left=_count("changes that were not tried because you stopped it"),
            ),
        ),
    ),
    "coverage": _record(
        "which rules ran",
        plays=_count("random plays"),
        faults=_count("plays that ended in a fault"),
        tests=_count("tests that were run"),
        failed=_count("tests that failed"),
        percent=_count("of the rules ran"),
        files=_by(
            "the rules of each file",
            _list(
                "its rules",
                _record(
                    "a rule",
                    kind=_text("a statement, the side of a condition, an entry of a menu, …"),
                    line=_count("where"),
                    name=_text("what it is called"),
                    done=_truth("whether it ran"),
                ),
            ),
        ),
    ),
    "coverage --rules": _record(
        "which numbered rules are proven by tests",
        percent=_count("of the implemented rules are proven"),
        carried=_count("rules that are implemented"),
        left=_count("changes that were not tried because you stopped it"),
        failing=_list("tests that fail with the rules unchanged; then nothing is tried", _CASE),
        rules=_list(
            "each number",
            _record(
                "a rule",
                rule=_text("its number"),
                listed=_truth("whether it is in `rules.md`"),
                state=_text("`proven`, `not proven`, `not tested` or `not implemented`"),
                because=_text("why it is not proven, as the tests explain it; else empty"),
                carried_by=_texts("what implements it, as `file:line`"),
                named_by=_list(
                    "the tests that name it", _record("a test", test=_text("its name"), at=_text("`file:line`"))
                ),
                proof=_or_null(
                    _record(
                        "what proves it",
                        change=_text("a change of the rules"),
                        test=_text("the test that notices it"),
                    )
                ),
            ),
        ),
    ),
    "offered": _record(
        "the options in a position",
        **_SETTING,
        asked=_texts("who chooses now; several if they decide at the same time"),
        player=_text("whose options they are"),
        offered=_list(
            "each option, in the order of the rules",
            _record(
                "an option",
                text=_text("as players read it; tests and `--moves` may write it so"),
                notation=_text("its notation: the name that the rules give it"),
                action=_text("the action, or empty"),
                values=_by("what is chosen, by the names in the rules", {"type": "string"}),
            ),
        ),
    ),
    "analyse": _record(
        "what each option of a position is worth",
        **_SETTING,
        player=_text("who is asked"),
        plays=_count("how many plays on from here it was found with; positions, where it looks ahead"),
        ahead=_count("how many decisions ahead it looked; null where it played on at random", or_null=True),
        offered=_list(
            "each option, the best first",
            _record(
                "an option",
                text=_text("as players read it; tests and `--moves` may write it so"),
                notation=_text("its notation: the name that the rules give it"),
                worth=_number(
                    "the share of a win that is expected, from 0 to 1; null if it was never tried", or_null=True
                ),
                low=_number("the true share is at least this, with 95 % confidence", or_null=True),
                high=_number("and at most", or_null=True),
                certain=_truth("whether it is certain, whatever the others do"),
                tried=_count("in how many of the plays it was taken"),
            ),
        ),
        line=_texts("what may follow if all do what is best, where nothing is hidden"),
    ),
    "perft": _record(
        "how many sequences of moves there are",
        **_SETTING,
        unit=_text("`turn` or `decision`: what a depth counts"),
        by_chance=_truth("whether chance was used, with this seed"),
        depths=_list("each depth that was counted", _record("a depth", depth=_count("how deep"), count=_count("ways"))),
        divided=_list(
            "with `--divide`: after each first decision",
            _record("a decision", option=_text("the option"), count=_count("ways")),
        ),
        fault=_FAULT,
        stopped=_truth("whether it was stopped before everything was counted"),
        seconds=_number("how long it took"),
    ),
    "replay": _record(
        "a recorded play, run again",
        game=_text("the name of the game"),
        decisions=_count("how many were played again"),
        same_rules=_truth("whether the rules are unchanged"),
        changed=_texts("rules files that have changed"),
        parted=_or_null(
            _record(
                "where the replay differs",
                number=_count("the number of the decision; 0 for the start"),
                kind=_text("what is different: `start`, `player`, `option`, `chance`, `state` or `over`"),
                player=_text("who decided; empty if nobody did"),
                recorded=_text("what was decided in the recording; `?` if this player may not know it"),
                now=_text("what happens now; `?` if this player may not know it"),
                offered=_texts("what is offered now"),
            )
        ),
        over=_truth("whether the play is over"),
        ending=_text("`won`, `tied`, `scored`, `void` or `running`"),
        winners=_texts("who has won"),
        fault=_FAULT,
        view=_one("object", "with `--show` or `--seat`: what is seen at the end, as `view` shows it", or_null=True),
    ),
    "simulate": _SIMULATED,
    "merge": {**_SIMULATED, "description": "the results of parts, as if they were of one run"},
    "tournament": _record(
        "how strong bots are",
        **_SETTING,
        rules=_text("a fingerprint of the rules: other rules have another one"),
        bots=_texts("who takes part"),
        wanted=_count("plays that you asked for"),
        done=_count("plays that were played"),
        stopped=_truth("whether it was stopped"),
        ranks=_list(
            "each bot, the strongest first",
            _record(
                "a bot",
                bot=_text("its name"),
                elo=_number("its strength in Elo, where 0 is the mean of all"),
                error=_number("how far off that may be, with 95 % confidence"),
                plays=_count("how often it sat in a seat"),
                score=_number("the share of a win that it got on average, from 0 to 1"),
            ),
        ),
    ),
    "train": _record(
        "whether searching is stronger with what was learnt",
        game=_text("its name"),
        players=_count("how many play"),
        measured=_list(
            "each way to search with what was learnt",
            _record(
                "plays against a search without it",
                cut=_count("random decisions before a position is judged; null where none is", or_null=True),
                by=_text(
                    "what helps: what was `learnt`, `heuristic` alone, `pieces` and points alone, a `manner`, "
                    "or a `belief` of where hidden pieces lie"
                ),
                ahead=_truth("whether it looks ahead; then the best other has as much time, or as many positions"),
                plays=_count("how many plays"),
                share=_number("the share that was won, from 0 to 1; a draw is a half"),
                low=_number("the true share is at least this, with 95 % confidence"),
                high=_number("the most"),
            ),
        ),
        kept=_text("the file that holds what was learnt; null if it does not help", or_null=True),
    ),
    "bench": _record(
        "how fast games are played",
        ruledsl=_text("the version"),
        python=_text("the version of Python"),
        system=_text("the system"),
        processor=_text("the processor"),
        cores=_count("how many cores it has", or_null=True),
        seconds=_number("CPU seconds for each backend"),
        rounds=_count("in how many rounds of measuring"),
        complete=_truth("false if you stopped it"),
        results=_list("each game", {"anyOf": [_BENCHED, _PASSES]}),
    ),
    "explain": _record(
        "all codes", codes=_list("each code", _record("a code", code=_text("it"), title=_text("in words")))
    ),
    "explain CODE": _record(
        "one code",
        code=_text("the code"),
        title=_text("what it is about"),
        explanation=_text("more about it"),
        wrong=_text("an example with the mistake; empty if there is none"),
        right=_text("the example without it"),
    ),
    "manual": _record(
        "the language", words=_texts("every word that you can look up"), text=_text("all of it, as Markdown")
    ),
    "manual WORD": _record(
        "one word, or what was found of others",
        word=_text("the word, or words"),
        text=_text("what it means, as Markdown; of other words, how to write what is meant"),
        meant=_texts("of other words: those of the language that may be meant"),
        found=_list(
            "of other words: where the reference speaks of them",
            _record("an entry", word=_text("what to look up"), line=_text("the line that speaks of them")),
        ),
    ),
    "dump": _record("one stage of the compiled rules", stage=_text("which one"), text=_text("the stage, as text")),
    "draw": _record(
        "the boards of a game",
        boards=_list(
            'each board, as node-link JSON: `networkx.node_link_graph(board, edges="edges")` makes a graph of it',
            _record(
                "a board",
                board=_text("its name in the rules"),
                title=_text("what players see it called"),
                owner=_text("its owner, if every player has one", or_null=True),
                shown=_by("what is shown of its contents, by space", {"type": "string"}),
                directed=_truth("true: edges lead one way"),
                multigraph=_truth("true: several edges may lead from one space to another"),
                graph=_record("what it is", shape=_text("its shape")),
                nodes=_list(
                    "the spaces",
                    {
                        "type": "object",
                        "properties": {
                            "id": _text("the name of the space; its coordinates stand beside it, such as `x` and `y`"),
                            "position": _list("where it is in the picture, to the right and up", {"type": "number"}),
                        },
                        "required": ["id", "position"],
                    },
                ),
                edges=_list(
                    "the edges between spaces",
                    {
                        "type": "object",
                        "properties": {
                            "source": _text("from where"),
                            "target": _text("to where"),
                            "label": _text("the direction, if it has one"),
                        },
                        "required": ["source", "target"],
                    },
                ),
            ),
        ),
    ),
    "map": _record(
        "the boards of a game as graphs",
        boards=_list(
            "each board",
            _record(
                "a board",
                board=_text("its name in the rules"),
                title=_text("what players see it called"),
                ways=_count("how many pairs of neighbours it has"),
                diameter=_count("how many steps apart two spaces are at most", or_null=True),
                radius=_count(
                    "how many steps the centre is from the farthest space; null if not all can be reached", or_null=True
                ),
                mean_distance=_number("how many steps apart two spaces are on average", or_null=True),
                one_way=_list("neighbours between which there is no way back", _texts("from where, to where")),
                bridges=_list("pairs of neighbours whose connection holds the board together", _texts("both spaces")),
                islands=_list("the separate parts; one if the board is connected", _texts("their spaces")),
                parts=_list(
                    "the parts in which every space can be reached from every other",
                    _record(
                        "a part",
                        spaces=_texts("its spaces"),
                        entered=_truth("whether a way leads in from another part"),
                        left=_truth("whether a way leads out to another part"),
                    ),
                ),
                alike=_list("the groups of spaces in the same position", _texts("their spaces")),
                alike_certain=_truth("false if spaces of one group may still differ, as the search took too long"),
                betweenness_exact=_truth("false if betweenness was estimated, as the board is large"),
                spaces=_list(
                    "each space",
                    _record(
                        "a space",
                        space=_text("its name"),
                        ways=_count("how many neighbours can be reached from it in one step"),
                        ways_in=_count("from how many it can be reached in one step"),
                        farthest=_count("how far the farthest space is that can be reached", or_null=True),
                        mean_distance=_number("how far those are on average that can be reached", or_null=True),
                        betweenness=_number("the share of shortest ways between two other spaces that lead over it"),
                        cut=_truth("whether the board falls apart without it"),
                        alike=_count("its group in `alike`, from 0"),
                        part=_count("its part in `parts`, from 0"),
                    ),
                ),
            ),
        ),
    ),
    "fmt": _record(
        "files in one style",
        files=_list(
            "each file",
            _record(
                "a file",
                file=_text("it"),
                changed=_truth("whether it was not in style"),
                readable=_truth("false if it cannot be read: such a file is left as it is"),
            ),
        ),
        written=_truth("false with `--check` and `--diff`: nothing was written"),
        diagnostics=_list("why files cannot be read", _FINDING),
    ),
    "watch": _record(
        "the answer to one save: a line for each",
        number=_count("which answer it is, from 1"),
        files=_texts("the files that were saved"),
        diagnostics=_list("the findings", _FINDING),
        errors=_count("how many errors"),
        warnings=_count("how many warnings"),
        tests=_or_null(
            _record(
                "its tests; null if there are none, or errors",
                total=_count("how many there are"),
                reached=_count("how many the change reaches"),
                passed=_count("how many hold"),
                failing=_list(
                    "those that do not",
                    _record("a test", test=_text("its name"), place=_text("`file:line`"), why=_texts("why, in lines")),
                ),
            )
        ),
        plays=_or_null(
            _record(
                "what plays came to; null if there are errors",
                plays=_count("how many were played"),
                against=_count("with how many of the version before they are compared"),
                void=_count("how many ended in a fault"),
                fault=_text("why the first of these is void; empty if none is"),
                same=_truth("whether the rules do the same as before, so that nothing was played"),
                problem=_text("why nothing could be played; empty if that is not so"),
                moved=_list(
                    "each number",
                    _record(
                        "a number",
                        label=_text("what it is"),
                        unit=_text("`%`, `points` or empty"),
                        before=_number("what it was"),
                        after=_number("what it is"),
                        low=_number("its change is at least this, with 95 % confidence"),
                        high=_number("and at most this"),
                        sure=_truth("whether chance alone would hardly do it"),
                    ),
                ),
            )
        ),
    ),
    "new": _record(
        "a game that was created", folder=_text("where it is"), files=_texts("its files, relative to that folder")
    ),
    "view": _one("object", "what one player may see: see [view](#view-what-one-player-may-see)"),
}


def schema() -> Schema:
    """The JSON Schema of all answers, by command."""
    return {
        "$comment": MADE,
        "$schema": DRAFT,
        "$id": f"urn:ruledsl:schema:answers:{ANSWERS_VERSION}",
        "title": "ruledsl: answers of commands",
        "description": "What `ruledsl COMMAND --format json` writes, under the name of the command.",
        "$defs": ANSWERS,
    }


# ---------------------------------------------------------------------------------------- documentation


def described() -> str:
    """A table of its keys for every answer, as Markdown."""
    parts = []
    for name, answer in ANSWERS.items():
        if "properties" in answer:
            rows = "\n".join(f"| {path} | {about} |" for path, about in _rows(answer))
            parts.append(f"**`{name}`**\n\n| key | what it is |\n| --- | --- |\n{rows}")
    return "\n\n".join(parts)


def _rows(answer: Schema, before: str = "") -> Iterator[tuple[str, str]]:
    for one in answer.get("anyOf", ()):
        yield from _rows(one, before)
    for key, of in answer.get("properties", {}).items():
        path, about = f"{before}{key}", of.get("description", "")
        null = " (or null)" if "null" in of.get("type", ()) else ""
        if of is _FINDING or of.get("items") is _FINDING:
            about += ", as `check` shows them" if answer is not CHECK else ""
        yield f"`{path}`", f"{about}{null}"
        if answer is CHECK or not (of is _FINDING or of.get("items") is _FINDING):
            yield from _inside(of, path)


def _inside(of: Schema, path: str) -> Iterator[tuple[str, str]]:
    """The keys of what stands in a list, in a map or in an object."""
    if "items" in of:
        yield from _rows(of["items"], f"{path}[].")
    elif isinstance(of.get("additionalProperties"), dict):
        inner = of["additionalProperties"]
        yield from _rows(inner["items"], f"{path}.*[].") if "items" in inner else _rows(inner, f"{path}.*.")
    else:
        yield from _rows(of, f"{path}.")


def renewed(text: str) -> str:
    """A page with its tables of answers as they are now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{described()}\n\n{END}{after}"
