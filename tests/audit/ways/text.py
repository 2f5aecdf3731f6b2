# SPDX-License-Identifier: Apache-2.0
"""What llvm-mc makes of a text for amdgcn: statements, labels, and the number of waves of a work group.

A statement ends at a line feed or at a carriage return, also inside of a comment that began with `;` or `//`;
a comment between `/*` and `*/` may hold either and ends none.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"/\*.*?\*/|(?:;|//)[^\r\n]*|\r\n|[\r\n]|[^\r\n/;]+|/", re.S)
LABEL = re.compile(r"\s*([A-Za-z_.$][\w.$]*):")


@dataclass
class Program:
    statements: list = field(default_factory=list)  # (line, text) of each instruction
    labels: dict = field(default_factory=dict)  # name: index into statements
    waves: int = 0
    target: str = ""


def split(text):
    """(line, text) of each statement that is not empty."""
    line, began, parts = 1, 1, []
    for token in TOKEN.findall(text) + ["\n"]:
        if token in ("\n", "\r", "\r\n"):
            statement = "".join(parts).strip()
            if statement:
                yield began, statement
            parts = []
        elif token.startswith(("/*", ";", "//")):
            parts.append(" ")
        else:
            began = line if not "".join(parts).strip() else began
            parts.append(token)
        line += token.count("\n")


def parse(text):
    """The instructions of the one kernel of a file, which end where the section of its descriptor begins."""
    program = Program(waves=int(re.search(r"\.max_flat_workgroup_size:\s*(\d+)", text)[1]) // 64,
                      target=re.search(r"--(gfx\w+)", text)[1])
    for line, statement in split(text):
        while label := LABEL.match(statement):
            program.labels[label[1]] = len(program.statements)
            statement = statement[label.end():].strip()
        if statement.startswith(".section"):
            break
        if statement and not statement.startswith("."):
            program.statements.append((line, " ".join(statement.split())))
    return program
