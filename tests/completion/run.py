#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the shells make of `swp completion`: each one that is installed is asked what it offers.

    SWP=path/to/swp tests/completion/run.py

A question is a command line with the cursor at its end; an answer names words that have to be offered, and some that must not.
"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

SWP = os.path.abspath(os.environ["SWP"])

# line, words that are offered, words that are not
QUESTIONS = [
    ("swp ", ["compile", "schema", "check-certificate"], ["--format"]),
    ("swp comp", ["compile", "completion"], ["verify"]),
    ("swp compile --form", ["--format"], ["--prefix", "--set"]),
    ("swp compile --format ", ["text", "json", "dot"], ["mi355x", "loop.yaml"]),
    ("swp compile pingpong --target ", ["mi355x", "sm_90"], ["json"]),
    ("swp compile pingpong --set schedule.max", ["schedule.max_vgpr="], ["pipeline.depth="]),
    ("swp verify ", ["pingpong", "gemm_ws", "loop.yaml"], ["mi355x"]),
    ("swp emit pingpong -o ", ["loop.yaml"], ["pingpong"]),
    ("swp run pingpong --timing ", ["adversarial", "random"], ["pingpong"]),
    ("swp schema ", ["description", "problem"], ["pingpong"]),
    ("swp help che", ["check-certificate"], ["compile"]),
    ("swp completion ", ["bash", "zsh", "fish"], ["pingpong"]),
    ("swp audit kernel.s --", ["--advice", "--schedule", "--format", "--argument", "--grid", "--jobs", "--baseline"], ["--counterexample"]),
    ("swp audit kernel.s --schedule ", ["pingpong", "loop.yaml"], ["mi355x"]),
    ("swp audit ", ["loop.yaml"], ["pingpong"]),
    ("swp schema description --", ["--output"], ["--format", "--target"]),
    ("swp tune ", ["loop.yaml"], ["pingpong"]),
    ("swp calibrate ", ["loop.yaml"], ["pingpong"]),
    ("swp solve ", ["loop.yaml"], ["pingpong"]),
]




def options_of_all():
    """A question for each subcommand: the options that its help lists."""
    first = subprocess.run([SWP, "help"], capture_output=True, text=True, check=True).stdout
    listed = first.split("Subcommands:\n")[1].split("\n\n")[0]
    for subcommand in re.findall(r"^  (\S+)", listed, re.MULTILINE):
        shown = subprocess.run([SWP, "help", subcommand], capture_output=True, text=True, check=True).stdout
        options = re.findall(r"^ {2,6}(?:-\w, +)?(--[a-z-]+)", shown.split("\nOptions:\n")[1].split("\n\n")[0], re.MULTILINE)
        yield f"swp {subcommand} --", options, ["pingpong"]


def offered_by_bash(script, line):
    words = line.split(" ")
    program = (f"source {script}; compopt() {{ :; }}; COMP_WORDS=({' '.join(repr(each) for each in words)}); "
               f"COMP_CWORD={len(words) - 1}; _swp; printf '%s\\n' \"${{COMPREPLY[@]}}\"")  # fmt: skip
    return subprocess.run(["bash", "--norc", "-c", program], capture_output=True, text=True, check=True).stdout.split("\n")


def offered_by_fish(script, line):
    given = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                           capture_output=True, text=True, check=True)  # fmt: skip
    return [each.split("\t")[0] for each in given.stdout.split("\n")]


ZSH_SETUP = """PROMPT=; RPROMPT=; unsetopt ZLE_RPROMPT_INDENT; LISTMAX=10000
autoload -U compinit && compinit -u -D && source {script}
zstyle ':completion:*' format ''; zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' verbose false
unsetopt MENU_COMPLETE AUTO_MENU; setopt LIST_AMBIGUOUS NO_BEEP; bindkey '^Y' list-choices; print READY-$((1 + 1))
"""


class Zsh:
    """An interactive shell at a terminal, which alone completes."""

    def __init__(self, script):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="dumb", COLUMNS="400", LINES="500")
            os.execlp("zsh", "zsh", "-f", "-i")
        self.ask(ZSH_SETUP.format(script=script), "READY-2")

    def ask(self, keys, end, silence=5.0):
        os.write(self.fd, keys.encode())
        text = ""
        until = time.monotonic() + silence
        while end not in text and time.monotonic() < until:
            if select.select([self.fd], [], [], 0.1)[0]:
                text += os.read(self.fd, 65536).decode(errors="replace")
        return text

    def offered(self, line, wanted):
        """Nothing marks the end of a list: where words are missing, it is waited for longer."""
        for silence in (0.15, 1, 5):
            listed = self.ask(f"{line}\x19", "\0", silence)
            self.ask("\x15print READY-$((1 + 1))\n", "READY-2")
            offered = [each for each in listed.replace("--", " --").split() if each not in line.split()]
            if set(wanted) <= set(offered):
                break
        return offered

    def close(self):
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def pseudo_terminals():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def main():
    failures = []
    tested = []
    questions = QUESTIONS + list(options_of_all())
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        open("loop.yaml", "w").close()
        for shell in ("bash", "zsh", "fish"):
            script = os.path.join(scratch, f"swp.{shell}")
            written = subprocess.run([SWP, "completion", shell, "-o", script])
            if written.returncode:
                failures.append(f"swp completion {shell}")
            if not shutil.which(shell):
                print(f"completion: skipped: there is no {shell}")
                continue
            if shell == "zsh" and not pseudo_terminals():
                print("completion: skipped: zsh needs a pseudo-terminal, and there is none (is /dev/pts mounted?)")
                continue
            zsh = Zsh(script) if shell == "zsh" else None
            ask = {"bash": lambda line: offered_by_bash(script, line), "fish": lambda line: offered_by_fish(script, line),
                   "zsh": lambda line: zsh.offered(line, wanted)}[shell]  # fmt: skip
            for line, wanted, unwanted in questions:
                offered = ask(line)
                missing = [each for each in wanted if each not in offered]
                wrong = [each for each in unwanted if each in offered]
                if missing or wrong:
                    failures.append(f"{shell}: `{line}`: misses {missing}, offers {wrong}: {offered[:40]}")
            if zsh:
                zsh.close()
            tested.append(shell)
    for each in failures:
        print("FAIL", each)
    print(f"completion: {len(questions)} questions to {', '.join(tested)}, {len(failures)} failed")
    # ctest names it where a shell could not be asked.
    sys.exit(1 if failures else 77 if len(tested) < 3 else 0)


main()
