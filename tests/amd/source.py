# SPDX-License-Identifier: Apache-2.0
"""What the sources of all generated kernels have in common."""

import itertools


class Unlowerable(Exception):
    """A schedule that no kernel of these accesses can carry out, and why."""


INCLUDES = """#define WAVES {waves}u
#define LDS_BYTES {lds_bytes}u
#include "access.h"
#include "{header}"

"""

KERNEL = """
typedef struct context {{
    thread t;
    values v;
}} context;

INLINE void run(GLOBAL unsigned *from, GLOBAL unsigned *to, int n)
{{
    context c = {{.t = thread_of(from, to)}};
    unsigned sum;
{first}    {prefix}_RUN(&c, n, (int)c.t.wave / {prefix}_WAVES_PER_GROUP);
    /* Nothing that was loaded is without a reader. */
    WAIT_FOR_ALL();
    COPY(sum, c.t.lane);
{last}    c.t.to[0] = sum;
}}
"""

# One for each list of entries that a run may take, and for no pass of the kernel phase and any: with all in one, the
# compiler joins their ways on conditions that the audit cannot tell apart.
FORM = """
KERNEL(form_{name})(GLOBAL unsigned *from, GLOBAL unsigned *to, unsigned short more)
{{
    const int n = {n};
    __builtin_assume({known});
    (void)more;
    run(from, to, n);
}}
"""


MOST_RESTS = 2  # remainders of a schedule that are compiled; all have the same kernel phase


def some_of(count):
    """As many numbers below `count` as are compiled, the first and the last among them."""
    return sorted({0, count - 1}) if count > MOST_RESTS else range(count)


def forms(schedule):
    """(name, n, what is known of n)"""
    loop = schedule["loop"]
    least, step = loop["min_tiles"], loop["tiles_per_pass"]
    for rest in (loop["multiple"] * k for k in some_of(step // loop["multiple"])):
        yield f"rest_{rest}", f"{least + rest}", "1"
        yield f"passes_{rest}", f"{least + rest + step} + {step} * more", f"(n - {least}) % {step} == {rest}"
    for n in some_of(len(schedule.get("straight") or [])):
        yield f"straight_{n}", f"{n}", "1"


def kernels_text(schedule, prefix, first, last):
    """All kernels: `first` gives the values what they hold before the loop, `last` uses what they hold after it."""
    return KERNEL.format(prefix=prefix, first=first, last=last) + "".join(
        FORM.format(name=name, n=n, known=known) for name, n, known in forms(schedule))


def registers_of(arrays):
    """The type `values` of these (name, extents), what each register holds first, and the use of each at the end."""
    members, slots = [], []
    for name, extents in arrays:
        members.append(f"    unsigned {name}{''.join(f'[{n}]' for n in extents)};\n")
        slots += [name + "".join(f"[{i}]" for i in at) for at in itertools.product(*map(range, extents))]
    first = "".join(f"    COPY(c.v.{slot}, c.t.lane + {n});\n" for n, slot in enumerate(slots))
    last = "".join(f"    MIX(sum, c.v.{slot});\n" for slot in slots)
    return f"typedef struct values {{\n    int none;\n{''.join(members)}}} values;\n\n", first, last
