# SPDX-License-Identifier: Apache-2.0
"""What the tests of `swp audit` share: asking it, expecting an answer, compiling, editing."""

import json
import os
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SWP = os.path.abspath(os.environ.get("SWP", os.path.join(HERE, "..", "..", "build", "dev", "swp")))
CLANG = shutil.which(os.environ.get("CLANG", "clang-22"))
LLVM_MC = shutil.which(os.environ.get("LLVM_MC", "llvm-mc-22"))

failures = []
done = 0


def check(holds, what):
    global done
    done += 1
    if not holds:
        failures.append(what)
    return bool(holds)


def path_of(name):
    return os.path.join(HERE, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def audit(text, *options):
    """(exit status, report, or what stands on standard error) of an assembly text."""
    alone = [] if "--schedule" in options else ["--strict", "--no-cache"]
    result = subprocess.run([SWP, "audit", "-", "--format", "json", *alone, *options], input=text,
                            capture_output=True, text=True, check=False)
    return result.returncode, json.loads(result.stdout) if result.stdout else result.stderr


def expect(answer, text, where, *options):
    """The report, after checks that the answer is this one and the exit status fits."""
    status, report = audit(text, *options)
    if not check(isinstance(report, dict), f"{where}: {report}"):
        return {}
    wanted = 0 if answer in ("no_fault", "proven", "kept") else 1
    check(report["answer"] == answer and status == wanted,
          f"{where}: {report['answer']}, status {status}, wanted {answer}\n  "
          f"{report['findings']}\n  {report.get('hazards')}\n  {report.get('obstacles')}")
    return report


def compile_c(source, target, *options):
    """Assembly of a file, or of a text."""
    with tempfile.TemporaryDirectory() as scratch:
        path = source if source.endswith(".c") else os.path.join(scratch, "kernel.c")
        if path != source:
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
        result = subprocess.run([CLANG, "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-O2",
                                 "-S", "-nogpulib", "-Wall", "-Wextra", "-Werror", *options, path,
                                 "-o", "-"], capture_output=True, text=True, check=False)
    check(result.returncode == 0, f"{path} does not compile\n{result.stderr}")
    return result.stdout


def line_of(text, number):
    return text.splitlines()[number - 1].split(";")[0].strip()


def replace(text, old, new, count=1):
    if not check(old in text, f"there is no {old!r} to edit"):
        return text
    return text.replace(old, new, count)
