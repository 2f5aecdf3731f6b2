# SPDX-License-Identifier: Apache-2.0
"""Gecode through MiniZinc: `cumulative`; slots of a modulo problem as integers, counted."""

import json
import subprocess

import statement


def run(text, seconds):
    """The last status line and the values of `m`."""
    result = subprocess.run(["minizinc", "--solver", "gecode", "--time-limit",
                             str(max(1, int(seconds * 1000))), "-a", "--output-mode", "json", "-"],
                            input=text, capture_output=True, text=True, check=False,
                            timeout=seconds + 60)
    out = result.stdout
    values = [json.loads(part[part.index("{"):])["m"] for part in out.split("----------")
              if "{" in part]
    return out, values


def solve(s, seconds):
    lines = ['include "cumulative.mzn";', f"var {s.bound}..{s.horizon}: m;"]
    for i in s.ops:
        lines.append(f"var {s.head[i]}..{s.horizon - s.tail[i]}: t{i};")
        lines.append(f"constraint m >= t{i} + {s.latency[i]};")
    for p, c, delay, _ in s.edges:
        lines.append(f"constraint t{c} >= t{p} + {delay};")
    for r, capacity in enumerate(s.capacity):
        held = [(i, a, n) for i in s.ops for q, a, n in s.uses[i] if q == r]
        if held:
            lines.append(f"constraint cumulative([{','.join(f't{i}' for i, _, _ in held)}],"
                         f"{[n for _, _, n in held]},{[a for _, a, _ in held]},{capacity});")
    times = ",".join(f"t{i}" for i in s.ops)
    lines.append(f"solve :: int_search([{times}], smallest, indomain_min) minimize m;")
    out, values = run("\n".join(lines), seconds)
    if "==========" in out and values:
        return "optimal", values[-1]
    return ("feasible", values[-1]) if values else ("unknown", None)


def solve_interval(s, interval, seconds):
    most = s.span(interval)
    held = [i for i in s.ops if s.uses[i]]
    lines = ["var 0..0: m;"] + [f"var 0..{most * interval - 1}: t{i};" for i in s.ops]
    for i in held:
        lines.append(f"var 0..{interval - 1}: s{i}; var 0..{most - 1}: k{i};")
        lines.append(f"constraint t{i} = {interval} * k{i} + s{i};")
    for p, c, delay, distance in s.edges:
        lines.append(f"constraint t{c} >= t{p} + {delay - interval * distance};")
    for r, capacity in enumerate(s.capacity):
        for k in range(interval):
            now = [f"{a} * bool2int(s{i} = {(k - j) % interval})" for i in held
                   for q, a, n in s.uses[i] if q == r for j in range(n)]
            if now:
                lines.append(f"constraint {' + '.join(now)} <= {capacity};")
    slots, times = (",".join(names) for names in
                    ([f"s{i}" for i in held], [f"t{i}" for i in s.ops]))
    lines.append(f"solve :: seq_search([int_search([{slots}], dom_w_deg, indomain_min), "
                 f"int_search([{times}], smallest, indomain_min)]) satisfy;")
    out, values = run("\n".join(lines), seconds)
    if values:
        return True
    return False if "UNSATISFIABLE" in out else None


statement.main(solve, solve_interval)
