"""The commands that a person may type instead of an option."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from textwrap import wrap
from typing import Any

from ruledsl.boards.marks import plain
from ruledsl.cli.writing import HANDOUT, SAVE, Unwritable, place, write
from ruledsl.runtime.handout import as_text, handout
from ruledsl.runtime.rulebook import Chapter, chapter_of, tops_of
from ruledsl.runtime.typed import Picked, search
from ruledsl.runtime.why import why
from ruledsl.shipped import is_shipped
from ruledsl.telling.chapters import readable_chapters

from .advice import advice
from .undoing import Undoing
from .words import ALL, NO, YES

_MOST_CARDS = 12
_MOST_SAVES = 100  # names that are tried for a file of a play
_MOST_EXAMPLES = 6  # options that are looked at for one that a word is enough for


class Left(Exception):
    """The person leaves, or the input ends."""


class Commands(Undoing):
    """Part of a session."""

    book: Sequence[Chapter] | None = None  # the rules, once somebody asked for them
    saved = -1  # the number of decisions that there were when it was saved

    def _position(self, seat: int | None, options: Sequence[Any] = (), everything: bool = False) -> None:
        raise NotImplementedError

    def _menu(self, seat: int, options: Sequence[Any]) -> None:
        raise NotImplementedError

    def _pick(self, seat: int, options: Sequence[Any], typed: str) -> Picked:
        raise NotImplementedError

    def _command(self, seat: int, options: Sequence[Any], command: str, rest: str) -> bool:
        if command == "undo":
            return self._undo_several(seat, rest)
        if command == "quit":
            self._leave()
            return False
        getattr(self, f"_do_{command}")(seat, options, rest)
        return False

    def _fitting(self, found: Sequence[Any], typed: str) -> str:
        return self.say("options_one" if len(found) == 1 else "options_some", n=len(found), text=typed)

    def _do_help(self, seat: int, options: Sequence[Any], rest: str) -> None:
        self.write(self.say("help", example=self._example(seat, options)))

    def _example(self, seat: int, options: Sequence[Any]) -> str:
        """Something short that one may type now."""
        texts = [plain(option.text or option.notation) for option in options[:_MOST_EXAMPLES]]
        last = (text.split()[-1] for text in texts if text)
        return next((word for word in last if self._pick(seat, options, word).one is not None), texts[0])

    def _do_options(self, seat: int, options: Sequence[Any], rest: str) -> None:
        found = search(options, rest) if rest else list(options)
        if not found:
            self.paragraph(self.say("options_none", text=rest))
        elif rest:
            self.paragraph(self._fitting(found, rest))
        self.list_options(seat, found, most=500)

    def _do_board(self, seat: int, options: Sequence[Any], rest: str) -> None:
        self._position(seat, options, everything=rest.casefold() in ALL)

    def _do_log(self, seat: int, options: Sequence[Any], rest: str) -> None:
        lines = self.events(seat)
        if lines:
            self.face.tale(self.say("log"), [self.told(line) for line in lines])
        else:
            self.write(self.say("log_empty"))

    def _do_hint(self, seat: int, options: Sequence[Any], rest: str) -> None:
        with self.face.thinking(self.say("thinking_hint")) if self.settings.waits else nullcontext():
            ahead, lines = advice(self.play, seat, self.language, self.say)
        if self.face.live:
            self._menu(seat, options)  # the line above it said what was waited for
        option = self._whole(seat, options, ahead)
        self.paragraph(self.say("hint", option=f"{self.number(seat, option)}  {option.text}".strip()))
        for line in lines:
            self.paragraph(line)

    def _whole(self, seat: int, options: Sequence[Any], ahead: Sequence[int]) -> Any:
        """The option that a hint is about; of several that begin with it the one that goes on as it does."""
        found = [option for option in options if option.index == ahead[0]]
        after = self.play.copy()
        for at, number in enumerate(ahead):
            raw = after.options(seat)[number].raw
            fits = [o for o in found if (o.raw, *o.then)[at : at + 1] in ((raw,), ())]
            if not fits or len(found) == 1:
                break
            found = fits
            after.choose(number)
        return found[0]

    def _do_why(self, seat: int, options: Sequence[Any], rest: str) -> None:
        if not rest:
            self.paragraph(self.say("why_what", example=options[0].text))
            return
        for line in self._why(seat, rest):
            self.write(line)

    def _why(self, seat: int, text: str) -> list[str]:
        fitting = self._pick(seat, self.options(seat), text)
        if fitting.one is not None:
            return [self._offered(seat, fitting.one)]
        if fitting.options:
            called = (self.number(seat, o) or f"`{plain(o.text)}`" for o in fitting.options[:20])
            return [self.say("why_offered_some", n=", ".join(called), text=text)]
        answer = why(self.play, seat, text, self.language)
        head, *rest = answer.lines(self.language)
        # For whoever writes the rules, who may say why with `because:` there; players of a shipped game do not.
        if answer.place and answer.by_default and not is_shipped(answer.place.rpartition(":")[0]):
            head = f"{head}  ({answer.place})"
        return [
            part
            for line in (head, *rest)
            for part in wrap(line, self.settings.columns, subsequent_indent="    ", break_on_hyphens=False)
        ]

    def _offered(self, seat: int, option: Any) -> str:
        number, text = self.number(seat, option), option.text or option.notation
        return self.say("why_offered", n=number, text=text) if number else self.say("why_offered_so", text=text)

    def _do_rules(self, seat: int, options: Sequence[Any], rest: str) -> None:
        if self.book is None:
            configured = self.play.configured
            players = len(self.play.players)
            self.book = readable_chapters(self.play.game, self.language, players, configured.options)
        book = self.book
        if rest:
            self._chapter(seat, book, rest)
            return
        printed = self.screen.printed(seat)
        for line in self.play.game.about(self.language).splitlines():
            self.paragraph(plain(line))
        self.write("")
        self.write(self.say("chapters"))
        for line in self.in_columns([f"{n:>3}  {plain(chapter.title)}" for n, chapter in enumerate(tops_of(book), 1)]):
            self.write(line)
        if printed:
            self.write("")
            self.paragraph(self.say("cards", names=", ".join(printed)))

    def _chapter(self, seat: int, book: Sequence[Chapter], rest: str) -> None:
        """A chapter, or what is printed on cards of this name."""
        found = chapter_of(book, rest)
        for chapter in found:
            self.write("")
            self.write(self.screen.bold(plain(chapter.title)))
            for line in chapter.text.splitlines():
                self.paragraph(plain(line)) if line else self.write("")
        if not found:
            self._do_card(seat, (), rest)

    def _do_card(self, seat: int, options: Sequence[Any], rest: str) -> None:
        """What is printed on a card, and what is shown of it."""
        if not rest:
            self.paragraph(self.say("card_which"))
            return
        printed, word = self.screen.printed(seat), rest.casefold()
        known = self.screen.cards(self.play.view(seat)) | printed
        for cards in (known, self.screen.all_cards(seat)):  # those that nobody sees here are in the game all the same
            found = [title for title in cards if title.casefold() == word] or [t for t in cards if word in t.casefold()]
            for title in found[:_MOST_CARDS]:
                self.paragraph(f"{title}: {cards[title]}" if cards[title] else title)
            if found:
                return
        self.paragraph(self.say("card_none", text=rest))

    def _do_save(self, seat: int, options: Sequence[Any], rest: str) -> None:
        path = Path(rest) if rest else self.settings.save
        if path is not None:
            self.save(path, agreed=not rest)
        elif not self.settings.waits:  # where nobody sits at a terminal no name is thought out
            self.write(self.say("save_where"))
        elif (own := self._own_file()) is not None and self.save(own):
            self.settings.own = own

    def _own_file(self) -> Path | None:
        """Where a play is saved if no place was named: never over another one."""
        if self.settings.own is not None:
            return self.settings.own
        name = self.play.game.name
        paths = (Path(f"{name}{f'-{n}' if n > 1 else ''}{SAVE.endings[-1]}") for n in range(1, _MOST_SAVES))
        found = next((path for path in paths if not path.exists()), None)
        if found is None:
            self.paragraph(self.say("save_where"))
        return found

    def _leave(self) -> None:
        """Leaves; a person at a terminal whose play would be lost is asked first, and may stay."""
        settings = self.settings
        settings.kept = settings.kept or self.saved == len(self.play.decisions)
        if not settings.waits or settings.kept or settings.save is not None or not self.done:
            raise Left
        own = self._own_file()
        if own is None:
            return
        self.paragraph(self.say("quit_asks", file=own))
        typed = self.face.read(self.say("quit_prompt")).strip().casefold()
        if typed in NO:
            raise Left
        if typed not in YES:
            self.paragraph(self.say("quit_stays"))
        elif self.save(own):
            settings.kept = True
            raise Left

    def _do_view(self, seat: int, options: Sequence[Any], rest: str) -> None:
        if not rest:
            self.write(self.say("view_where"))
            return
        try:
            write(place(rest, HANDOUT), as_text(handout(self.play, seat, self.language)))
        except Unwritable as problem:
            self.paragraph(self.say(problem.key, **problem.holes))
            return
        except (OSError, ValueError) as problem:
            self.paragraph(self.say("save_failed", why=getattr(problem, "strerror", None) or str(problem)))
            return
        self.paragraph(self.say("viewed", file=rest, player=self.screen.player(seat)))

    def save(self, path: Path, agreed: bool = False) -> bool:
        """Writes the play to a file, and tells how to go on with it; `agreed` if it was looked at before the play."""
        try:
            write(path if agreed else place(path, SAVE), self.play.save())
        except Unwritable as problem:
            self.paragraph(self.say(problem.key, **problem.holes))
            return False
        except (OSError, ValueError) as problem:
            self.paragraph(self.say("save_failed", why=getattr(problem, "strerror", None) or str(problem)))
            return False
        self.saved = len(self.play.decisions)
        self.write(self.say("saved", file=path, command=self.settings.resume(path)))
        return True
