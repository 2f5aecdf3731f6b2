#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Python module of the C interface: enumerators, structs and prototypes of all public headers.

usage: generate_api.py CC INCLUDE_DIR SONAME OUTPUT.py

The headers are preprocessed by the compiler, so that their tables are expanded, and parsed by pycparser; nothing is
said twice. What the output says of a type is what the compiler says of it, which tests/test_api.py checks.
"""

import keyword
import subprocess
import sys

from pycparser import c_ast, c_parser

# What glibc's headers have that is not C11, and the constant expressions of <stdint.h> that are.
NOT_C11 = [
    "-D__attribute__(x)=", "-D__extension__=", "-D__inline=", "-D__restrict=", "-D__asm__(x)=",
    "-D__builtin_va_list=void *", "-D_Float128=double", "-D_Noreturn=", "-U__SIZEOF_FLOAT128__",
]  # fmt: skip

SCALARS = {
    "_Bool": "c_bool", "char": "c_char", "int": "c_int", "unsigned int": "c_uint", "long": "c_long",
    "long int": "c_long", "unsigned long": "c_ulong", "long unsigned int": "c_ulong", "double": "c_double",
    "int64_t": "c_int64", "uint64_t": "c_uint64", "size_t": "c_size_t", "int32_t": "c_int32",
    "uint32_t": "c_uint32", "uint8_t": "c_uint8", "unsigned char": "c_ubyte", "void": "None",
}  # fmt: skip

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The C interface of libswp, generated from its headers. Not for use by others than the package."""

from __future__ import annotations

from ctypes import (
    CDLL, CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_long, c_size_t,
    c_ubyte, c_uint, c_uint8, c_uint32, c_uint64, c_ulong, c_void_p,
)
from typing import Any

'''


def preprocess(compiler: str, include: str) -> str:
    command = [compiler, "-E", "-P", "-std=c11", *NOT_C11, f"-I{include}", "-xc", "-"]
    return subprocess.run(command, input="#include <swp/swp.h>\n", check=True, capture_output=True, text=True).stdout


def element(node: c_ast.Node) -> c_ast.Node:
    """The type behind arrays."""
    while isinstance(node, (c_ast.ArrayDecl, c_ast.TypeDecl)):
        node = node.type
    return node


class Module:
    """What is public of the headers, in their order."""

    def __init__(self, tree: c_ast.FileAST):
        self.typedefs: dict[str, c_ast.Node] = {}
        self.structs: dict[str, list[c_ast.Decl]] = {}
        self.constants: dict[str, int] = {}
        self.functions: dict[str, c_ast.FuncDecl] = {}
        for node in tree.ext:
            self.add(node)

    def add(self, node: c_ast.Node) -> None:
        if isinstance(node, c_ast.Typedef):
            self.typedefs[node.name] = node.type
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl) and node.name.startswith("swp_"):
            self.functions[node.name] = node.type
        self.add_definition(node.type if isinstance(node, (c_ast.Typedef, c_ast.Decl)) else node)

    def add_definition(self, node: c_ast.Node) -> None:
        inner = node.type if isinstance(node, c_ast.TypeDecl) else node
        if isinstance(inner, c_ast.Enum) and inner.values:
            self.add_enumerators(inner.values.enumerators)
        if isinstance(inner, c_ast.Struct) and inner.decls and (inner.name or "").startswith("swp_"):
            self.add_struct(inner)

    def add_struct(self, struct: c_ast.Struct) -> None:
        """A struct without a name, of a member, is called by its place."""
        for member in struct.decls:
            inner = element(member.type)
            if isinstance(inner, c_ast.Struct) and inner.decls:
                inner.name = inner.name or f"{struct.name}_{member.name}"
                self.add_struct(inner)
        self.structs[struct.name] = struct.decls

    def add_enumerators(self, enumerators: list[c_ast.Enumerator]) -> None:
        following = 0
        for each in enumerators:
            number = self.evaluate(each.value) if each.value else following
            self.constants[each.name] = number
            following = number + 1

    def evaluate(self, node: c_ast.Node) -> int:
        if isinstance(node, c_ast.Constant):
            return int(node.value.rstrip("uUlL"), 0)
        if isinstance(node, c_ast.ID):
            return self.constants[node.name]
        if isinstance(node, c_ast.UnaryOp) and node.op == "-":
            return -self.evaluate(node.expr)
        if isinstance(node, c_ast.Cast):
            return self.evaluate(node.expr)
        if isinstance(node, c_ast.BinaryOp):
            left, right = self.evaluate(node.left), self.evaluate(node.right)
            return {"+": left + right, "-": left - right, "*": left * right, "<<": left << right}[node.op]
        raise NotImplementedError(f"an enumerator or a size is {node}")

    def ctype(self, node: c_ast.Node) -> str:
        """The ctypes expression of a type."""
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self.ctype(node.type)} * {self.evaluate(node.dim)}"
        if isinstance(node, c_ast.PtrDecl):
            return self.pointer(node.type)
        if isinstance(node, c_ast.TypeDecl):
            return self.named(node.type)
        raise NotImplementedError(f"a type is {node}")

    def pointer(self, target: c_ast.Node) -> str:
        if isinstance(target, c_ast.FuncDecl):
            return self.callback(target)
        inner = self.ctype(target)
        if inner == "c_char":
            return "c_char_p"
        return "c_void_p" if inner in ("None", "OPAQUE") else f"POINTER({inner})"

    def named(self, node: c_ast.Node) -> str:
        if isinstance(node, c_ast.Enum):
            return "c_int"
        if isinstance(node, c_ast.Struct):
            return node.name if node.name in self.structs else "OPAQUE"
        name = " ".join(node.names)
        if name in SCALARS:
            return SCALARS[name]
        target = self.typedefs[name]
        if isinstance(target, c_ast.FuncDecl):
            return "OPAQUE"
        return self.ctype(target) if name.startswith("swp_") else "OPAQUE"

    def callback(self, function: c_ast.FuncDecl) -> str:
        return f"CFUNCTYPE({', '.join([self.result(function), *self.arguments(function)])})"

    def result(self, function: c_ast.FuncDecl) -> str:
        return self.ctype(function.type)

    def arguments(self, function: c_ast.FuncDecl) -> list[str]:
        declared = function.args.params if function.args else []
        types = [self.argument(each.type) for each in declared if not isinstance(each, c_ast.EllipsisParam)]
        return [] if types == ["None"] else types

    def argument(self, node: c_ast.Node) -> str:
        """An array as an argument is a pointer."""
        return self.pointer(node.type) if isinstance(node, c_ast.ArrayDecl) else self.ctype(node)


ANNOTATIONS = {"c_bool": "bool", "c_double": "float", "c_char_p": "bytes | None"}


def annotation(ctype: str) -> str:
    """What reading a member gives, for type checkers."""
    if ctype in ANNOTATIONS:
        return ANNOTATIONS[ctype]
    if ctype.startswith("c_") and " * " not in ctype and ctype != "c_void_p":
        return "int"
    return ctype if ctype.startswith("swp_") and " * " not in ctype else "Any"


def spelt(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def write(module: Module) -> str:
    lines = [HEAD]
    lines += [f"{name} = {number}\n" for name, number in module.constants.items()]
    members = {
        name: [(spelt(each.name), module.ctype(each.type)) for each in decls] for name, decls in module.structs.items()
    }
    for name, fields in members.items():
        lines.append(f"\n\nclass {name}(Structure):\n")
        lines += [f"    {field}: {annotation(ctype)}\n" for field, ctype in fields]
    lines.append("\n\n")
    for name, fields in members.items():
        rows = "".join(f'    ("{field}", {ctype}),\n' for field, ctype in fields)
        lines.append(f"{name}._fields_ = [\n{rows}]\n")
    lines.append("\nPROTOTYPES: dict[str, tuple[Any, list[Any]]] = {\n")
    for name, function in module.functions.items():
        arguments = ", ".join(module.arguments(function))
        lines.append(f'    "{name}": ({module.result(function)}, [{arguments}]),\n')
    lines.append("}\n\n\n")
    lines.append(
        "def declare(library: CDLL) -> None:\n"
        '    """Gives each function of the library its prototype; those that this build lacks stay away."""\n'
        "    for name, (result, arguments) in PROTOTYPES.items():\n"
        "        function = getattr(library, name, None)\n"
        "        if function is not None:\n"
        "            function.restype = result\n"
        "            function.argtypes = arguments\n"
    )
    return "".join(lines)


def main() -> None:
    compiler, include, soname, output = sys.argv[1:]
    module = Module(c_parser.CParser().parse(preprocess(compiler, include)))
    with open(output, "w", encoding="utf-8") as file:
        file.write(write(module) + f'\nSONAME = "{soname}"\n')


if __name__ == "__main__":
    main()
