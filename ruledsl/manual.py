"""The language reference, written from the registries: what is not registered does not exist."""

from __future__ import annotations

import re
from inspect import cleandoc

import ruledsl.builtins
import ruledsl.statements  # noqa: F401  so do statements
from ruledsl.analysis.build import STATEMENTS
from ruledsl.analysis.declarations.campaign import CAMPAIGN as CAMPAIGN_FORM
from ruledsl.analysis.forms import DECLARED
from ruledsl.boards.base import SHAPES, Shape
from ruledsl.builtins import BUILTINS
from ruledsl.syntax.shapes import KINDS, Form
from ruledsl.testing import suites

INTRODUCTION = cleandoc("""
    # The rule language

    *This page is written by `ruledsl manual --write` from the language itself; a test keeps it up to date.*

    A game is one YAML file, or a folder with `game.yaml` and more files that it includes. YAML carries order and
    nesting; a condition or a quantity is one line of text, an *expression*. There is one verb for each statement.

    YAML is read in version 1.2: only `true` and `false` are truth values, so `on`, `yes` and `no` are plain words; a
    key that stands twice is an error. Inside `{…}` a comma ends a value, so an expression with a comma, a bracket or
    `: ` goes on a line of its own. Text for people may be one text, or `{en: …, ru: …}`.
""")

TYPES = cleandoc("""
    ## Types

    | written | values |
    | --- | --- |
    | `bool` | true or false |
    | `0..15`, `-3..size` | whole numbers; the bounds are numbers, options or `count(players)` |
    | `color` | one member of an enumeration declared under `types:` |
    | `player`, `square`, `man`, `area`, `direction` | one player, space (by its word), piece of a kind, part of a tile, direction |
    | `maybe color`, `maybe 0..9` | or none |
    | `set of square` | any of them, in their natural order |
    | `list of rank up to 7` | several in order; the same may stand twice; compared item by item |
    | `bag of color` | how many of each |
    | `price of color` | the same, and how many of `any` color, or of `any warm` one (see *Prices*) |
    | `terrain by direction` | a value for each key (in tables of pieces and spaces) |
    | `number`, `condition(cell to)`, `effect(enemy model)` | code in the row of a table; `this` is the member whose row it is |

    The name of a type is also the set of all its values: `c in color`, `count(man)`. A number has a range that is
    worked out from what is declared: stored where it fits it needs no check; where it may leave its range it is
    checked in play; where it cannot fit it is an error of the file. `clip(x, low, high)` says that cutting is meant.

    **Parts of a type.** `amulet: {some: item, where: this <= axe}` are some of the members of `item`. A value of a type
    is compared with values of its parts, and of parts of parts; it may be looked up in their sets, bags and tables. The
    words of two lists declared apart are not the same words, even if they read alike.

    **None.** An attribute of none is none; sets never hold none; conditions accept what may be none and ask whether
    it is there. Where a number or a piece is needed, none is a *fault*: the play ends as void, with the rule's place.
    `e otherwise d` replaces none, `the(e)` insists that it is there.
""")  # noqa: E501  (rows of tables)

EXPRESSIONS = cleandoc("""
    ## Expressions

    From the loosest to the tightest:

    | written | meaning |
    | --- | --- |
    | `if c then a else b` | one or the other |
    | `a or b`, `a and b`, `not a` | only what is needed is worked out |
    | `== != < <= > >=`, `x in S`, `x not in S` | comparisons; they do not chain (write `x in 1..3`) |
    | `a..b` | the numbers from a to b |
    | `S from x`, `S after x`, `S except x` | S as a circle that starts at x, or behind it; S without x |
    | `+ -`, then `* / %` | numbers; `/` rounds down; `+` and `-` also join and part sets, lists and bags, and turn directions clockwise: the sides of a square by quarters |
    | `e otherwise d` | d where e is none |
    | `x.name`, `x[key]`, `f(…)` | attributes, tables and lists (counted from 1), functions |
    | `[a, b]` | a list, or a set where one is wanted |

    **Names that are always there:** `me` (who acts), `turn_player`, `players`, `opponent` (with two players), `round`,
    `turn_number`, `none`, `true`, `false`, `supply.pool` (the tokens that nobody has).

    **Comprehensions.** Functions marked with \\* take `f(x in S where c)`, several names `f(x in S, y in T where c)`, a
    value `f(e for x in S where c)`, and an order `by k1, k2` (smaller first). It can be read
    as English: "count the c in me.hand where c is red". Behind a value each name has a `for` of its own:
    `sum(b.price for p in players for b in p.built where b.price > 1)`.

    **Words.** Two types may have a member `horse`. Which one is meant follows from where it stands: beside `==`, as
    an argument, in a column a certain type is wanted, and is searched first. Anywhere else write `item.horse`.
""")  # noqa: E501  (rows of tables)

SHAPE = cleandoc("""
    ## A game at a glance

    ```yaml
    ruledsl: 1
    game: two-heaps
    players: [fox, hare]
    values:
      heap: {per: player, is: 0..5, start: 5}
    play:
      - turns: players
        do:
          - choose:
              p: players where p.heap > 0
            label: take one from {p}
            else: {lose: me}
          - subtract: {p.heap: 1}
    ```

    First comes what there is: `players`, `board`, `pieces`, `places`, `pools`, `values`. Then come the formulas
    (`define`) and the effects, actions and triggers, each by a name. `setup` runs once, then `play`. The
    play is over when a statement ends it (`win`, `lose`, `tie`, `end: game`) or when `play` has come to its last
    line. Then `scoring` decides, if there is one and nobody has won. All names are declared once in the whole game; a
    value cannot be called like a type.

    The order of declarations does not matter, except where this page says so.

    `ruledsl dump GAME --stage types` lists everything that has a name in a game, and what hangs on it.
""")

NAMES = cleandoc("""
    ## What is found where

    What belongs to something is written behind it with a dot. None of these names has to be declared twice.

    | written | what it is | because of |
    | --- | --- | --- |
    | `me.score`, `score[me]` | a value of a player | `values: {score: {per: player, …}}` |
    | `red.price`, `price[red]` | a value of a member of a type | `values: {price: {per: color, …}}` |
    | `me.seen_it[red]` | a value by player and color | `per: [player, color]` |
    | `me.hand` | the place of a player | `places: {hand: {per: player, …}}` |
    | `hand` | the cards of all hands together | the same |
    | `stack[red]`, `red.stack` | the place of a member | `places: {stack: {per: color, …}}` |
    | `me.man` | all my men, a set; the one man, if each player has just one | `pieces: {man: {per: player, …}}` |
    | `man` | all men, as a set; after `move:` the first of mine in reserve | |
    | `m.square` | where a man stands, or none | `board: {…, space: square}` |
    | `s.man` | the first man on a square, or none | the same |
    | `pieces(s)`, `pieces(s, man)` | all that lie on it, from the bottom up | `holds: any` |
    | `m.owner` | whose man it is | `per: player` |
    | `c.holder` | the player in whose place a card lies, or none | `places: {…: {per: player}}` |
    | `c.lot`, `c.lot.spot` | the `lot` it lies in, or none; whose place that is | `places: {lot: {per: spot, …}}` |
    | `c.lot.realm` | what that spot has: `c.lot.spot.realm` | the same |
    | `s.lot.card` | the first card in a place, or none | the same |
    | `c.slot` | the position in a place with `slots`; 0 elsewhere | |
    | `c.rank`, `m.king` | an attribute or state of a piece | `each`, `attributes`, `state` |
    | `c.name == owl` | from which row a piece was made | `rows: [{name: owl}]` |
    | `me.purse`, `me.goods.gold` | tokens of a player; of one sort | `pools: {…: {at: {player: purse}}}` |
    | `pot` | tokens that belong to all | `at: {all: pot}` |
    | `supply.gold`, `supply.goods.gold` | the tokens of a pool that nobody has | `total:` |
    | `a1`, `board[1, 1]` | a space by its name, or by x and y (q and r for hexagons) | `grid`, `hexes` |
    | `board[3]` | a space by its number | `track`, `ring` |
    | `board`, `square` | all spaces | the name of the board, the word for its spaces |
    | `s.x s.y`, `s.q s.r`, `s.index` | where a space lies | the shape of the board |
    | `file.e`, `square.a1`, `yard.a1` | one of several of that name: by type, word for spaces, board | |
    | `s.edge` | whether a neighbour is missing | |
    | `edge(a, b)`, `edge(s, n)`, `edges_of(s)` | the edge to a space, in a direction; all of a space | `edges_of:` |
    | `edge(a, b).wall`, `e.road`, `ends(e)` | what an edge has and holds; its two spaces | the same |
    | `t.edges[d]` | what a tile shows to a side, as it lies | `edges: terrain by direction` |
    | `red`, `anna` | members of types and players, by name; players without names are `player_1`, … | |
    | `box` | what was removed | `remove` |

    A board is asked by the name of the *board*, its spaces are named by the word for its *spaces*: `board[3]`, but
    `p.square`. With several boards each has its own name and word. On a board `per: player`, `me.yard` are my spaces;
    a single one is `first(s in me.yard where s.index == 3)`.

    `me.hand` is a place. Functions and loops take a place as the pieces in it: `count(me.hand)`, `c in me.hand`.

    ### Who is `me`

    `me` is the player who acts: in `turns` whose turn it is, in `for: {me: players}` each of them, in `offer`,
    `together` and `as` those named there, in the rows of `scoring` each player. Formulas and effects have the `me` of
    those who call them. `turn_player` is the player on turn; it stays the same when another acts, and is none when no
    turn is going on.

    ### Where pieces start

    Pieces without `start:` lie in the *reserve*: a player's own, or that of all. `start:` is

    - a space: `start: a1` or, on a line of its own, `start: board[size, size]`
    - a place: `start: deck`
    - a list of spaces, one for each piece: `start: [a1, c1]`
    - a condition on `this` space, for one piece on each space where it holds: `start: this.y <= 2`
    - any of these by player: `start: {white: this.y == 1, black: this.y == 8}`

    If `count:` is missing, `start:` says how many there are; if it is larger, the rest lies in the reserve. For several
    on each space (with `holds: any`) let `setup` put them there: `repeat: 4` with `move: seed`. Formulas cannot be
    used in `start:`, since nothing has been set up yet. A pile is filled in the order of the declaration, so shuffle
    it in `setup`.

    ### How many pieces there are

    A row of a kind, or of its table, is one piece, or as many as its `copies:`. `copies: {needs: {2: 3, 4: 1}}` are
    three with `needs: 2` and one with `needs: 4`, alike in everything else. With `only:` there are only the rows for
    which a condition on `this` holds, as in `only: this.needs <= count(players)`; the others do not exist in this
    play. The condition is about attributes that are words, numbers or `bool`.

    The one piece of a kind with `count: 1`, without `per:`, is called by the name of the kind: `mole.dike`,
    `move: mole`. Of a kind with several pieces the name is the set of all of them.
""")

TABLES = cleandoc("""
    ## Tables

    `from: cards.csv` takes the rows of a kind of piece, of spaces or of edges from a table: a CSV file, a YAML file
    with a list of rows, or a list inside a YAML file (`from: tables.yaml#cards`). The file lies in the folder of the
    game. A column is an attribute; the columns `name`, `title`, `about`, `copies`, `start`, `symbol` and `covers` are
    there by themselves.

    | in a CSV file | what it is |
    | --- | --- |
    | `name,copies,cost,text` | the first line: the columns, with commas between them |
    | an empty cell | nothing is written: none, no, the empty set or bag, or what `otherwise:` says |
    | `wood;gold` | a list or a set: `;` between its members |
    | `2 wood;gold` | a bag: two of one sort and one of another |
    | `cost.wood`, `cost.gold` | columns for the parts of one attribute: how much of each sort of a bag |
    | `gains.attack`, `gains.rest` | the same for a table by words: `gains: bag of good by box` |
    | `title.en`, `title.ru` | the same for a text |
    | `3`, `wood`, `2 * this.level` | a number, a word, an expression (`number`, `condition`) |
    | `draw_two()` | an effect: the call of one that stands under `effects:` |
    | `"give 2, take 1"` | a cell with a comma stands in double quotes; a quote inside is written twice |

    A row under `rows:` with the `name` of a row of the table adds to it: so an effect of several statements stands in
    the game file, and the rest of the card in the table.

    Under `attributes:` stands the type of each column, or its type and what it is where nothing is written. For a table
    by words, `otherwise` is what holds for words that are not named:

    ```yaml
    pieces:
      card:
        from: cards.csv
        attributes:
          cost: bag of good
          power: {is: 0..9 by box, otherwise: 1}
          text: {is: effect, otherwise: []}
    ```
""")

CHOICES = cleandoc("""
    ## How players are asked

    `choose: {x: S where c}` looks for all x in S for which c holds. Several names give all combinations for which the
    common `where:` holds. Each is an *option*. A player takes one of them, even if there is only one. There is no
    need to list what is forbidden: it is not found.

    **Nothing to choose.** Without any option `else:` runs, and the rest of the list that contains `choose`
    is skipped, because its names mean nothing. `optional: true` adds the option *stop*, which does just the same:
    `else:`, then nothing more of this list. What shall happen anyway stands before the choice, or one level further
    out. After `choose one`, `may` and `offer` the list goes on in any case. Where there is always something to choose,
    `else: never` says so: a fault if it is not so.

    **Several at once.** `2 of me.hand`, `1..3 of S`, `any of S` (none, too), `some of S` (at least one). The player is
    asked for one after the other, with *done* where it is enough. The name is then a set, or a list with `ordered:
    true`.

    **One of several things.** `choose one:` takes a list of entries, or the name of a *menu*: all actions that say
    `menu:` with that name. An entry without `choose:` is one option. Entries are offered when their `when:` holds,
    their `limit:` is not used up and their `cost:` can be paid.

    **What an option looks like.** People read its `label`. Without one they read the name of the action and what was
    chosen. Where several are chosen at once the label is read at each step, of the one that comes in. In tests, in
    `--moves` and at the prompt an option is written as its label, as the name of the action with the values (`attack
    fort=fort_2 team=c51`), or as some whole words of the label, or parts of the notation, that fit no other option.
    What a value is called in the rules counts only behind its name, as in `fort=fort_2`, or where there is no label.
    What is all that something else says which is not offered now is no shortening, and nothing else is taken for it.

    **In secret.** In `together` each player decides about what is their own; the others see nothing of it before all
    have finished.
""")

PRICES = cleandoc("""
    ## Prices

    Amounts may leave open of which sort they are. Of a pool `of: good`, `any` is a token of any sort, and `any basic` one of
    those in `basic: {some: good, where: …}`.

    ```yaml
    pieces:
      house:
        attributes: {cost: price of good}
        rows:
          - {name: hut, cost: {clay: 1, any basic: 2}}
    actions:
      build:
        menu: work
        choose: {h: market}
        cost: h.cost
        do: …
    ```

    | written | meaning |
    | --- | --- |
    | `{clay: 1, any basic: 2, any: 1}` | a price, wherever amounts are written; in a cell of a table `clay; 2 any basic` |
    | `amount(any basic, 2)`, `price + h.cost`, `2 * price` | the same as an expression; prices are added up |
    | `price.any`, `price[any basic]`, `total(price)` | its parts |
    | `cost: h.cost` | offered if it can be paid, and paid when it is taken |
    | `pay: price` | pays it; `gain: {any: 2}` takes what one likes |
    | `less: 2`, `least: 1` | next to `pay:`, or with `is:` under `cost:`: two tokens fewer, whichever the payer likes, but at least one |
    | `to: pot` | the same way: who gets what is paid (default: the supply) |
    | `from: [me.goods, pot]` | next to `pay:`: several holders; each pays what those before it lack |
    | `payable(price)`, `missing(price)` | whether it can be paid; how many tokens are missing |
    | `by=p`, `out_of=me.goods + pot`, `less=2, least=1` | arguments of both: who pays, or what pays; a discount |

    **One question at the most.** What can be paid in one way is paid without a question, and the log tells it. Up to 12 ways
    are shown in one question; where there are more, one token is picked after the other, and only those are offered with
    which the rest can be paid. A price is paid exactly: each token pays one part of it.

    **Exchanges.** An action with `give:` and `get:` is an exchange with the supply, and nothing else: no `do:`, no trigger.

    ```yaml
    actions:
      sell: {menu: trade, give: {any basic: 2}, get: {gold: 1}}
      build:
        menu: work
        choose: {h: market}
        cost: {is: h.cost, after: exchanges}
        do: …
    ```

    What is given and got is one option; what gives a sort only to get the same is none. With `after:` a cost may need
    exchanges first. They are asked for when it is paid, and only as long as it cannot be paid: those that lead there and
    that lose tokens or come nearer, so that nobody goes round in circles. `after: exchanges` are all, `after: trade` those
    of a menu, `after: [sell]` some by name. `limit:` and `when:` of an exchange count there, too; `when:` may not look at
    tokens. `payable(price, after=exchanges)` is the condition alone. It is exact: a supply that runs short, limits and
    circles are seen.
""")  # noqa: E501  (rows of tables)

REASONS = cleandoc("""
    ## Why something is refused

    Who types what is not offered, or asks `why`, reads which rule refuses it. The answer is made from the names and
    values that decide: `b2 is not empty: mark of cross`, `price of Castle must be at most 4 (coins), and is 8`. Where
    players say it better, the rules say it: `because:` is one sentence, beside what refuses.

    ```yaml
    define:
      affordable(card c):
        is: c.price <= me.coins
        because: {en: "a {c} costs {c.price}, and you have {me.coins}", ru: "{c} стоит {c.price}, а у вас {me.coins}"}
    play:
      - turns: players
        do:
          - choose:
              c: market where affordable(c)
              s: {is: me.shelf, because: "{s} is not on your shelf"}
            where:
              - is: fits(c, s)
                because: "{c} is too large for {s}"
              - s not in closed
    ```

    | written | what refuses |
    | --- | --- |
    | `where: {is: …, because: …}`, and so `when`, `so_far`, `done` | a condition; several in a list must all hold |
    | `choose: {x: {is: S, because: …}}` | that something is not in S |
    | `choose: {x: {is: S where c, because: …}}` | that c does not hold; what is not in S has its own message |
    | `limit: {is: 2 per turn, because: …}`, `cost: {is: {gold: 3}, because: …}` | a limit, a cost |
    | `because:` beside `is:` of a formula | a condition that does not hold, or that something is not in the set |
    | `because:` beside `forbid:` of a trigger | what the trigger forbids |
    | `{is: …, because: …}` as a `condition(…)` in a row | the code of this row |

    The holes of the sentence may use the names that its condition may use; in `choose:` also the name that is chosen,
    which stands for what was tried. Of several at once it is one of them. Conditions are asked in the order of the
    rules, and the first that fails is shown. If it uses a formula with its own reason, that reason is shown, because
    it is more exact. `not f(x)` shows its own `because:`, not that of `f`. Players never read what they may not
    know: such a part is shown as `?`, and a condition that reads something hidden from the player says
    only that.
""")

TRIGGERS = cleandoc("""
    ## How triggers work

    A trigger names its event: an effect, an action or a phase by its name, or `turn` or `round`. The names of the
    effect's parameters mean the same in the trigger, and `me` is who acts. With `for: {me: players where …}` each of
    these players acts instead, and `actor` is who did before.

    At one event come

    1. all triggers with `before`, in the order in which they are declared,
    2. the first trigger with `instead` whose `when` holds; or else the event itself. `proceed()` in an `instead` does
       what it stands in place of,
    3. all triggers with `after`, in the order in which they are declared.

    What a trigger does may start more triggers; these run at once, before the next one comes. A
    circle of triggers is an error that `check` finds. Triggers of modules come after those of the game. When the
    play is over nothing more happens.

    `modify: formula` bends a formula wherever it is asked. First `is:` (where `value` is what the formula gave), then
    every `add:`, then `least` and `most` of the formula. Of a condition, `forbid:` beats `allow:`.
""")

NAMES_ALWAYS = {
    "me": "The player who acts.",
    "turn_player": "The player whose turn it is; none where no turn is going on.",
    "opponent": "The other player, where two play.",
    "turn_number": "The number of the turn, counted from 1 in every `turns`.",
    "this": "The row, the piece or the member that code in a table, or a condition of a declaration, is about.",
    "ranking": "The list of all players by `scoring:` as things stand, the best first. Equal ones stand in the order "
    "of the seats.",
    "score": "`score[p]` is the total that a player has by `scoring:` as things stand.",
}

COPIES = cleandoc("""
    ## The same thing several times

    An action, a trigger or a module with `each:` is there once for each word, or each row, of it. `<name>` is filled in
    wherever it stands: in names, expressions and texts. The names of actions and triggers must say which copy it is.

    ```yaml
    modules:
      discarded:
        each:
          - {rune: travel, over: ocean}
          - {rune: horse, over: mountain}
        when: <rune> in runes
        pieces:
          <rune>_rune: {per: player, count: 1}
        actions:
          use_<rune>:
            menu: settling
            choose: {a: landings(<over>)}
    ```

    `each: {rune: [travel, horse], n: [1, 2]}` makes a copy of every combination. What differs only in a value needs no
    copies: effects and formulas have parameters, a choice may run over values, a card may say it in its row.
""")

FAULTS = cleandoc("""
    ## Faults

    A fault is a hole in the rules that shows only in play: `the(x)` of none, a number beyond its range, a piece moved
    to a full space, paying what one does not have, a piece wanted from an empty reserve, none given to a parameter
    that is not `maybe`, a `while` that runs more often than `most`, a division by 0. The play ends as *void*: nobody
    wins, and the message names the line. A fault is never the player's: what players may do is decided by the
    options. Random plays find faults: `play: {games: 100}` in a test.

    Two of them are easy to avoid. `step(s, d)` and `first(…)` may be none, so a formula that takes them has a
    parameter `maybe square`. And a piece that may have run out is asked for in a condition: `any(reserve(stone))`.
""")

TEXT = cleandoc("""
    ## Texts and languages

    Players read the words of the file, with spaces in place of `_`. Where a text for people stands (`title`, `label`,
    `say`, `about`, `stop`), it may be one text, or one for each language: `{en: take {n}, ru: взять {n}}`, in quotes
    where it stands inside `{…}`. In texts, `{…}` holds an expression. A row of a table may have `title: {en: …, ru:
    …}`. Titles stand still: those of pieces may use what their row says and formulas about it, as in
    `title: "{this.gem} mine ({price(this)})"`. So may the spaces of a board: `title: "{this} {this.terrain}"` beside
    its shape. What is none says nothing there. What changes in play is shown by [`show:`](#what-is-shown).

    All other words are translated in one place. Words may be renamed in English there, too:

    ```yaml
    text:
      ru: {red: красный, stone: камень, hand: рука, points: очки, take: взять}
      en: {11: J, 12: Q, 13: K}
    ```

    These are the names of players, types' members, kinds and rows of pieces, places, pools, values, actions, phases,
    options and rows of `scoring`. Names in the file itself (`a1`, `stone`, `me.hand`) stay the same in every
    language.

    A `label`, `stop`, `say` or `because` may be the name of a text that stands there: `label: going` with `text: {en:
    {going: go to {c}}}`. Its holes are filled in where the label stands; so what several labels say is written once.

    **A word that goes with a number** has its forms behind a colon: `take {n} {n:coin|coins}`. The number itself is
    shown by a hole of its own. English has two forms, for one and for several; Russian has three, for 1, 2 and 5:
    `взять {n} {n:монету|монеты|монет}`.

    **Cases.** A Russian text may ask for a name in a case: `{c:acc}`, with `nom`, `gen`, `dat`, `acc`, `ins` or `pre`
    (`взять {c:acc}`, `у {p:gen}`, `дом на {a:pre}`). What is counted stands in the form of its number (`2 камня`).
    Most names are declined by their endings. For the others `check` asks, and `cases:` tells, by the name as players
    read it:

    ```yaml
    cases:
      ru:
        судья: {gen: судьи, acc: судью}
        замок: {acc: замок, few: замка, many: замков}
    ```
""")

TESTS = cleandoc("""
    ## Looks

    Pictures have signs and colors by default: letters from names, a color for each player, the color that a member
    is named after. `looks:` changes them: for members of types, players, kinds and rows of pieces.

    ```yaml
    looks:
      meadow: {color: green, symbol: .}
      sea: {color: blue, symbol: {en: '~', ru: '≈'}}
      lighthouse: {symbol: L}
      player_1: {color: '#8a2be2'}
    ```

    A tile (`tile:`) is drawn from what it is made of: its parts, or its table `by direction`, each in the look of the
    first enumeration that it has. In the terminal the first sign of a symbol fills the ground, so different grounds
    need different signs; color alone never has a meaning.

    On a board of points and lines every space stands where its `x` and `y` say, with the lines between. Where spaces
    have state, tokens or values, these stand beside what lies there.

    With `boxes: true` the spaces of a board are drawn as boxes that tell in words what is there, and show tokens one by
    one. This suits boards of a few spaces on which much is told, such as what a player has built and where workers
    stand. At the prompt everyone sees their own board in boxes, and those of the others at a glance.

    ```yaml
    boards:
      town: {per: player, grid: {width: 3, height: 3}, boxes: true}
      jobs: {per: player, spaces: jobs.yaml, edges: [], apart: true, space: job, boxes: true}
    ```

    Boards may share a picture: with `drawn_on: wall` the spaces of a board stand in the picture of the board `wall`,
    where their own `x` and `y` say in the same units. Such a picture has no lines.

    ## What is shown

    Players see the boards, what lies in places, tokens, the numbers and bags that every player has, and the rows of
    `scoring` as they stand. All other values are the rules' own business: they are shown only where the game says
    so. `show:` stands in the declaration of a value, place or pool, and takes `always`, `some` (where there is
    something to see) or `never`. A place may also say `lines` (one piece below the other), `count` (only how many) or
    `known` (the pieces that one knows, one below the other; nothing where there are none). Pieces that have not come
    into play are shown where their kind says `reserve:`, in the same words.

    Of pieces `show:` says what players see of each besides its title: attributes by name, `about` (what is printed on
    them), or texts about `this`. They may use formulas and what changes in play.

    Of the spaces of a board it says which signs stand for each, side by side: attributes by name, or formulas about
    `this` that give a word, a number, a player, a space or a condition. `me` is the player who looks. The signs are
    those of `looks:`, else letters; the picture tells what they stand for, and `+` marks the spaces that what is
    offered now is about. What players have of spaces (`per: [player, spot]`) is shown with `show: always`.

    ```yaml
    pieces:
      card:
        from: cards.csv
        attributes: {bonus: gem, points: 0..5, price: 0..9}
        show: [points, "{this.price} coins", {en: "brings {this.bonus}", ru: "даёт: {this.bonus}"}]
    boards:
      island: {hexes: {from: cells.csv}, space: cell, attributes: {land: land}, show: [land, treasure_on(this)]}
    places:
      market: {holds: card, capacity: 4, show: lines}
    values:
      breaches: {is: 0..3, show: always}
      bidder: {is: maybe player, show: some}
    ```

    Of players and of the game as a whole the section `show:` says what is counted. Under `player:` formulas ask of
    `me`, as under `scoring:`; it replaces everything that is shown of players by default.

    ```yaml
    show:
      player: [score, "cards left: {count(me.deck)}"]
      game: [stake, {en: "{me.left} to go", ru: "осталось {me.left}"}]
      score: false
    ```

    Nothing of this tells what is hidden: a text shows `?` in the place of what the reader may not know. `board all` at
    the prompt shows the other values, too, as far as one may see them.

    ## How moves are typed

    At the prompt players type the number of an option or words of its label. A `notation:` beside the label is
    another way to type it, as players of the game know it: one text, a list of them, or `{as: text, when: condition}`
    for those that fit only some options. A piece in it stands by its letter in pictures (`letters:`, `symbol:`), a word
    by the symbol that `looks:` gives it. Players still read the label.

    ```yaml
    - choose: {m: me.man, to: legal(m)}
      label: "{m.kind} {m.square}-{to}"
      notation:
        - "{m.square}{to}"
        - {as: "{to}", when: m.kind == pawn and empty(to)}
        - {as: "{m}{to}", when: m.kind != pawn}
    ```

    So `e2e4`, `e4` and `Nf3` are moves. A notation that fits several options picks none of them: they are listed.
    Capitals make no difference.

    ## Tests

    Tests stand under `tests:` in the game, in `NAME.test.yaml` beside a game `NAME.yaml`, or in the files
    `tests/*.yaml` of a game's folder. `ruledsl test` runs them, and `ruledsl check` looks for slips in them.

    ```yaml
    tests:
      - test: who takes the last nut wins
        options: {heap: 4}
        moves: [take 1, squirrel: take 3]
        expect:
          - ends: {win: [squirrel]}
      - test: with one nut there is one way
        given:
          values: {left: 1}
          turn: hermit
        expect:
          - to_move == hermit and left == 1
          - legal: [take 1]
          - refused: [take 2]
      - test: plays come to an end
        play: {games: 20}
        finally: count(winners) == 1
    ```

    A test begins after `setup`, or in the position that `given` describes; then `chance`, `moves` and `steps` run;
    then `expect` is checked; then `then`. An expectation that is an expression may use all names of
    the game, the names of the players, and `to_move`, `phase`, `winners`, `over` and `score[player]`. In a step of
    `then`, `next_play: same` goes on to the next play of a campaign, with the same players; `next_play: 3` or names
    change them.

    ### Moves, options and chance in tests

    A move is what the player would read, or as many words of it as fit no other option. Of a choice made in steps
    (`stepwise: true`, or several of a set) every step is a move of its own: one for each name in order, the last one
    with the whole label; of a set each member, and `done` where it may be left. `ruledsl offered GAME` lists what is
    offered at any point, ready to be copied; `ruledsl test --options` does so for what fails.

    ```yaml
    tests:
      - test: a hex is chosen, then where, then how it lies
        moves: [Bay, "0,1", "Bay to 0,1, turned 3"]
      - test: two cards are put away
        moves: [put ace away, put king away]
      - test: what begins the third round happens in the position
        given: {before: round, round: 3, values: {wet: 2}}
        chance: [rain]
        expect:
          - legal: [sow ..., wait 1]
    ```

    `given:` without `turn:` and `before:` stands at the first decision: what the rules did until then is not done
    again. With `turn:` the turn of that player begins, with `before: round` the round of that number; what is rolled,
    drawn or asked from there on happens in the position, with the `chance:` of the test. `sow ...` in `legal`,
    `offered` and `refused` stands for all options that begin with these words.

    ### Who sees what, and who reads what

    ```yaml
    tests:
      - test: a card given away is seen by two players only
        moves: [give joker to boris]
        expect:
          - sees: {anna: [joker, two], boris: [joker, five], vera: [one]}
          - sees: {vera: {anna.hand: 1 hidden, boris.hand: 2 hidden}, bystander: {boris.hand: hidden}}
          - sees: {anna: {boris.hand: [joker, hidden]}, everybody: {deck: hidden, table: open}}
          - log: {boris: give joker, vera: {with: a hidden card, without: joker}, bystander: {without: joker}}
    ```

    With a list, `sees` is about everything that a player knows and not everybody knows: these pieces and no others.
    With a map it is about places and values by name. A place is `hidden` (something lies there, and the player knows
    none of it), `2 hidden` (exactly so many), `open`, `empty`, or a list of all that lies there, from the top down in a
    pile. A value is `hidden` or `open`. A `bystander` has no seat, `everybody` is all players and a bystander. Say of
    each place with `seen:` that it is hidden from those who must not see it: `test --mutate` opens such places one
    after the other, and tells which no test notices.

    `log` with a text asks whether anybody reads such a line; with players, what each of them reads (`with`) and does
    not read (`without`), in any language. What nobody could read, even one who knows everything, cannot stand under
    `without`: so a slip of the pen is noticed.
""")

SCORING_NOTE = cleandoc("""
    ## How a play ends

    | | |
    | --- | --- |
    | `win: players` | these win together, all others lose; `win` of nobody: no winner |
    | `lose: players` | these lose, the others win; if all lose, nobody wins |
    | `tie: players` | a draw between them |
    | `end: game`, or `play` has come to its end | with `scoring` the highest total wins (`lowest: true`: the lowest), then each of `ties`, where more is better; who is equal in all wins together. Without `scoring` nobody wins |
    | a fault | void: nobody wins |

    The rows of `scoring` are points by source, worked out for each player as `me`. A row that counts against one
    gives a number below zero. With `stakes: true` the totals are what players win or lose: the result of a play is
    then how much, and not only who. A row may take from one what it gives to another: `me.won - opponent.won`.

    `because:` beside `win`, `lose`, `tie` or `end: game` tells why, to players and in `simulate`. With `ranks:` a total has
    a title; who plays alone then neither wins nor loses. The rules themselves may ask how things stand: `ranking` is the
    list of all players, the best first, and `score[p]` the total of one; `last(ranking)` is the last. Equal players
    stand in the order of their seats. A game that has a `score` of its own means that.
""")  # noqa: E501  (rows of tables)

HEURISTIC_NOTE = cleandoc("""
    ## What is good for a player

    `heuristic:` says in one line what is good for a player while play goes on. It is a number, worked out for each
    player as `me`, as in `scoring`; more is better, and it may be below zero. The rules never ask for it. Bots do:
    `search` asks it of positions that are not over, instead of playing on at random to the end, and `greedy` takes
    what leaves it best.

    ```yaml
    heuristic: 3 * count(me.tower) + me.gold - me.debt
    ```

    Nobody must write one. Say what a beginner would be told: what to have, what to be near, how much there is to do.
    Only what it says of one player against the others counts, and only by how much more it is than usual, so its
    scale does not matter. Where all win or lose together, say how well things stand for all, without `me`:
    `heuristic: -5 * breaches - flood`. It is asked of guesses where something is hidden, so it may name anything.

    A `heuristic:` in a module is added to that of the game; under `replace:` it takes its place. What is right for
    play but slow to work out makes bots weaker: they look at thousands of positions a second. `ruledsl train GAME`
    measures whether searching is stronger with it, and how long to play on at random before it is asked.
""")

HIDDEN = cleandoc("""
    ## Hidden information

    A place says who sees what lies in it (`seen: all`, `none`, `owner`, `top`, or players by an expression). Who
    sees a piece knows it, and remembers it as long as it can be followed: through moves between places, but not
    through a shuffle, nor when one of several leaves an unordered place that the player does not see. `reveal`
    shows pieces without moving them; `hide` takes that back, and so does `shuffle`, of a place without order as of
    a pile. Views, options, the log and bots get only what their seat knows.

    Pieces of one row and one state look the same, and so do those of rows that say the same: who has seen one guard
    in a hand, and sees a guard being laid down, does not know of another.

    **What others read of a move.** A line of the log names a chosen piece to those who can know that it was this one:

    - who sees the piece where it lies, or can tell it by its place (in a pile, in a slot, alone);
    - who sees it being moved or shown, or knew it and could follow it when it was moved, if on every way that the rules
      may take from the choice nothing else is moved or shown before it. If a condition decides that another card
      moves, or the whole hand moves, it is not named.

    So a card that all have seen is a hidden card again for the others when it is laid face down from a hand of several,
    and a card that is only thought of is not named.

    While play stops in the middle of it (`choose` a card, then `choose` to whom), only who sees the card where it lies
    reads its name; when it has been moved, the line tells the others what they may know by then. `say`, and what is
    taken back with `undo`, follow the same rule.

    **What a text shows.** A hole of a label or of `say` names pieces that the reader knows, and says `a hidden card`
    for others. Any other hole is `?` for who may not know what it is worked out from: `{c.strength}` of a hidden card,
    `{max(c.strength for c in boris.hand)}`, a value that the reader does not see. How many pieces lie somewhere is no
    secret. Where the rules are to tell something about what stays hidden, as the answer to a guess, they give it a
    name first: `let: {hits: count(c in boris.hand where c.strength == guess)}`, then `say: "{hits} of them"`.

    **What is chosen and goes into a hidden value** (`set: {me.plan: n}` with `seen: owner`) is shown to those who see
    the value and to the one who chose it; the others read `plan ?`. If which option it was goes into such a value
    (`set: {me.plan: attack}`), they read `something in secret`, unless nobody sees the value (`seen: none`): that is
    book-keeping of the rules.
""")

CAMPAIGN = cleandoc("""
    ## Campaigns

    `campaign:` says what is kept from one play to the next; everything else starts again. After a play the block
    `between` runs, with `winners`; it may ask and roll. The number of players may change between plays where nothing
    that is kept belongs to players.
""")


def text() -> str:
    """The whole reference."""
    parts = [
        INTRODUCTION,
        SHAPE,
        TYPES,
        NAMES,
        TABLES,
        CHOICES,
        PRICES,
        REASONS,
        SCORING_NOTE,
        HEURISTIC_NOTE,
        TRIGGERS,
        COPIES,
        FAULTS,
        HIDDEN,
        TEXT,
        TESTS,
        _test_forms(),
        _declarations(),
        _boards(),
        _statements(),
        EXPRESSIONS,
        _functions(),
        CAMPAIGN + "\n\n" + _table(CAMPAIGN_FORM),
    ]
    return "\n\n".join(parts) + "\n"


def topic(word: str) -> str:
    """What the reference says about one word; empty if it says nothing."""
    found = []
    if word in STATEMENTS:
        found.append(_statement(word))
    if word in BUILTINS:
        found.append(_function(word))
    for title, form in _forms() + TEST_FORMS:
        if word == _plain(title):
            found.append(f"### {title}\n\n{_table(form)}")
    if not found:  # a word that stands only in tests
        found += [f"### {title}\n\n{_table(form)}" for title, form in TEST_FORMS if word in form.keys]
    for shape in SHAPES.values():
        if word in (shape.name, shape.key):
            found.append(_shape(shape))
    if not found or word in BUILTINS:  # what is a function may be a key, too
        found += filter(None, [_as_key(word)])
    return "\n\n".join(found)


def _keyed() -> list[tuple[str, Form]]:
    """All that has keys, with what it is called in a sentence."""
    return [*_forms(), *((f"`{verb}`", known.form) for verb, known in sorted(STATEMENTS.items()))]


def _as_key(word: str) -> str:
    """What is said of a word that is only a key, or a name that is always there."""
    rows = [f"- in {title}: {' '.join(form.keys[word].doc.split())}" for title, form in _keyed() if word in form.keys]
    name = NAMES_ALWAYS.get(word)
    return (
        "\n".join([f"### `{word}`", "", *([name, *([""] if rows else [])] if name else []), *rows])
        if rows or name
        else ""
    )


def words() -> list[str]:
    """All words that have an entry."""
    keys = (key for _, form in [*TEST_FORMS, *_keyed()] for key in form.keys)
    titles = (_plain(title) for title, _ in _forms())
    return list(dict.fromkeys([*STATEMENTS, *BUILTINS, *titles, *SHAPES, *keys, *NAMES_ALWAYS]))


def _plain(title: str) -> str:
    return title.replace("`", "").rstrip(":")


def _forms() -> list[tuple[str, Form]]:
    return [(one.title, one.form) for one in DECLARED if one.title]


TEST_FORMS: list[tuple[str, Form]] = [
    ("a test", suites.TEST),
    ("`given:`", suites.GIVEN),
    ("`expect:`", suites.EXPECT),
    ("`log:` of a player", suites.LOG),
    ("`play:` of a test", suites.PLAY),
]


def _test_forms() -> str:
    return "\n\n".join(f"### {title}\n\n{_table(form)}" for title, form in TEST_FORMS)


def _declarations() -> str:
    parts = ["## Declarations"]
    for title, form in _forms():
        parts.append(f"### {title}\n\n{_table(form)}")
    return "\n\n".join(parts)


def _table(form: Form) -> str:
    rows = ["| key | takes | |", "| --- | --- | --- |"]
    for name, key in form.keys.items():
        wanted = ", ".join(f"`{word}`" for word in key.words) if key.words else KINDS[key.kind][1]
        need = "**needed.** " if key.required else ""
        rows.append(f"| `{name}` | {_cell(wanted)} | {need}{_cell(key.doc)} |")
    return "\n".join(rows)


def _cell(words_: str) -> str:
    return " ".join(words_.split()).replace("|", "\\|")


def _boards() -> str:
    return "\n\n".join(["## Shapes of boards", *(_shape(shape) for shape in SHAPES.values()), _GROWING, _STEPS])


_GROWING = """\
### Boards that grow

With `growing: true` there is no board before there are tiles, the pieces that say `tile:` with its name. Its spaces
have names and neighbours everywhere, far enough for all tiles that there are; its *frontier* is where the next may
come.

```yaml
boards:
  land: {hexes: {growing: true, touching: 2}, space: plot, holds: any}
pieces:
  tile: {count: 60, tile: land}
```

`frontier(land)` is the set of empty spaces with at least `touching` tiles around them (default: 1). It
changes where a tile comes or goes, so a rule that looks for a place looks only there. How far out spaces exist follows
from the number of tiles, their `start:`, and `touching`: where each tile touches two others, a row of spaces is begun
only beside two tiles, so 60 tiles reach 30 steps. It is never more than 40 steps; a `radius:` says otherwise. Tiles
that come to lie farther out, since the rules lay them elsewhere than on the frontier, are a fault."""


_STEPS = """\
### Steps under a condition

`reachable`, `joined` and `distance` go from space to neighbouring space. `x in S where c` says which spaces the way
may use; `step=` says which steps. There `from` is the space where a step begins, `to` the one where it ends, and
`edge` the edge between them, if the edges of the board are declared (`edges_of:`).

```yaml
boards:
  field: {grid: {width: 9, height: 9, neighbors: orthogonal}, space: square, state: {height: 0..3}}
  gaps: {edges_of: field, space: gap, state: {wall: bool}}
pieces:
  pawn: {per: player, start: [e1, e9]}
define:
  goes(square a, square b): b.height <= a.height + 1 and not edge(a, b).wall
  near(player p): reachable(p.pawn.square, within=2, step=goes(from, to))
  way_left(player p): joined([the(p.pawn.square)], set(s in field where s.y == 9), step=not edge.wall)
  far(player p): distance(p.pawn.square, e9, step=not edge.wall, s in field where empty(s))
```

The condition is asked of a step as it is taken: from a high space down to a low one it may hold, and not back. A
condition that speaks of the edge alone is the quickest."""


def _shape(shape: Shape) -> str:
    prose, examples = _split(shape.doc)
    rows = ["| key | | |", "| --- | --- | --- |"]
    rows += [
        f"| `{name}` | {p.type}{'' if p.required else ', optional'} | {_cell(p.doc)} |"
        for name, p in shape.parameters.items()
    ]
    return f"### `{shape.key}:`\n\n{prose}\n\n{_code(examples)}\n\n" + "\n".join(rows)


def _split(doc: str) -> tuple[str, str]:
    """A docstring as prose, and the example lines at its end."""
    lines = doc.splitlines()
    first = next((i for i, line in enumerate(lines) if re.match(r"(- |boards?:|\s+\w+:)", line)), len(lines))
    return "\n".join(lines[:first]).strip(), "\n".join(lines[first:]).strip("\n")


def _code(lines: str) -> str:
    return f"```yaml\n{lines}\n```" if lines.strip() else ""


def _statements() -> str:
    return "\n\n".join(
        [
            "## Statements",
            "A block is one statement or a list of statements; a bare text calls an effect: `- refill()`.",
            "Where a game has its rules in words, each with a number, a statement may say which of them it carries "
            "out: `covers: [R-7]`. So may formulas, effects, actions and triggers, pieces, rows of tables, places, "
            "pools and values, what is forbidden, scoring and the campaign. `ruledsl coverage --rules` tells which of "
            "them the tests prove.",
            *(_statement(verb) for verb in sorted(STATEMENTS)),
        ]
    )


def _statement(verb: str) -> str:
    known = STATEMENTS[verb]
    prose, example = _split(known.doc)
    return f"### `{verb}`\n\n{prose}\n\n{_code(example)}\n\n{_table(known.form)}"


def _functions() -> str:
    parts = ["## Functions"]
    topics: dict[str, list[str]] = {}
    for name, builtin in BUILTINS.items():
        topics.setdefault(builtin.topic, []).append(name)
    for topic_, names in sorted(topics.items()):
        parts.append(f"### {topic_.capitalize()}")
        parts += [_function(name) for name in sorted(names)]
    return "\n\n".join(parts)


def _function(name: str) -> str:
    builtin = BUILTINS[name]
    star = " \\*" if builtin.comprehension else ""
    return f"**`{builtin.signature}`**{star}  \n{builtin.doc}"
