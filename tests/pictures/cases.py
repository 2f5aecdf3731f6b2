#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schedules whose pictures are tested: built in, with warp roles, unsafe, and one that waits for ever."""
import json
import os
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SWP = str(Path(os.environ.get("SWP", TOP / "build/dev/swp")).resolve())
BUILT_IN = ["single_buffer", "pingpong", "fourwave", "gemm_tile", "gemm_fragments", "attention_fwd", "stencil", "gemm_ws",
            "attention_ws"]
WITH_ROLES = ["gemm_ring", "gemm_cluster", "gemm_persistent", "read_ring", "short_ring", "staged_store",
              "take_turns"]


def swp(*words):
    return subprocess.run([SWP, *map(str, words)], capture_output=True, text=True, check=False)


def emitted(source, form):
    done = swp("emit", source, "--format", form)
    if done.returncode != 0:
        raise SystemExit(f"swp emit {source} --format {form}: {done.stderr}")
    return done.stdout


def write(path, schedule):
    path.write_text(json.dumps(schedule), encoding="utf-8")
    return path


def unsafe(folder):
    """pingpong whose waits for loads retire nothing."""
    schedule = json.loads(emitted("pingpong", "json"))
    for entry in schedule["kernel"]:
        if entry["name"] == "wait_vm":
            entry["wait"] = 63
    return write(folder / "unsafe.json", schedule)


def stuck(folder):
    """Consumers that never give a slot back."""
    schedule = json.loads((TOP / "tests/roles/gemm_ring.json").read_text(encoding="utf-8"))
    for role in schedule["roles"]:
        if role["name"] == "consumer":
            role["kernel"] = [entry for entry in role["kernel"] if entry["name"] != "arrive"]
    return write(folder / "stuck.json", schedule)


def long(folder, times):
    """pingpong with its pass so many times over."""
    schedule = json.loads(emitted("pingpong", "json"))
    schedule["kernel"] *= times
    return write(folder / "long.json", schedule)


def all_of(folder):
    """(name, what swp takes) of each."""
    return [(name, name) for name in BUILT_IN] + \
        [(name, TOP / f"tests/roles/{name}.json") for name in WITH_ROLES] + \
        [("unsafe", unsafe(folder)), ("stuck", stuck(folder))]
