#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/lint/layers.py takes a tree that keeps to its layers, and refuses each kind of fault planted in it."""

import functools
import os
import subprocess
import sys
import tempfile
import time

LINT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "lint", "layers.py")
ROOTS = ("src", "include", "cli", "tests/judges", "tests/support")

RIGHT = {
    "include/swp/a.h": "#define SWP_API\nSWP_API int swp_public(void);\n",
    "src/LAYERS": "layer include:swp_\nlayer low:swp_low_\nlayer judge:swp_judge_ maker:swp_maker_\nlayer top:swp_top_\n"
                  "never judge: maker\nnever top: low/secret*\n"
                  "never tests/judges: maker low/secret\nnever cli: src\n",
    "src/low/low.h": "struct swp_low { int a; };\nint swp_low_value(void);\n",
    "src/low/low.c": '#include "low/low.h"\nint swp_low_value(void) { return 1; }\n',
    "src/low/secret.h": "int swp_low_secret(void);\n",
    "src/low/words.c": "struct reader { int a; };\n",
    "src/maker/words.c": "struct reader { int b; };\n",
    "src/low/secret.c": '#include "low/secret.h"\nint swp_low_secret(void) { return 2; }\n',
    "src/judge/judge.c": '#include "low/low.h"\n#include "low/secret.h"\nint swp_public(void);\n'
                         'int swp_public(void) { return swp_low_value() + swp_low_secret(); }\n',
    "src/maker/maker.h": "int swp_maker_make(void);\n",
    "src/maker/maker.c": '#include "maker/maker.h"\nint swp_maker_make(void) { return 3; }\n',
    "cli/cli.c": '#include "swp/a.h"\nint cli_run(void);\nint cli_run(void) { return swp_public(); }\n',
    "tests/judges/flat.c": '#include "low/low.h"\n#include "swp/a.h"\nint flat(void);\n'
                           'int flat(void) { return swp_low_value() + swp_public(); }\n',
    "tests/support/fixture.h": "int fixture(void);\n",
    "src/top/top.c": '#include "maker/maker.h"\nint swp_top_run(void);\nint swp_top_run(void) { return swp_maker_make(); }\n',
    "tests/unit/test_top.c": "int swp_top_run(void);\nint main(void) { return swp_top_run(); }\n",
}

# What is planted, the sources that it replaces or adds, and what the lint must say of it.
FAULTS = [
    ("an include from below", {"src/low/low.h": '#include "maker/maker.h"\nint swp_low_value(void);\n'},
     "src/low/low.h includes src/maker/maker.h"),
    ("an include from beside", {"src/judge/more.h": '#include "maker/maker.h"\n'},
     "src/judge/more.h includes src/maker/maker.h"),
    ("a call from below", {"src/low/low.c": "int swp_maker_make(void);\nint swp_low_value(void);\n"
                                            "int swp_low_value(void) { return swp_maker_make(); }\n"},
     "src/low/low.c calls swp_maker_make"),
    ("a way to what must not be reached", {"src/low/low.h": '#include "low/secret.h"\nint swp_low_value(void);\n',
                                           "src/top/top.c": '#include "low/low.h"\n'},
     "top must not reach src/low/secret.h <- src/low/low.h <- src/top/top.c"),
    ("a call of what must not be reached", {"src/judge/judge.c": "int swp_maker_make(void);\nint swp_public(void);\n"
                                                                 "int swp_public(void) { return swp_maker_make(); }\n"},
     "judge must not reach src/maker/maker.c <- src/judge/judge.c"),
    ("a weak call from below", {"src/low/low.c": "int swp_maker_make(void) __attribute__((weak));\n"
                                                 "int swp_low_value(void);\n"
                                                 "int swp_low_value(void) { return swp_maker_make(); }\n"},
     "src/low/low.c calls swp_maker_make"),
    ("an include of a list", {"src/low/list.inc": '#include "maker/maker.h"\n', "src/low/low.h": '#include "low/list.inc"\n'
                                                                                 "int swp_low_value(void);\n"},
     "src/low/low.h includes src/low/list.inc, which is neither"),
    ("an include by macro", {"src/low/more.h": '#define UP "maker/maker.h"\n#include UP\n'},
     "src/low/more.h includes what a macro says"),
    ("an include behind a string that looks like a comment",
     {"src/low/low.h": 'static const char *const open = "/*";\n#include "maker/maker.h"\n'
                       'static const char *const shut = "*/";\nint swp_low_value(void);\n'},
     "src/low/low.h includes src/maker/maker.h"),
    ("an include without a blank", {"src/low/low.h": '#include"maker/maker.h"\nint swp_low_value(void);\n'},
     "src/low/low.h includes src/maker/maker.h"),
    ("an include in two lines", {"src/low/low.h": '#inc\\\nlude "maker/maker.h"\nint swp_low_value(void);\n'},
     "src/low/low.h includes src/maker/maker.h"),
    ("an include of what is private by a public header",
     {"include/swp/a.h": '#define SWP_API\n#include "low/secret.h"\nSWP_API int swp_public(void);\n'},
     "include/swp/a.h includes src/low/secret.h"),
    ("a file of a pattern", {"src/low/secrets.h": "int swp_low_secrets(void);\n",
                             "src/top/top.c": '#include "low/secrets.h"\n'},
     "top must not reach src/low/secrets.h <- src/top/top.c"),
    ("a judge's way by its own header", {"tests/judges/way.h": '#include "maker/maker.h"\n',
                                         "tests/judges/flat.c": '#include "way.h"\n'},
     "tests/judges must not reach src/maker/maker.h <- tests/judges/way.h"),
    ("a judge's way by a header of support", {"tests/support/fixture.h": '#include "maker/maker.h"\n',
                                              "tests/judges/flat.c": '#include "fixture.h"\n'},
     "tests/judges must not reach src/maker/maker.h <- tests/support/fixture.h <- tests/judges/flat.c"),
    ("a judge's call", {"tests/judges/flat.c": "int swp_maker_make(void);\nint flat(void) { return swp_maker_make(); }\n"},
     "tests/judges must not reach src/maker/maker.c <- tests/judges/flat.c"),
    ("a judge's call by a function that it may call",
     {"tests/judges/flat.c": "int swp_top_run(void);\nint flat(void) { return swp_top_run(); }\n"},
     "tests/judges must not reach src/maker/maker.c <- src/top/top.c <- tests/judges/flat.c"),
    ("an include of the command's", {"cli/cli.c": '#include "low/low.h"\n'},
     "cli must not reach src/low/low.h <- cli/cli.c"),
    ("a call of the command's", {"cli/cli.c": "int swp_low_value(void);\nint cli_run(void) { return swp_low_value(); }\n"},
     "cli must not reach src/low/low.c <- cli/cli.c"),
    ("a use of the command", {"cli/cli.h": "int cli_run(void);\n", "src/top/more.h": '#include "cli.h"\n'},
     "src/top/more.h includes cli/cli.h"),
    ("an include by a digraph", {"src/low/low.h": '%:include "maker/maker.h"\nint swp_low_value(void);\n'},
     "src/low/low.h includes src/maker/maker.h"),
    ("an include by a trigraph", {"src/low/low.h": '??=include "maker/maker.h"\nint swp_low_value(void);\n'},
     "src/low/low.h includes src/maker/maker.h"),
    ("an include in two lines by a trigraph", {"src/low/low.h": '#inc??/\nlude "maker/maker.h"\nint swp_low_value(void);\n'},
     "src/low/low.h includes src/maker/maker.h"),
    ("a header of no layer", {"tests/unit/way.h": "int way;\n", "tests/judges/flat.c": '#include "../unit/way.h"\n'},
     "tests/judges/flat.c includes tests/unit/way.h, which is neither"),
    ("a call by a header's function that others use",
     {"src/low/more.h": "int swp_maker_make(void);\nstatic inline int swp_low_more(void) { return swp_maker_make(); }\n",
      "src/top/more.c": '#include "low/more.h"\nint swp_top_run(void);\nint swp_top_run(void) { return swp_low_more(); }\n',
      "src/top/top.c": "int swp_top_x;\n", "tests/unit/test_top.c": "extern int swp_top_x;\nint x(void) { return swp_top_x; }\n"},
     "src/low/more.h calls swp_maker_make of src/maker/maker.c, which is not above it"),
    ("a call by a header's macro", {"src/low/more.h": "#define SWP_LOW_MORE() \\\n    swp_maker_make()\n"},
     "src/low/more.h calls swp_maker_make of src/maker/maker.c, which is not above it"),
    ("a call by a header's macro of another's", {"src/low/more.h": "#define SWP_LOW_MORE SWP_MAKER_ALL\n",
                                                 "src/maker/more.h": "#define SWP_MAKER_ALL 1\n"},
     "src/low/more.h calls SWP_MAKER_ALL of src/maker/more.h, which is not above it"),
    ("a way by a header's function",
     {"tests/judges/more.h": "int swp_maker_make(void);\nstatic inline int more(void) { return swp_maker_make(); }\n"},
     "tests/judges must not reach src/maker/maker.c <- tests/judges/more.h"),
    ("an include of a template", {"src/low/list.c.in": '#include "maker/maker.h"\nint swp_low_list;\n'},
     "src/low/list.c.in includes src/maker/maker.h"),
    ("a call of a template", {"src/low/list.c.in": "int swp_maker_make(void);\nint list(void);\n"
                                                   "int list(void) { return swp_maker_make(); }\n"},
     "src/low/list.c.in calls swp_maker_make of src/maker/maker.c"),
    ("a local tag twice in a folder", {"src/top/one.c": "struct finder { int a; };\n",
                                       "src/top/other.c": "struct finder { int b; };\n"},
     "the tag finder names a type in each of"),
    ("a local tag in a header", {"src/top/one.c": "struct finder { int a; };\n",
                                 "src/maker/more.h": "struct finder { int b; };\n"},
     "the tag finder names a type in each of"),
    ("the name of a type twice", {"src/top/more.h": "typedef struct { int b; } swp_low;\n"},
     "the tag swp_low names a type in each of"),
    ("the name of a type twice, behind an attribute",
     {"src/top/more.h": "typedef struct { int b; } __attribute__((packed)) swp_low;\n"}, "the tag swp_low names a type in each of"),
    ("the name of a type twice, of a pointer", {"src/top/more.h": "typedef struct { struct { int b; } c; } *swp_low;\n"},
     "the tag swp_low names a type in each of"),
    ("the name of a type twice, as a second name", {"src/top/more.h": "typedef struct { int b[2]; } swp_top, swp_low[3];\n"},
     "the tag swp_low names a type in each of"),
    ("the name of a type twice, of a number", {"src/top/more.h": "typedef int swp_low;\n"},
     "the tag swp_low names a type in each of"),
    ("the name of a type twice, of a function", {"src/top/more.h": "typedef int (*swp_low)(int (*)(void), int);\n"},
     "the tag swp_low names a type in each of"),
    ("a tag twice behind an attribute", {"src/top/more.h": "struct __attribute__((aligned(8))) swp_low { int b; };\n"},
     "the tag swp_low names a type in each of"),
    ("a tag twice behind a macro", {"src/top/more.h": "#define PACKED\nstruct PACKED swp_low { int b; };\n"},
     "the tag swp_low names a type in each of"),
    ("a tag twice by a judge", {"tests/judges/more.h": "struct swp_low { int b; };\n"},
     "the tag swp_low names a type in each of"),
    ("a tag twice", {"src/top/more.h": "struct swp_low { int b; };\n"}, "the tag swp_low names a type in each of"),
    ("a name without prefix", {"src/low/low.c": "int swp_low_value(void) { return 1; }\nint swp_other(void) { return 1; }\n"},
     "src/low/low.c exports swp_other"),
    ("a name that nobody links", {"src/low/low.c": "int swp_low_value(void) { return 1; }\nint swp_low_old(void) { return 1; }\n"},
     "src/low/low.c exports swp_low_old, which no other file links"),
    ("a name that its own file alone uses",
     {"src/low/low.c": "int swp_low_one(void) { return 1; }\nint swp_low_value(void) { return swp_low_one(); }\n"},
     "src/low/low.c exports swp_low_one, which no other file links"),
    ("a call of what is only for reference", {"include/swp/reference.h": "SWP_API int swp_public(void);\n",
                                              "src/top/top.c": "int swp_public(void);\nint swp_top_run(void);\n"
                                                               "int swp_top_run(void) { return swp_public(); }\n"},
     "src/top/top.c calls swp_public, of which"),
    ("a `never` of what is not there", {"src/LAYERS": RIGHT["src/LAYERS"] + "never top: low/secert\n"},
     "src/LAYERS names low/secert in a `never`"),
    ("a folder of no layer", {"src/attic/old.c": "int swp_attic_x;\n"}, "src/attic is on no line"),
    ("a layer without sources", {"src/LAYERS": RIGHT["src/LAYERS"] + "layer gone:swp_gone_\n"}, "has gone"),
]


@functools.cache
def compiled(name, text, headers):
    """The object of a source beside these headers."""
    with tempfile.TemporaryDirectory() as tree:
        write(tree, dict([*headers, (name, text)]))
        subprocess.run(["cc", "-w", "-std=c11", "-x", "c", *(f"-I{root}" for root in ROOTS), "-c", name, "-o", "made.o"],
                       check=True, cwd=tree)
        with open(os.path.join(tree, "made.o"), "rb") as file:
            return file.read()


def write(tree, files):
    for name, content in files.items():
        path = os.path.join(tree, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())


# The files that are written after what they name was compiled, and what the lint must say.
STALE = [
    ("a source newer than its object", "src/low/low.c", "src/low/low.c is to be compiled again: src/low/low.c is newer"),
    ("a header newer than an object", "src/low/low.h",
     "src/judge/judge.c is to be compiled again: src/low/low.h is newer than its object; so are 2 more"),
    ("a source without an object", "src/low/new.c", "src/low/new.c is to be compiled again: src/low/new.c is newer"),
]


def lint(files, late=None):
    """The lint's exit status and what it prints of a tree of these files, one of them written late."""
    with tempfile.TemporaryDirectory() as tree:
        build = os.path.join(tree, "build")
        write(tree, files)
        headers = tuple((name, text) for name, text in files.items() if not name.endswith((".c", ".c.in")))
        write(build, {name.removesuffix(".in") + ".o": compiled(name, text, headers)
                      for name, text in files.items() if name.endswith((".c", ".c.in"))})
        if late:
            with open(os.path.join(tree, late), "a", encoding="utf-8"):
                os.utime(os.path.join(tree, late), (time.time() + 10,) * 2)
        result = subprocess.run([sys.executable, LINT, build, tree], capture_output=True, text=True, check=False)
        return result.returncode, result.stdout + result.stderr


def main():
    failed = 0
    cases = [("nothing", {}, None, "0 faults", 0)]
    cases += [(what, files, None, said, 1) for what, files, said in FAULTS]
    cases += [(what, {}, late, said, 1) for what, late, said in STALE]
    for what, files, late, said, status in cases:
        got, output = lint({**RIGHT, **files}, late)
        if got != status or said not in output:
            failed += 1
            print(f"{what} planted: status {got}, expected {status} and `{said}`:\n{output}")
    print(f"{len(cases)} trees, {failed} judged wrongly")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
