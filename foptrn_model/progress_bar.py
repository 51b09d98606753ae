"""How far a command is, on stderr: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time

from foptrn_model.text import duration, group_digits

BAR = 30
TELL_S = 0.1
"""A bar is drawn at most this often."""


class ProgressBar:
    """Called with what is being done, how much of it is done, and how much there is.

    Where nobody watches, a line is written when ``what`` changes, and at every
    further tenth if ``tenths``.
    """

    def __init__(self, noun: str, *, tenths: bool = False) -> None:
        self.noun, self.tenths = noun, tenths
        self._started = time.monotonic()
        self._said, self._first, self._drawn = ("", -1), -1, 0.0

    def __call__(self, what: str, done: int, of: int) -> None:
        if self._first < 0:
            self._first = done  # what an earlier start has done says nothing of the speed
        now = time.monotonic()
        spent, new = now - self._started, done - self._first
        left = f", {duration(spent / new * (of - done), 2)} left" if new > 0 and done < of else ""
        line = f"{group_digits(done)} of {group_digits(of)} {self.noun}{left}"
        if sys.stderr.isatty():
            if now - self._drawn > TELL_S or done == of:
                filled = "#" * round(BAR * done / of)
                sys.stderr.write(f"\r[{filled:<{BAR}}] {line}  {what}\033[K")
                sys.stderr.flush()
                self._drawn = now
            return
        here = (what, 10 * done // of if self.tenths else 0)
        if here != self._said:
            sys.stderr.write(f"{line}{f': {what}' if what else ''}\n")
            sys.stderr.flush()
            self._said = here
