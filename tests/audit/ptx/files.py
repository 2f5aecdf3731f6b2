# SPDX-License-Identifier: Apache-2.0
"""Several files at a time, reports for machines, baselines, the cache, and launches as files."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as tree

import findings
from checks import HERE, SWP, check

EXAMPLES = os.path.join(HERE, "..", "..", "examples")
RACE = os.path.join(EXAMPLES, "audit", "race.ptx")
MENDED = os.path.join(EXAMPLES, "audit", "mended.ptx")

# A count that several arguments make is not decided without a launch.
OPEN = findings.HEAD + """.visible .entry open(.param .u32 rows, .param .u32 columns)
.maxntid 64, 1, 1
{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    ld.param.u32 %r1, [rows];
    ld.param.u32 %r2, [columns];
    mul.lo.u32 %r3, %r1, %r2;
    mov.u32 %r4, 0;
$loop:
    bar.sync 0;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, %r3;
    @%p1 bra $loop;
    setp.gt.u32 %p2, %r3, 4096;
    @!%p2 bra $done;
    barrier.cluster.arrive.relaxed;
$done:
    ret;
}
"""


def run(*words, scratch=None, **options):
    env = dict(os.environ, XDG_CACHE_HOME=scratch or "/dev/null")
    env.pop("SWP_NO_CACHE", None)
    return subprocess.run([SWP, "audit", *words], capture_output=True, text=True, check=False, env=env, **options)


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_several(folder):
    """A line a kernel, in the order of the files, and a summary; the same with several at a time."""
    undecided = write(folder, "open.ptx", OPEN)
    one = run(MENDED, RACE, undecided)
    two = run(MENDED, RACE, undecided, "--jobs", "3")
    lines = one.stdout.splitlines()
    check(one.returncode == 1 and one.stdout == two.stdout, f"several files: {one.returncode} {one.stdout} {two.stdout}")
    check("kernel column_sum: no_fault" in lines[0] and "kernel column_sum: fault" in lines[1], f"several files: {lines}")
    check("race.ptx:52: fault[overwritten]" in lines[2], f"several files: {lines}")
    check(lines[-1] == "3 files, 3 kernels: 1 without a fault, 1 with, 1 unknown", f"several files: {lines[-1]}")


def check_status(folder):
    """Only what is surely wrong is an exit status of 1; with --strict also what is not known."""
    undecided = write(folder, "open.ptx", OPEN)
    for words, status in (((undecided,), 0), ((undecided, "--strict"), 1), ((MENDED, undecided), 0),
                          ((MENDED, "--strict"), 0), ((RACE,), 1)):
        ran = run(*words)
        check(ran.returncode == status, f"exit status of {words}: {ran.returncode}, wanted {status}\n{ran.stdout}{ran.stderr}")


def check_unread(folder):
    """A file that cannot be judged is told, the others are judged all the same."""
    bad = write(folder, "bad.ptx", "no assembly")
    ran = run(MENDED, bad, os.path.join(folder, "absent.ptx"), RACE)
    check(ran.returncode == 2 and "E0811" in ran.stderr and "absent.ptx" in ran.stderr, f"unread: {ran.stderr}")
    check("column_sum: fault" in ran.stdout and "2 files not judged" in ran.stdout, f"unread: {ran.stdout}")


def check_sarif(folder):
    """SARIF 2.1.0: by its structure, and by its schema where SARIF_SCHEMA names that."""
    bad = write(folder, "bad file.ptx", "no assembly")
    out = os.path.join(folder, "out.sarif")
    ran = run(RACE, MENDED, bad, "--format", "sarif", "-o", out)
    check(ran.returncode == 2, f"sarif: {ran.returncode} {ran.stderr}")
    with open(out, encoding="utf-8") as file:
        log = json.load(file)
    the_run = log["runs"][0]
    check(log["version"] == "2.1.0" and the_run["tool"]["driver"]["name"] == "swp", f"sarif: {log}")
    results = the_run["results"]
    check(len(results) == 1 and results[0]["ruleId"] == "overwritten" and results[0]["level"] == "error", f"sarif: {results}")
    place = results[0]["locations"][0]["physicalLocation"]
    check(place["artifactLocation"]["uri"].endswith("race.ptx") and place["region"]["startLine"] == 52, f"sarif: {place}")
    rules = {rule["id"] for rule in the_run["tool"]["driver"]["rules"]}
    check(all(result["ruleId"] in rules for result in results), f"sarif: {rules}")
    told = the_run["invocations"][0]
    uri = told["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    check(not told["executionSuccessful"] and uri.endswith("bad%20file.ptx"), f"sarif: {told}")
    schema = os.environ.get("SARIF_SCHEMA")
    if schema:
        import jsonschema
        with open(schema, encoding="utf-8") as file:
            jsonschema.Draft7Validator(json.load(file)).validate(log)
    else:
        print("audit: SARIF_SCHEMA does not name sarif-schema-2.1.0.json: structure alone is checked")


def check_junit(folder):
    """A suite for each file and a case for each kernel; what is not decided is skipped."""
    undecided = write(folder, "open.ptx", OPEN)
    ran = run(RACE, MENDED, undecided, "--format", "junit")
    suites = list(tree.fromstring(ran.stdout))
    counts = [(s.get("tests"), s.get("failures"), s.get("skipped"), s.get("errors")) for s in suites]
    check(counts == [("1", "1", "0", "0"), ("1", "0", "0", "0"), ("1", "0", "1", "0")], f"junit: {counts}")
    failure = suites[0].find("testcase/failure")
    check(failure is not None and "overwritten" in failure.text and "cp.async" in failure.text, f"junit: {ran.stdout}")


def check_baseline(folder):
    """A finding that is accepted fails nothing; one without a reason, one that is not known and one that is gone are told."""
    path = os.path.join(folder, "baseline.json")
    ran = run(RACE, "--write-baseline", path)
    check(ran.returncode == 0, f"writes a baseline: {ran.returncode} {ran.stderr}")
    with open(path, encoding="utf-8") as file:
        baseline = json.load(file)
    entries = baseline["accepted"]
    check(len(entries) == 1 and entries[0]["kind"] == "overwritten" and entries[0]["reason"] == "", f"baseline: {entries}")
    ran = run(RACE, "--baseline", path)
    check(ran.returncode == 2 and "needs a reason" in ran.stderr, f"no reason: {ran.returncode} {ran.stderr}")
    entries[0]["reason"] = "the host never launches it"
    write(folder, "baseline.json", json.dumps(baseline))
    ran = run(RACE, "--baseline", path)
    check(ran.returncode == 0 and "accepted: the host never launches it" in ran.stdout, f"accepted: {ran.stdout} {ran.stderr}")
    ran = run(RACE, "--baseline", path, "--write-baseline", path)
    with open(path, encoding="utf-8") as file:
        check(json.load(file)["accepted"] == entries, "a baseline that is written anew keeps its reasons")
    ran = run(MENDED, "--baseline", path)
    check(ran.returncode == 0 and "W0841" in ran.stderr and "not found any more" in ran.stderr, f"stale: {ran.stderr}")
    moved = write(folder, "moved.ptx", "// a line more\n" + open(RACE, encoding="utf-8").read())
    check(run(moved, "--baseline", path).returncode == 0, "lines that have moved are accepted all the same")
    baseline["accepted"][0]["line"] = 5
    write(folder, "baseline.json", json.dumps(baseline))
    ran = run(RACE, "--baseline", path)
    check(ran.returncode == 2 and "E0841" in ran.stderr and "line" in ran.stderr, f"unknown key: {ran.stderr}")
    ran = run(RACE, "--baseline", RACE)
    check(ran.returncode == 2, f"no baseline: {ran.stderr}")


def check_baseline_hides_no_other(folder):
    """What is accepted hides nothing else of the kernel."""
    text = findings.kernel(findings.STORE_FIRST + findings.LOAD_FIRST + findings.BARRIER + findings.STORE_SECOND + findings.LOAD_SECOND)
    both = write(folder, "both.ptx", text)
    path = os.path.join(folder, "one.json")
    run(both, "--write-baseline", path)
    with open(path, encoding="utf-8") as file:
        baseline = json.load(file)
    check([entry["number"] for entry in baseline["accepted"]] == [0, 1], f"alike: {baseline}")
    baseline["accepted"] = [dict(baseline["accepted"][0], reason="known")]
    write(folder, "one.json", json.dumps(baseline))
    ran = run(both, "--baseline", path)
    check(ran.returncode == 1 and ran.stdout.count("accepted: known") == 1, f"one of two is accepted: {ran.stdout}")


def fnv(text):
    """The FNV-1a hash of 64 bits, in hexadecimal digits."""
    number = 14695981039346656037
    for byte in text:
        number = (number ^ byte) * 1099511628211 % 2**64
    return b"%016x" % number


def check_cache(folder):
    """The second time the same is said; another option, another text, or a file that is spoilt is judged."""
    cache = os.path.join(folder, "cache")
    os.mkdir(cache)
    first = run(RACE, scratch=cache)
    kept = [os.path.join(root, name) for root, _, names in os.walk(cache) for name in names]
    check(len(kept) == 1, f"cache: {kept}")
    check(run(RACE, scratch=cache).stdout == first.stdout, "cache: the same is said")
    with open(kept[0], "rb") as file:
        whole = file.read()
    key, rest = whole.split(b"\0", 1)
    answer = rest[16:].replace(b"overwritten", b"stale_read")
    with open(kept[0], "wb") as file:
        file.write(key + b"\0" + rest[:16] + answer)
    check("overwritten" in run(RACE, "--no-cache", scratch=cache).stdout and run(RACE, scratch=cache).stdout == first.stdout,
          "cache: an answer that was changed is not taken")
    with open(kept[0], "wb") as file:
        file.write(key + b"\0" + fnv(answer) + answer)
    check("stale_read" in run(RACE, scratch=cache).stdout, "cache: what is kept is what is told")
    check("overwritten" in run(RACE, "--no-cache", scratch=cache).stdout, "cache: --no-cache judges")
    check("overwritten" in run(RACE, "--first", scratch=cache).stdout, "cache: another option is another answer")
    check("overwritten" in run(RACE, "--set", "machine.fence_reads=false", scratch=cache).stdout, "cache: another rule is another answer")
    check("overwritten" in run(RACE, "--cluster", "2", scratch=cache).stdout, "cache: another cluster is another answer")
    with open(kept[0], "wb") as file:
        file.write(whole[:-20])
    check(run(RACE, scratch=cache).stdout == first.stdout, "cache: a file that is cut short is not taken")


def check_launch_file(folder):
    """A launch as a file, by names and by numbers; the command line counts more."""
    named = {"swp_audit_launch": 1, "kernel": "column", "grid": [4], "parameters": ["in", "out", "rows"], "arguments": {"rows": 8}}
    path = write(folder, "launch.json", json.dumps(named))
    ran = run(MENDED, "--launch", path)
    check(ran.returncode == 0 and "rows is 8" in ran.stdout, f"launch by name: {ran.stdout} {ran.stderr}")
    ran = run(MENDED, "--launch", path, "--argument", "rows=5")
    check("rows is 5" in ran.stdout, f"the command line counts more: {ran.stdout} {ran.stderr}")
    pair = write(folder, "pair.json", json.dumps(dict(named, cluster=[2])))
    for options, cluster in (((), [2, 1, 1]), (("--cluster", "4"), [4, 1, 1])):
        ran = run(MENDED, "--launch", pair, *options, "--format", "json")
        check(ran.returncode == 0 and json.loads(ran.stdout)["launch"]["cluster"] == cluster, f"a cluster in the file: {ran.stdout} {ran.stderr}")
    by_number = dict(named, arguments=[None, None, 9])
    del by_number["parameters"]
    ran = run(MENDED, "--launch", write(folder, "launch.json", json.dumps(by_number)))
    check(re.search(r" is 9\b", ran.stdout), f"launch by number: {ran.stdout} {ran.stderr}")
    for wrong, words in ((dict(named, grids=[4]), "grids"), (dict(named, arguments={"columns": 3}), "no parameter is called columns"),
                         (dict(named, tensor_maps={"in": {"box": [64], "element": "bf17"}}), "bf17"),
                         (dict(named, grid=[1, 2, 3, 4]), "grid"), (dict(named, swp_audit_launch=2), "swp_audit_launch")):
        ran = run(MENDED, "--launch", write(folder, "wrong.json", json.dumps(wrong)))
        check(ran.returncode == 2 and words in ran.stderr, f"{words}: {ran.returncode} {ran.stderr}")


def check_names():
    """--argument takes a name of the file's, or of --parameters."""
    ran = run(MENDED, "--parameters", "in,out,rows", "--argument", "rows=7")
    check(ran.returncode == 0 and "rows is 7" in ran.stdout, f"--parameters: {ran.stdout} {ran.stderr}")
    ran = run(MENDED, "--argument", "nothing=7")
    check(ran.returncode == 2 and "no parameter is called nothing" in ran.stderr, f"no such name: {ran.stderr}")


def check_interrupted(folder):
    """Ctrl-C keeps what is done: the kernels that were judged are told, and the status is 3."""
    slow = write(folder, "slow.ptx", findings.kernel(
        "    mov.u32 %r11, 0;\n$loop:\n" + findings.STORE_FIRST + findings.BARRIER + findings.LOAD_FIRST + findings.BARRIER
        + "    add.u32 %r11, %r11, 1;\n    setp.lt.u32 %p1, %r11, 400000;\n    @%p1 bra $loop;\n")
        .replace(".reg .b32 %r<20>;", ".reg .b32 %r<20>;\n    .reg .pred %p<3>;"))
    started = subprocess.Popen([SWP, "audit", MENDED, slow, slow, slow, slow, slow, "--no-cache"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    line = started.stdout.readline()
    time.sleep(0.1)
    started.send_signal(signal.SIGINT)
    rest, said = started.communicate(timeout=300)
    check("no_fault" in line, f"interrupted: {line}")
    check(started.returncode == 3 and "not judged" in rest, f"interrupted: {started.returncode} {rest} {said}")


def check_hook(folder):
    """The hook of examples/ci in a repository: a commit with a race is refused, one without goes in."""
    if not shutil.which("git"):
        print("audit: no git: the hook of examples/ci is not run")
        return
    here = os.path.join(folder, "project")
    tools = os.path.join(folder, "tools")
    os.makedirs(tools)
    os.symlink(SWP, os.path.join(tools, "swp"))
    env = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"], HOME=folder, XDG_CACHE_HOME="/dev/null")

    def git(*words):
        return subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *words], cwd=here, env=env,
                              capture_output=True, text=True, check=False)
    os.mkdir(here)
    git("init", "-q")
    shutil.copy(os.path.join(EXAMPLES, "ci", "pre-commit"), os.path.join(here, ".git", "hooks", "pre-commit"))
    shutil.copy(MENDED, here)
    git("add", ".")
    done = git("commit", "-qm", "mended")
    check(done.returncode == 0, f"hook, no fault: {done.stdout} {done.stderr}")
    shutil.copy(RACE, here)
    git("add", ".")
    done = git("commit", "-qm", "race")
    check(done.returncode != 0 and "overwritten" in done.stdout + done.stderr, f"hook, fault: {done.stdout} {done.stderr}")


def check_action(folder):
    """The script of the action of examples/ci, with what its inputs say, where Python has PyYAML."""
    try:
        import yaml
    except ImportError:
        print("audit: no PyYAML: the action of examples/ci is not run")
        return
    with open(os.path.join(EXAMPLES, "ci", "action.yml"), encoding="utf-8") as file:
        action = yaml.safe_load(file)
    step = action["runs"]["steps"][-1]
    tools = os.path.join(folder, "action")
    os.makedirs(tools)
    os.symlink(SWP, os.path.join(tools, "swp"))
    for files, status in ((MENDED, 0), (f"{MENDED} {RACE}", 1)):
        env = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"], XDG_CACHE_HOME="/dev/null", FILES=files,
                   BASELINE="", STRICT="false", SARIF=os.path.join(folder, "action.sarif"))
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", step["run"]], env=env, capture_output=True, text=True, check=False)
        check(done.returncode == status, f"action on {files}: {done.returncode} {done.stdout} {done.stderr}")
        check(os.path.exists(env["SARIF"]), "action: SARIF is written, with a fault and without")
        os.remove(env["SARIF"])


def check_files():
    with tempfile.TemporaryDirectory() as folder:
        for part in (check_several, check_status, check_unread, check_sarif, check_junit, check_baseline,
                     check_baseline_hides_no_other, check_cache, check_launch_file, check_interrupted, check_hook, check_action):
            part(folder)
        check_names()
