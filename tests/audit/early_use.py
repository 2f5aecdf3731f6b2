# SPDX-License-Identifier: Apache-2.0
"""Two small programs: one that clang gets wrong, and one that it gets right."""

import re

from checks import check, expect, line_of


def check_early_use(text, where):
    """The wait takes a load to LDS for an access that lgkmcnt counts."""
    found = expect("fault", text, where)["findings"]
    check(len(found) == 1 and found[0]["kind"] == "register_not_ready", f"{where}: {found}")
    if not found:
        return
    fault = found[0]
    for key, wanted in (("other", "ds_read_b32"), ("wait", "s_waitcnt lgkmcnt(1)")):
        check(line_of(text, fault[key]["line"]).startswith(wanted), f"{where}: {key}: {fault[key]}")
    register = re.match(r"ds_read_b32 (v\d+),", fault["other"]["text"])[1]
    check(fault["place"] == register, f"{where}: {fault['place']}, not {register}")
    check(re.search(rf"\b{register}\b", fault["at"]["text"]), f"{where}: {fault['at']}")
    check(fault["enough"].startswith("s_waitcnt lgkmcnt(0)"), f"{where}: {fault['enough']}")


def check_ready(text, where):
    expect("no_fault", text, where)
    check("buffer_load_dword" in text and " lds" in text, f"{where}: no load to LDS by buffer")
