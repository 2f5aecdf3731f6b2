# SPDX-License-Identifier: Apache-2.0
"""How far the work is, on standard error."""
import sys
import time


class Progress:
    def __init__(self):
        self.terminal = sys.stderr.isatty()
        self.start()

    def show(self, what, done, count):
        now = time.monotonic()
        if now - self.shown < (0.1 if self.terminal else 10) and done < count:
            return
        self.shown = now
        left = (now - self.began) / done * (count - done) if done else 0
        line = f"swp tune: {what} {done} of {count}" + (f", {left:.0f} s left" if done else "")
        print(f"\r{line}\033[K" if self.terminal else line, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def start(self):
        self.began = self.shown = time.monotonic()

    def clear(self):
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
