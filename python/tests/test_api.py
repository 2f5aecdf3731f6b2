# SPDX-License-Identifier: Apache-2.0
"""The generated interface against the compiler: sizes, offsets and numbers of all that is public."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT
from swp import _api
from swp._library import lib

STRUCTS = {
    name: each for name, each in vars(_api).items() if isinstance(each, type) and issubclass(each, ctypes.Structure)
}


def test_every_function_is_in_the_library() -> None:
    missing = [name for name in _api.PROTOTYPES if not hasattr(lib, name)]
    assert not missing


def test_structs_and_enumerators_are_what_the_compiler_makes_of_them(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler")
    lines: list[str] = []
    wanted: list[int] = []
    for name, struct in STRUCTS.items():
        # Those without a name of their own are checked as members.
        if name == "Structure" or not is_named(name):
            continue
        lines.append(f"sizeof(struct {name})")
        wanted.append(ctypes.sizeof(struct))
        for field in struct._fields_:
            lines.append(f"offsetof(struct {name}, {field[0].rstrip('_')})")
            wanted.append(getattr(struct, field[0]).offset)
    for name, number in vars(_api).items():
        if name.startswith("SWP_"):
            lines.append(f"(long)({name})")
            wanted.append(number)
    source = tmp_path / "sizes.c"
    body = "".join(f"    (long)({line}),\n" for line in lines)
    source.write_text(
        f"#include <stdio.h>\n#include <swp/swp.h>\nstatic const long numbers[] = {{\n{body}}};\n"
        "int main(void)\n{\n    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)\n"
        '        printf("%ld\\n", numbers[i]);\n}\n'
    )
    program = tmp_path / "sizes"
    subprocess.run([compiler, f"-I{ROOT / 'include'}", source, "-o", program], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert list(zip(lines, map(int, printed.split()))) == list(zip(lines, wanted))
    assert len(STRUCTS) > 100


def is_named(name: str) -> bool:
    """Whether a header says `struct NAME`."""
    return any(f"struct {name} {{" in path.read_text() for path in (ROOT / "include" / "swp").glob("*.h"))
