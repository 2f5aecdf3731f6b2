# SPDX-License-Identifier: Apache-2.0
"""What logs say, as a cache of Kernel Tuner, version 1.1.0 of its schema: times in milliseconds."""
import json
import statistics

from .results import Results

# What it cannot tell from a log.
NOT_KEPT = {"compile_time": 0, "verification_time": 0, "strategy_time": 0, "framework_time": 0}


def plain(text):
    """A setting as the number or the truth that it is, if that is written the same."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            if str(kind(text)) == text and text not in ("inf", "-inf", "nan"):
                return kind(text)
        except ValueError:
            pass
    return text


def in_order(texts):
    return sorted(map(plain, set(texts)), key=lambda value: (isinstance(value, str), value))


def cache_line(settings, last, at):
    """Of a variant by its last measurement, or by what stands for one; at: where that does not say when it was."""
    times = [second * 1e3 for second in last.get("seconds", [])]
    failed = "CompilationFailedConfig" if "illegal" in last else "RuntimeFailedConfig"
    line = settings | {"time": statistics.mean(times) if times else failed, "times": times} | NOT_KEPT
    line |= {"timestamp": last.get("at", at)} if at else {}
    return line | {"benchmark_time": last.get("took", 0) * 1e3}


def kernel_tuner_cache(s, records):
    results = Results(records)
    settings = {n: {name: plain(text) for name, text in v["settings"].items()} for n, v in results.variants.items()}
    names = list(next(iter(settings.values()), {}))
    values = {name: in_order(v["settings"][name] for v in results.variants.values()) for name in names}
    at = min((r["at"] for r in records if "at" in r), default=None)
    known = {n: v if "illegal" in v else results.last(n) for n, v in results.variants.items()}
    # The key as Kernel Tuner itself makes it of a configuration.
    cache = {",".join(str(settings[n][name]) for name in names): cache_line(settings[n], last, at) for n, last in known.items() if last}
    return json.dumps({"schema_version": "1.1.0", "device_name": s["device"] or "unknown", "kernel_name": "swp",
                       "problem_size": "unknown", "tune_params_keys": names, "tune_params": values,
                       "objective": "time", "cache": cache}, indent=1, allow_nan=False) + "\n"
