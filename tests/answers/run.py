#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run.py [--freeze [FILE]...]
       run.py --other PROGRAM KIND SEED FIRST [COUNT] [--read]

Compares what the proof says of random programs with what it said of them before. frozen.txt has a digest for each block of
100 programs: of the programs, of the whole sets of hazards, and of the sets once the first hazard is accepted, then
the next, until none is left. A sample of the blocks is computed anew; SWP_FULL takes all, SWP_SEED another sample,
SWP_BLOCKS=N that many of each kind.

--other shows side by side the lines that differ from those of another build of the same program, tests/answers in its
folder. With --read this build judges the programs that the other one makes. --freeze writes frozen.txt, from the
program's lines where FILEs have them. The program is ANSWERS, or tests/answers beside SWP.
"""
import collections
import hashlib
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
FROZEN = HERE / "frozen.txt"
SWP = Path(os.environ.get("SWP", TOP / "build/release/swp")).resolve()
ANSWERS = Path(os.environ.get("ANSWERS", SWP.parent / "tests/answers")).resolve()
BLOCK = 100
SEEDS = (101, 102)
PROGRAMS = {"flat": 4000, "roles": 1000}
SAMPLE = {"flat": 3, "roles": 1}  # blocks
LEAST = 100  # programs with each trait
FLAT_TRAITS = ("lag managed raw_registers scoreboard fenced_barrier raw_barrier one_wave straight_list counter_wraps "
               "counter_stalls counter_grows tail prologue_read_unused fragment_unobserved").split()
ROLE_TRAITS = "straight_list output_tiles cluster".split()
COLUMNS = ("the programs", "the sets of hazards", "the sets behind accepted hazards")


def lines_of(program, kind, seed, first, count, mode="accept"):
    """Those of programs `first` … of a seed."""
    command = [program, kind, str(seed), str(first), str(count), mode]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout.splitlines()


class Answer:
    """A line: number, hash, traits, verdict and hazards, and behind each `|` those after one more acceptance."""

    def __init__(self, line):
        number, self.program, traits, answers = line.split(" ", 3)
        self.number, self.traits, self.line = int(number), traits.split(","), line
        self.sets, _, self.accepted = answers.partition(" | ")

    def is_open(self):
        """Whether some proof of it came to no end."""
        return "undecided" in self.sets, "undecided" in self.sets + self.accepted


def digest(texts):
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def digests(answers, left_out):
    """Of a block; `left_out` has the numbers of programs that one of the last two columns does not count."""
    sets, accepted = left_out
    return (digest(f"{a.number} {a.program}" for a in answers),
            digest(f"{a.number} {a.sets}" for a in answers if a.number not in sets),
            digest(f"{a.number} {a.accepted}" for a in answers if a.number not in accepted))


# --- The file ---


class Frozen:
    """blocks[kind, seed, first]: digests; left_out[kind, seed]: numbers for each of the last two columns."""

    def __init__(self):
        self.blocks = {}
        self.left_out = collections.defaultdict(lambda: (set(), set()))
        self.traits = collections.Counter()

    @staticmethod
    def read():
        frozen = Frozen()
        for line in FROZEN.read_text().splitlines():
            word, *rest = line.split()
            if word == "block":
                frozen.blocks[rest[0], int(rest[1]), int(rest[2])] = tuple(rest[3:])
            elif word in ("open", "open_behind"):
                numbers = frozen.left_out[rest[0], int(rest[1])][word == "open_behind"]
                numbers.update(map(int, rest[2:]))
            elif word == "trait":
                frozen.traits[rest[0], int(rest[1]), rest[2]] = int(rest[3])
        return frozen

    def add(self, kind, seed, answers):
        """Blocks of one seed, all of them or some."""
        out = self.left_out[kind, seed]
        for a in answers:
            for column, is_open in zip(out, a.is_open()):
                if is_open:
                    column.add(a.number)
            self.traits.update((kind, seed, trait) for trait in a.traits)
        for at in range(0, len(answers), BLOCK):
            block = answers[at:at + BLOCK]
            self.blocks[kind, seed, block[0].number] = digests(block, out)

    def write(self):
        rows = ["# SPDX-License-Identifier: Apache-2.0",
                "# What the proof says of random programs: tests/answers/run.py reads and writes this.",
                "# trait KIND SEED TRAIT PROGRAMS; open KIND SEED NUMBER...: programs of which a proof came to no end",
                "# block KIND SEED FIRST PROGRAMS SETS SETS_BEHIND: digests of 100 programs"]
        rows += [f"trait {kind} {seed} {trait} {count}" for (kind, seed, trait), count in sorted(self.traits.items())
                 if trait != "-"]
        for (kind, seed), columns in sorted(self.left_out.items()):
            for word, numbers in zip(("open", "open_behind"), columns):
                rows += [" ".join(map(str, [word, kind, seed] + sorted(numbers)[at:at + 16]))
                         for at in range(0, len(numbers), 16)]
        rows += [" ".join(map(str, ("block", *key, *value))) for key, value in sorted(self.blocks.items())]
        FROZEN.write_text("\n".join(rows) + "\n")


# --- What the command does ---


def blocks_of(keys):
    """The answers of blocks, in order, a block a process."""
    def answers(key):
        return [Answer(line) for line in lines_of(ANSWERS, *key, BLOCK)]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from zip(keys, pool.map(answers, keys))


def all_keys():
    return [(kind, seed, first) for kind, count in PROGRAMS.items() for seed in SEEDS
            for first in range(0, count, BLOCK)]


def freeze(files):
    frozen = Frozen()
    by_seed = collections.defaultdict(list)
    if files:
        for file in files:
            kind, seed = Path(file).name.split(".")[:2]
            by_seed[kind, int(seed)] += [Answer(line) for line in Path(file).read_text().splitlines()]
    else:
        for (kind, seed, _), answers in blocks_of(all_keys()):
            by_seed[kind, seed] += answers
    for (kind, seed), answers in by_seed.items():
        frozen.add(kind, seed, sorted(answers, key=lambda a: a.number))
    frozen.write()


def sample(frozen):
    """The keys of the blocks to compare."""
    keys = sorted(frozen.blocks)
    if os.environ.get("SWP_FULL"):
        return keys
    seed = int(os.environ.get("SWP_SEED", "1"))
    print(f"SWP_SEED={seed}")
    dice = random.Random(seed)
    chosen = []
    for kind, standard in SAMPLE.items():
        count = int(os.environ.get("SWP_BLOCKS", standard))
        of_kind = [key for key in keys if key[0] == kind]
        chosen += sorted(dice.sample(of_kind, min(count, len(of_kind))))
    return chosen


def too_few(frozen):
    """Traits that the corpus has too few programs of."""
    return [f"{count} programs of {kind} have the trait {trait}, fewer than {LEAST}"
            for kind, traits in (("flat", FLAT_TRAITS), ("roles", ROLE_TRAITS)) for trait in traits
            for count in [sum(frozen.traits[kind, seed, trait] for seed in SEEDS)] if count < LEAST]


def compare():
    frozen = Frozen.read()
    faults = too_few(frozen)
    for fault in faults:
        print(fault)
    keys = sample(frozen)
    differ = 0
    for key, answers in blocks_of(keys):
        kind, seed, first = key
        now = digests(answers, frozen.left_out[kind, seed])
        names = [name for name, old, new in zip(COLUMNS, frozen.blocks[key], now) if old != new]
        differ += bool(names)
        if names and differ == 1:
            print(f"{' and '.join(names)} of block {kind} {seed} {first} differ from the frozen ones; "
                  f"`{sys.argv[0]} --other OLD/tests/answers {kind} {seed} {first}` shows which,\n"
                  "where OLD is a build of the commit that froze them")
    print(f"{len(keys)} blocks of {BLOCK} programs, of which {differ} differ from the frozen answers")
    return 1 if differ or faults else 0


def show(old, new):
    """One program that the two builds answer otherwise."""
    if old.program != new.program:
        print(f"{old.number}: another program")
    for name, a, b in (("sets", old.sets, new.sets), ("behind", old.accepted, new.accepted)):
        if a == b:
            continue
        print(f"{old.number} {','.join(old.traits)}: {name}")
        olds, news = (text.split(" | ") for text in (a, b))
        for row in range(max(len(olds), len(news))):
            left, right = (rows[row] if row < len(rows) else "none" for rows in (olds, news))
            if left != right:
                print(f"  accepted {row + (name == 'behind')}:")
                only = [h for h in left.split() if h not in right.split()]
                more = [h for h in right.split() if h not in left.split()]
                for at in range(max(len(only), len(more))):
                    print(f"    {only[at] if at < len(only) else '':<60} {more[at] if at < len(more) else ''}")


def compare_with(other, kind, seed, first, count, reads):
    olds = lines_of(other, kind, seed, first, count)
    if reads:
        programs = "".join(line + "\n" for line in lines_of(other, kind, seed, first, count, "programs"))
        done = subprocess.run([ANSWERS, "read", "accept"], input=programs, capture_output=True, check=False, text=True)
        print(done.stderr, end="")  # of those that no file can hold
        news = {int(line.split()[0]) + int(first): line for line in done.stdout.splitlines()}
    else:
        news = {int(line.split()[0]): line for line in lines_of(ANSWERS, kind, seed, first, count)}
    differ = 0
    for old in map(Answer, olds):
        if old.number not in news:
            continue
        new = Answer(news[old.number])
        if (old.program, old.sets, old.accepted) != (new.program, new.sets, new.accepted):
            differ += 1
            show(old, new)
    print(f"{differ} of {len(news)} programs differ")
    return 1 if differ else 0


def main(words):
    reads = "--read" in words
    words = [word for word in words if word != "--read"]
    if words[:1] == ["--freeze"]:
        return freeze(words[1:])
    if words[:1] == ["--other"] and 5 <= len(words) <= 6:
        return compare_with(*words[1:5], words[5] if len(words) > 5 else BLOCK, reads)
    if words:
        raise SystemExit(__doc__)
    return compare()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
