# SPDX-License-Identifier: Apache-2.0
"""What logs say, as text and as JSON."""
import collections
import json
import math
import statistics

from ..common.files import write_out
from ..common.ranks import kendall
from ..common.status import DONE, NO
from ..common.texts import harmless
from .kernel_tuner import kernel_tuner_cache
from .merging import AS_THEY_WERE, merged
from .results import Results
from .space import settings_text


def reasons(records, key):
    """How often each was recorded, the most frequent first."""
    return dict(collections.Counter(r[key] for r in records if key in r).most_common())


def summary(header, records):
    results = Results(records)
    ranking = results.ranking()
    by_model = sorted(results.legal(), key=lambda v: (results.predicted(v), v["variant"]))
    model_rank = {v["variant"]: rank for rank, v in enumerate(by_model, 1)}
    rows = [{"rank": rank, "model_rank": model_rank[v["variant"]], "variant": v["variant"],
             "seconds": statistics.median(results.last(v["variant"])["seconds"]), "round": results.last(v["variant"])["round"],
             "cycles": v.get("cycles"), "settings": v["settings"]} for rank, v in enumerate(ranking, 1)]
    first = [(results.predicted(v), statistics.median(results.rounds[v["variant"], 0]["seconds"]))
             for v in results.legal() if "seconds" in results.rounds.get((v["variant"], 0), {})]
    too_long = sum(sum(r["seconds"]) > r.get("took", math.inf) for r in results.rounds.values() if "seconds" in r)
    spent = sum(r.get("took", 0) for r in results.rounds.values())
    each = statistics.mean([r["took"] for r in results.rounds.values() if "took" in r] or [0])
    return {"space": header.get("space"), "swp": header.get("swp"),
            "device": next((r["device"] for r in records if r.get("device")), None),
            "variants": len(results.variants), "illegal": len(results.variants) - len(results.legal()),
            "why_illegal": reasons(records, "illegal"), "no_cycles": reasons(records, "no_cycles"),
            "measured": len({key[0] for key in results.rounds}),
            "failed": sorted({key[0] for key, r in results.rounds.items() if "failed" in r}),
            "tau_b": kendall(first) if len(first) > 1 else None, "seconds_spent": round(spent, 1), "longer_than_took": too_long,
            "seconds_pruned": round(each * (len(results.legal()) - len({key[0] for key in results.rounds})), 1), "rows": rows}


MOST_REASONS = 5  # that a report shows why variants are illegal, or have no cycles


def report_text(s, records):
    lines = [f"{s['variants']} variants, {s['illegal']} illegal, {s['measured']} measured, {len(s['failed'])} failed"
             + (f", on {s['device']}" if s["device"] else "")]
    if s["rows"]:
        best = s["rows"][0]
        lines.append("rank  model  seconds     of best  settings")
        for row in s["rows"]:
            lines.append(f"{row['rank']:4}  {row['model_rank']:5}  {row['seconds']:.4e}  "
                         f"{row['seconds'] / best['seconds']:7.3f}  {settings_text(row['settings'])}")
        lines.append("best: " + " ".join(f"--set {p}={v}" for p, v in best["settings"].items()))
    if s["tau_b"] is not None:
        lines.append(f"model against measurement: tau-b {s['tau_b']:.2f}; measuring took {s['seconds_spent']} s, "
                     f"what the model left out would have taken about {s['seconds_pruned']} s")
    if s["longer_than_took"]:
        lines.append(f"{s['longer_than_took']} measurements say more seconds than their commands took: are `seconds` seconds?")
    for key, word in (("why_illegal", "illegal"), ("no_cycles", "without cycles, ranked last")):
        lines += [f"{count} {word}: {reason}" for reason, count in list(s[key].items())[:MOST_REASONS]]
    variants = {r["variant"]: r["settings"] for r in records if "settings" in r}
    for record in records:
        if "failed" in record:
            lines.append(f"variant {record['variant']} failed: {record['failed']}\n  {settings_text(variants[record['variant']])}")
    return harmless("\n".join(lines) + "\n")


def report(paths, form, out):
    header, records = merged(paths)
    s = summary(header, records)
    text = {"text": lambda: report_text(s, records), "json": lambda: json.dumps(s, indent=1, allow_nan=False) + "\n",
            "kernel-tuner": lambda: kernel_tuner_cache(s, records)}[form]()
    write_out(out, text, AS_THEY_WERE)
    return DONE if s["rows"] else NO
