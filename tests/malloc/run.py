#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails the n-th allocation of the whole command, libyaml's and jansson's included.

    malloc/run.py SWP

Of the allocations that the same calls lead to the first FIRST fails, and every STEP-th after it; with SWP_FULL each
does. SWP must be built without sanitizers. Each run ends with the answer of an undisturbed one, or with
exit status 2, a diagnostic that memory ran out, no output and no file. `swp solve` shows its answers also
where there is no certificate for them, and ends with status 3 if that is all that memory was short for.
"""

import collections
import errno
import itertools
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, "..", ".."))
FIRST, STEP = (1, 1) if os.environ.get("SWP_FULL") else (1, 32)
WORKERS = max(2, min(8, os.cpu_count() or 2))
# The library's own code, or what the system says where a path was looked at.
OUT_OF_MEMORY = (b"E0001", os.strerror(errno.ENOMEM).encode(), b"or ran out of memory")

# Exit status, whether all later allocations fail too, words. {d} is an empty folder, {json} and
# {text} a schedule.
SWEEPS = (
    (0, False, "compile kernels/pingpong.yaml"),
    (0, False, "compile kernels/fourwave.yaml -o {d}/out"),
    (0, False, "compile tests/malloc/ranges.yaml --set variables.parts=2 -o {d}/out"),
    (0, False, "compile {json} --format json -o {d}/out"),
    (0, False, "emit single_buffer --format dot"),
    (0, False, "emit tests/roles/take_turns.json --format svg -o {d}/out"),
    (0, False, "emit tests/malloc/roles.json --format html -o {d}/out"),
    (0, False, "emit single_buffer --format perfetto -o {d}/out"),
    (0, False, "emit pingpong --format c --prefix GEMM -o {d}/out"),
    (1, False, "emit fourwave --format c"),
    (0, False, "compile pingpong --set schedule.lds_contention_penalty=3 --target mi355x"),
    (0, False, "compile single_buffer --set schedule.sync=derived -o {d}/out"),
    (0, False, "new fresh --from body -o {d}/out"),
    (0, False, "diff single_buffer kernels/single_buffer.yaml --set-b machine.registers=raw"),
    (0, False, "diff tests/malloc/roles.json tests/roles/take_turns.json --format json -o {d}/out"),
    (0, False, "explain single_buffer --format json -o {d}/out"),
    (0, False, "audit tests/audit/two_stage.s --schedule tests/audit/two_stage.json --format json"),
    (0, False, "audit tests/malloc/copies.ptx"),
    (0, False, "run tests/audit/two_stage.json --n 4 --seeds 1 --format json -o {d}/out"),
    (0, False, "run tests/roles/staged_store.json --n 2 --seeds 2 --timing race --format json -o {d}/out"),
    (0, False, "simulate tests/roles/take_turns.json --format json -o {d}/out"),
    (0, False, "explain tests/malloc/roles.json --format json -o {d}/out"),
    (0, False, "solve tests/problems/loop.json --format json -o {d}/out"),
    (0, False, "solve tests/problems/project.json --jobs 2"),
    (2, False, "solve tests/bad_input/solve_cycle.json"),
    (0, False, "solve tests/malloc/refuted.json --certificate {d}/out --format json"),
    (0, False, "compile tests/malloc/holes.yaml --certificate {d}/out"),
    (0, False, "compile tests/malloc/shifts.yaml --certificate {d}/out"),
    (2, False, "compile tests/bad_input/loop_role_choice.yaml"),
    (0, False, "check-certificate tests/problems/loop.json tests/certificates/loop.answer.json "
               "tests/certificates/loop.proof --format json"),
    (1, False, "verify tests/malloc/roles.json --counterexample {d}/out"),
    (1, False, "run tests/malloc/roles.json --n 3 --seeds 4 --timing adversarial --format json -o {d}/out"),
    (0, False, "compile tests/malloc/ring.yaml --format json -o {d}/out"),
    (0, False, "compile tests/malloc/tiles.yaml --format json -o {d}/out"),
    (1, False, "verify tests/malloc/roles.json --accept lost_peer:consumer:prologue:2 --format json -o {d}/out"),
    (1, False, "verify tests/malloc/output_tiles.json --format json -o {d}/out"),
    (1, False, "verify tests/malloc/cluster.json --format json -o {d}/out"),
    (0, False, "list settings"),
    (0, False, "help compile"),
    (1, False, "compile pingpong --set schedule.max_vgpr=95 -o {d}/out"),
    (2, False, "compile tests/malloc/wrong.yaml --diagnostics json"),
    (2, False, "compile tests/bad_input/loop_repeats.yaml"),
    (0, False, "compile tests/bad_input/warn_loop_reads_nothing.yaml -o {d}/out"),
    (2, False, "compile pingpong --set schedule.max_vgpx=1"),
    (2, False, "compile tests/bad_input/range_wrong.yaml"),
    (2, False, "compile tests/bad_input/variables_circle.yaml"),
    (2, False, "compile {broken_json}"),
    (0, True, "compile kernels/single_buffer.yaml --format json -o {d}/out"),
    (2, True, "compile tests/malloc/wrong.yaml"),
    (2, True, "compile {broken_json} -o {d}/out"),
)


def build_shim(folder):
    path = os.path.join(folder, "fail_malloc.so")
    subprocess.run([os.environ.get("CC", "gcc"), "-std=c11", "-O1", "-Wall", "-Wextra", "-shared",
                    "-fPIC", os.path.join(HERE, "fail_malloc.c"), "-o", path, "-ldl"], check=True)
    return path


def timeless(output):
    """Without the seconds that an answer took."""
    return re.sub(rb'"seconds":[^,}]*|\(\d+\.\d+ s\)', b"", output)


class Server:
    """The command under the shim: one process that forks a run for each request."""

    def __init__(self, shim, swp, words, folder):
        self.folder, self.scratch = os.path.join(folder, "d"), folder
        os.makedirs(self.folder)
        self.out, self.err = os.path.join(folder, "out"), os.path.join(folder, "err")
        self.stacks = os.path.join(folder, "stacks")
        self.words = [word.replace("{d}", self.folder) for word in words]
        self.file = next((w for w in self.words if w.startswith(self.folder)), None)
        inner_requests, self.requests = os.pipe()
        self.answers, inner_answers = os.pipe()
        environment = dict(os.environ, LD_PRELOAD=shim, SWP_FAIL_OUT=self.out,
                           SWP_FAIL_ERR=self.err, SWP_FAIL_STACKS=self.stacks, SWP_FAIL_REQUESTS=str(inner_requests),
                           SWP_FAIL_ANSWERS=str(inner_answers))
        self.process = subprocess.Popen([swp, *self.words], cwd=TOP, env=environment,
                                        stdin=subprocess.DEVNULL,
                                        pass_fds=(inner_requests, inner_answers))
        os.close(inner_requests)
        os.close(inner_answers)

    def run(self, request):
        """(status as subprocess gives it, whether the allocation came)"""
        for name in os.listdir(self.folder):
            os.unlink(os.path.join(self.folder, name))
        os.write(self.requests, struct.pack("l", request))
        answer = os.read(self.answers, 2 * struct.calcsize("l"))
        if len(answer) != 2 * struct.calcsize("l"):
            raise RuntimeError(f"the shim ended with status {self.process.wait()}")
        status, reached = struct.unpack("ll", answer)
        return os.waitstatus_to_exitcode(status), bool(reached)

    def printed(self):
        with open(self.out, "rb") as file:
            return timeless(file.read())

    def said(self):
        with open(self.err, "rb") as file:
            return file.read()

    def written(self):
        """The -o file, None where there is none."""
        if self.file is None or not os.path.exists(self.file):
            return None
        with open(self.file, "rb") as file:
            return timeless(file.read())

    def chosen(self):
        """Which allocations to fail, by the calls that led to those of the last undisturbed run; and how many there are."""
        with open(self.stacks, "rb") as file:
            stacks = struct.unpack(f"{os.fstat(file.fileno()).st_size // 8}Q", file.read())
        times, chosen = collections.Counter(), []
        for n, stack in enumerate(stacks, 1):
            if times[stack] < FIRST or (times[stack] - FIRST + 1) % STEP == 0:
                chosen.append(n)
            times[stack] += 1
        return chosen, len(stacks)

    def close(self):
        os.close(self.requests)
        os.close(self.answers)
        return self.process.wait()


class Sweep:
    """The n for one command, shared out among workers."""

    def __init__(self, wanted, fail_on, words):
        self.wanted, self.fail_on, self.words = wanted, fail_on, words
        self.lock, self.failures = threading.Lock(), []
        self.allocations, self.runs, self.refused, self.answered = 0, 0, 0, 0
        self.good = None

    def judge(self, server, status):
        """What is wrong with a run in which an allocation failed, or None; counts it."""
        printed, said, written = server.printed(), server.said(), server.written()
        if status < 0:
            return f"killed by signal {-status}"
        if not any(text in said for text in OUT_OF_MEMORY):
            if status != self.wanted:
                return f"exit status {status}, and does not say that memory ran out"
            self.answered += 1
            return None if (printed, written) == self.good else \
                f"another answer than usual: {len(printed)} bytes, not {len(self.good[0])}"
        self.refused += 1
        uncertified = b"E0827" in said
        if uncertified and (status, printed, written) == (3, self.good[0], None):
            return None
        if printed == self.good[0] and self.words[0] == "solve":
            printed = b""
        if status != 2:
            return f"exit status {status}, although memory ran out"
        if printed or os.listdir(server.folder):
            return f"an output in part: {len(printed)} bytes, files {os.listdir(server.folder)}"
        return None

    def take_share(self, server, chosen, first):
        """Every WORKERS-th of the chosen n, then of those that no undisturbed run came to, until one does not come."""
        beyond = range(self.allocations + 1 + first, 10 ** 7, WORKERS)
        for n in itertools.chain(chosen[first::WORKERS], beyond):
            status, reached = server.run(-n if self.fail_on else n)
            if not reached:
                return
            with self.lock:
                self.runs += 1
                wrong = self.judge(server, status)
                if wrong:
                    self.failures.append((n, wrong, server.said()))

    def run(self, shim, swp, folder):
        servers = [Server(shim, swp, self.words, os.path.join(folder, str(i)))
                   for i in range(WORKERS)]
        for server in servers:
            status, _ = server.run(0)
            if status != self.wanted:
                self.failures.append((0, f"exit status {status}, wanted {self.wanted}",
                                      server.said()))
            self.good = (server.printed(), server.written())
        chosen, self.allocations = servers[0].chosen()
        threads = [threading.Thread(target=self.take_share, args=(server, chosen, i))
                   for i, server in enumerate(servers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if any(server.close() for server in servers) or self.refused == 0:
            self.failures.append((0, "no allocation failed: is the shim loaded?", b""))

    def print(self, name, seconds):
        print(f"malloc: swp {name}{' (all from n on)' if self.fail_on else ''}: "
              f"{self.runs} of {self.allocations} allocations: {self.refused} refusals, {self.answered} answers "
              f"all the same, {len(self.failures)} failures ({seconds:.1f} s)", flush=True)
        for (wrong, said), numbers in self.kinds().items():
            print(f"FAIL {len(numbers)} times, n = {', '.join(map(str, numbers[:5]))}: {wrong}",
                  *("     " + line for line in said), sep="\n")

    def kinds(self):
        """Which n failed in the same way."""
        kinds = {}
        for n, wrong, said in sorted(self.failures):
            lines = tuple(said.decode(errors="replace").splitlines()[:3])
            kinds.setdefault((wrong, lines), []).append(n)
        return kinds


def main(swp):
    with tempfile.TemporaryDirectory() as folder:
        shim = build_shim(folder)
        names = {"json": "schedule.json", "broken_json": "broken.json"}
        paths = {key: os.path.join(folder, name) for key, name in names.items()}
        subprocess.run([swp, "compile", "tests/audit/two_stage.json", "--format", "json", "-o",
                        paths["json"]], cwd=TOP, check=True)
        with open(paths["json"], encoding="utf-8") as good, \
                open(paths["broken_json"], "w", encoding="utf-8") as broken:
            broken.write(good.read().replace('"kernel_deps"', '"kernel_dep"'))
        failures = runs = 0
        for number, (wanted, fail_on, command) in enumerate(SWEEPS):
            begin = time.monotonic()
            words = [word if "{d}" in word else word.format(**paths) for word in command.split()]
            sweep, place = Sweep(wanted, fail_on, words), os.path.join(folder, str(number))
            sweep.run(shim, swp, place)
            sweep.print(command, time.monotonic() - begin)
            failures += len(sweep.failures)
            runs += sweep.runs
            shutil.rmtree(place)
    print(f"malloc: {runs} runs of {len(SWEEPS)} commands, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(os.path.abspath(sys.argv[1])))
