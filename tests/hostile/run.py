#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile text through every input: nothing of it acts on a terminal, forges a line or breaks an output.

    SWP=path/to/swp hostile/run.py [--all]

Without --all only every fifth of the commands is run, and with one style of diagnostics; which ones is always the same.

Each text goes in as a name of everything that has one, as a file's name, and as the value of every option,
to each subcommand in each format. Of every output: no character that acts (controls, line ends, marks of
direction, bytes that are no UTF-8) is left but the line ends of the layout; no line is the text's; JSON
parses; a C header compiles without a warning and defines nothing of the text's; dot is well-formed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as xml

SWP = os.environ.get("SWP", "build/release/swp")

ACTING = "a\x1b[8m\x07\r\x7f\u009b8m\u202e\u2066\u2028\u2029\u200b\U000e0001\nFORGED safe\n"
TEXTS = {
    "acting": ACTING,
    "bytes": "a\udcff\udc9b\udce2\udc80b",  # what os.fsencode() makes of it is no UTF-8
    "c": "*/ int FORGED; /*//\\",
    "trigraph": "a*/??/",
    "markup": "a</text></title><FORGED/></script>\"'&lt;]]>",
    "dot": "a\"]; FORGED [label=\"&#27;<b>\\",
    "printf": "%s%n%d%99999999d%",
    "seen": "na\u00efve-\u2264",
}

failures = []
checks = 0
asked = 0
SVG_ELEMENTS = {"svg", "title", "style", "defs", "pattern", "marker", "path", "rect", "text"}
SHARE = 1 if "--all" in sys.argv or os.environ.get("SWP_FULL") else 5


def check(good, what):
    global checks
    checks += 1
    if not good:
        failures.append(what)
    return good


def acts(character, layout):
    if character in layout:
        return False
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs")


def check_plain(text, layout, what):
    """`text` is decoded with surrogates for bytes that are no UTF-8."""
    bad = sorted({hex(ord(c)) for c in text if acts(c, layout)})
    check(not bad, f"{what}: {bad} in the output")
    check(not any(line.startswith("FORGED") for line in text.splitlines()), f"{what}: a forged line")


def check_header(text, what):
    source = f"#define SWP_WAIT_VM(n)\n#define SWP_WAIT_LGKM(n)\n#define SWP_BARRIER()\n{text}\n"
    result = subprocess.run(["gcc", "-std=c11", "-trigraphs", "-fsyntax-only", "-Wall", "-Werror", "-x", "c", "-"],
                            input=os.fsencode(source), capture_output=True, check=False)
    check(result.returncode == 0, f"{what}: the header does not compile\n{result.stderr.decode()[:500]}")
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    check(not re.search(r"int FORGED|^\s*FORGED", code, re.MULTILINE), f"{what}: code of a name")


def check_dot(text, what):
    """Outside quoted strings there is only what the writer says."""
    bare = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    check(bare.count('"') % 2 == 0 and "FORGED" not in bare and "<" not in bare, f"{what}: dot is broken")
    check("&#" not in text, f"{what}: an entity in dot")


def check_svg(text, what):
    try:
        root = xml.fromstring(text)
    except xml.ParseError as error:
        check(False, f"{what}: no XML: {error}")
        return
    names = {element.tag.split("}")[1] for element in root.iter()}
    check(names <= SVG_ELEMENTS, f"{what}: elements of a name: {names - SVG_ELEMENTS}")


def check_page(text, what):
    """The data are one JSON, and nothing of them is read as HTML."""
    parts = text.split("</script>")
    check(len(parts) == 3 and "FORGED" not in parts[1] + parts[2], f"{what}: a script of a name")
    check_json(parts[0].split('id="data">')[1], False, what)
    head = parts[0].split("<script")[0]
    check("<FORGED" not in head and head.count("<title>") == 1, f"{what}: an element of a name")


def check_json(text, lines, what):
    try:
        for part in text.splitlines() if lines else [text]:
            json.loads(part)
    except ValueError as error:
        check(False, f"{what}: no JSON: {error}")


def run(words, what, kind=None, lines=False):
    """Runs swp, if its turn has come, with diagnostics as text and as JSON."""
    global asked
    asked += 1
    if asked % SHARE and "-o" not in words:
        return
    for style in ("text", "json") if SHARE == 1 else (("text", "json")[asked // SHARE % 2],):
        result = subprocess.run([os.fsencode(w) for w in [SWP, *words, f"--diagnostics={style}"]],
                                capture_output=True, check=False, stdin=subprocess.DEVNULL)
        out = result.stdout.decode("utf-8", "surrogateescape")
        err = result.stderr.decode("utf-8", "surrogateescape")
        label = f"{what}: swp {' '.join(words)!a}"
        check(result.returncode in (0, 1, 2, 3), f"{label}: status {result.returncode}\n{err[-500:]!a}")
        check_plain(out, "\n", f"{label}, stdout")
        check_plain(err, "\n\t", f"{label}, stderr")
        if style == "json":
            check_json(err, True, f"{label}, stderr")
        if out and kind == "json":
            check_json(out, lines, label)
        if out and result.returncode == 0 and kind == "c":
            check_header(out, label)
        if out and kind == "dot":
            check_dot(out, label)
        if out and kind == "svg":
            check_svg(out, label)
        if out and kind == "html":
            check_page(out, label)
        if out and kind == "perfetto":
            check_json(out, False, label)


def plain(words):
    return subprocess.run([SWP, *words], capture_output=True, check=True).stdout


FORMATS = {"compile": ("text", "json"), "verify": ("text", "json"), "run": ("text", "json"),
           "simulate": ("text", "json"), "explain": ("text", "json"), "emit": ("text", "json", "dot", "c", "svg", "html", "perfetto")}


def every_command(path, what, subcommands=tuple(FORMATS)):
    for subcommand in subcommands:
        for form in FORMATS[subcommand]:
            more = ["--n", "4", "--seeds", "1"] if subcommand == "run" else []
            more += ["--allow-unsafe"] if form == "c" else []
            run([subcommand, path, "--format", form, *more], what, form)
    for form in ("text", "json"):
        run(["diff", path, "pingpong", "--format", form], what, form)


def quoted(text):
    """As a scalar of YAML, or of JSON: lone surrogates stand as their escapes."""
    return json.dumps(text)


LOOP = """swp: 1
name: {name}
loop:
  units: {{{unit}: 1}}
  roles: [{role}]
  values:
    - {{value: {value}, space: registers, bytes: 4}}
    - {{value: v, space: registers, bytes: 4}}
  ops:
    - {{op: {op}, latency: 4, role: {role}, uses: {{{unit}: 2}}, writes: [{value}]}}
    - {{op: o, latency: 4, role: {role}, reads: [{value}], writes: [v]}}
"""


def check_descriptions(folder, key, text):
    plain_names = {"name": "n", "unit": "u", "role": "r", "value": "w", "op": "p"}
    for place in plain_names:
        path = write(folder, f"{place}.yaml", LOOP.format(**{**plain_names, place: quoted(text)}))
        every_command(path, f"{key} as {place}", ("compile", "verify", "emit"))
    body = plain(["new", "x", "--from", "body"]).decode()
    for old in ("MMA", "mma_unit", "compute", "double_buffer", "channel"):
        path = write(folder, "body.yaml", body.replace(old, quoted(text)))
        run(["compile", path], f"{key} for {old}")


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(os.fsencode(text))
    return path


def check_schedules(folder, key, text):
    """The JSON of schedules: every place that holds a text."""
    for source in ("single_buffer", os.path.join(folder, "plain.yaml")):
        original = json.loads(plain(["compile", source, "--format", "json"]))
        for place in ("name", "target", "pipeline", "op", "value", "unit", "key", "setting"):
            schedule = json.loads(json.dumps(original))
            flows = "dataflow" in schedule
            if place in ("name", "target"):
                schedule[place] = text
            elif place == "pipeline":
                schedule["pipeline"] = {text: text}
            elif place == "key":
                schedule[text] = text
            elif place == "setting":
                schedule["machine"]["barrier"] = text
            elif place == "op":
                rename(schedule, "name", schedule["kernel"][0]["name"], text)
                if flows:
                    rename(schedule, "op", schedule["dataflow"]["ops"][0]["op"], text)
            elif flows:
                rename(schedule, place, schedule["dataflow"][place + "s"][0][place], text)
            path = write(folder, "schedule.json", quoted(schedule))
            some = ("verify", "emit") if place in ("key", "setting", "pipeline") else tuple(FORMATS)
            every_command(path, f"{key} as {place} of {os.path.basename(source)}", some)


def rename(value, member, old, new):
    """Every member of that name, and every text in a list, that is `old`."""
    if isinstance(value, dict):
        for k, v in value.items():
            if v == old and k in (member, "name"):
                value[k] = new
            else:
                rename(v, member, old, new)
    elif isinstance(value, list):
        for i, v in enumerate(value):
            if v == old:
                value[i] = new
            else:
                rename(v, member, old, new)


PROBLEM = {"swp": 1, "name": "p", "problem": "modulo", "resources": [{"name": "r", "capacity": 1}],
           "ops": [{"name": "a", "latency": 2, "uses": [{"resource": "r", "amount": 1, "cycles": 2}]},
                   {"name": "b", "latency": 1, "uses": [{"resource": "r", "amount": 1, "cycles": 1}]}],
           "edges": [{"producer": 0, "consumer": 1, "distance": 0, "delay": 2}]}


def check_problems(folder, key, text):
    for old in ("p", "r", "a", "modulo"):
        problem = json.loads(json.dumps(PROBLEM))
        for member in ("name", "resource", "problem"):
            rename(problem, member, old, text)
        path = write(folder, "problem.json", quoted(problem))
        answer, proof = os.path.join(folder, "answer.json"), os.path.join(folder, "proof")
        for file in (answer, proof):
            if os.path.exists(file):
                os.remove(file)
        for form in ("text", "json"):
            run(["solve", path, "--format", form], f"{key} for {old}", form, True)
        run(["solve", path, "--format", "json", "-o", answer, "--certificate", proof], f"{key} for {old}")
        if not os.path.exists(answer):
            continue
        for file in (answer, proof):
            with open(file, "rb") as stream:
                check_plain(stream.read().decode("utf-8", "surrogateescape"), "\n", f"{key}: {file}")
        for form in ("text", "json"):
            run(["check-certificate", path, answer, proof, "--format", form], f"{key} for {old}", form, True)
        with open(proof, "rb") as stream:
            lines = stream.read()
        write(folder, "proof", lines.decode().replace("optimal", text).replace('"step"', text))
        run(["check-certificate", path, answer, proof], f"{key} in a proof")
    for source in ("run.cex", "verify.cex"):
        path = write(folder, source, quoted({"swp_counterexample": 1, "schedule": text, "hazard": text}))
        run(["run", "pingpong", "--replay", path], f"{key} in a counterexample")


ASSEMBLY = """	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
	.type	{symbol},@function
{symbol}:
.LBB0_1:
	ds_read_b32 v0, v1
	{instruction}
	v_mfma_f32_16x16x16_f16 v[4:7], v[0:1], v[2:3], v[4:7]
	s_cbranch_scc1 {label}
	s_endpgm
"""


def check_assembly(folder, key, text):
    one_line = text.replace("\n", " ")
    for places in ({"symbol": one_line}, {"instruction": one_line}, {"label": one_line},
                   {"symbol": text}, {"instruction": "v_" + text}):
        words = {"symbol": "k", "instruction": "s_nop 0", "label": ".LBB0_1", **places}
        path = write(folder, "kernel.s", ASSEMBLY.format(**words))
        for form in ("text", "json"):
            run(["audit", path, "--format", form], f"{key} in assembly", form)
    path = write(folder, "kernel.sass", "code for sm_80\n\t\tFunction : " + text + "\n /*0000*/ " + text + " ;\n")
    run(["audit", path, "--schedule", "pingpong"], f"{key} in sass")


def check_words(folder, key, text):
    """Arguments, values of options, names of files."""
    for subcommand in (*FORMATS, "audit", "solve", "new", "list", "help"):
        run([subcommand, text], f"{key} as an argument")
    run([text], f"{key} as a subcommand")
    run(["check-certificate", text, text, text], f"{key} as arguments")
    run(["diff", text, text], f"{key} as arguments")
    for option in ("set", "target", "format", "prefix", "accept", "time-limit", "work-limit"):
        run(["emit", "pingpong", "--format", "c", "--allow-unsafe", f"--{option}", text], f"{key} for --{option}", "c")
    run(["verify", "pingpong", "--accept", f"{text}:kernel:3"], f"{key} as a kind")
    for setting in (f"{text}=1", f"schedule.scheduling={text}", f"schedule.sched_barrier_mask={text}"):
        run(["compile", "pingpong", "--set", setting], f"{key} in --set")
        run(["diff", "pingpong", "pingpong", "--set-b", setting], f"{key} in --set-b")
    for option in ("n", "seeds", "timing", "waves", "replay"):
        run(["run", "pingpong", f"--{option}", text], f"{key} for --{option}")
    run(["new", "x", "--from", text], f"{key} for --from")
    run(["compile", "pingpong", f"--{text}"], f"{key} as an option")
    run(["compile", "pingpong", "-o", os.path.join(folder, "none", text)], f"{key} for -o")
    name = text.replace("/", "|")
    source = plain(["new", "x", "--from", "body"]).decode()
    path = write(folder, name + ".yaml", source)
    every_command(path, f"{key} as a file's name", ("compile", "emit"))
    run(["emit", path, "--format", "c", "--allow-unsafe", "--set", "pipeline.max_globals=1"], f"{key} in a command", "c")
    path = write(folder, name + ".yaml", source.replace("swp: 1", "swp: 7"))
    run(["compile", path], f"{key} as the name of a bad file")
    path = write(folder, name + ".s", ASSEMBLY.format(symbol="k", instruction="s_nop 0", label=".LBB0_1"))
    for form in ("text", "json"):
        run(["audit", path, "--format", form], f"{key} as a file's name", form)


def main():
    with tempfile.TemporaryDirectory() as folder:
        names = {"name": "n", "unit": "u", "role": "r", "value": "w", "op": "p"}
        write(folder, "plain.yaml", LOOP.format(**names))
        for key, text in TEXTS.items():
            check_descriptions(folder, key, text)
            check_schedules(folder, key, text)
            check_problems(folder, key, text)
            check_assembly(folder, key, text)
            check_words(folder, key, text)
    for failure in failures[:20]:
        print(failure)
    print(f"hostile: {checks} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
