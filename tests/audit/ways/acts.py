# SPDX-License-Identifier: Apache-2.0
"""What a wave may do between two barriers, by the role that each region of LDS has there.

`own`: every thread keeps to its place (a wave to those of its threads). `all`: everybody reads, nobody writes.
`atom OP`: everybody does OP on shared cells, which commutes with itself. `only K`: wave K does as it likes.
"""

from way import ACC, DATA, FROM, OTHER, OWN, SHARED, TEMPS, ZERO, touches

SCALARS = ("s36", "s37", "s38")
WIDE, WIDE_PAIR = "v23", "v[22:23]"
ATOMS = ("add_u32", "and_b32", "or_b32", "xor_b32", "min_u32", "max_u32")


def roles(rng, shape, before=None):
    """One role for each region: what was written is mostly read next."""
    chosen = []
    for region in range(shape.regions):
        old = before[region] if before else None
        if old and old != "all" and rng.random() < 0.7:
            chosen.append("all")
        elif old and rng.random() < 0.3:
            chosen.append(old)
        else:
            chosen.append(rng.choice(("own", "own", "own", "all", f"atom {rng.choice(ATOMS)}",
                                      f"only {rng.randrange(shape.waves)}")))
    return tuple(chosen)


def new_data(way):
    way.put(f"v_add_u32_e32 {DATA}, {way.rng.randrange(65, 9999):#x}, {DATA}")


def consume(way, temp):
    way.need(lambda item: item[0] == "reg" and item[1] == temp)
    way.put(f"{way.rng.choice(('v_add_u32_e32', 'v_xor_b32_e32'))} {ACC}, {temp}, {ACC}", "use")


def free_temp(way, queue):
    """A register to load; vector loads may replace one another."""
    temp = way.rng.choice(TEMPS)
    busy = {name for a in way.alternatives for name in a for item in a[name] if item[:2] == ("reg", temp)}
    if busy - {queue} or busy and queue != "vm":
        way.need(lambda item: item[:2] == ("reg", temp))
    return temp


def read_lds(way, region, address):
    way.settle(region, "vm")
    temp = free_temp(way, "ds")
    if way.shape.width == 16 and way.rng.random() < 0.3:
        read_wide(way, region, address)
        return
    way.access(f"ds_read_b32 {temp}, {address} offset:{way.shape.base(region)}", "ds", ("reg", temp, region))
    if way.rng.random() < 0.6:
        consume(way, temp)


def read_wide(way, region, address):
    """Two dwords at once, of which the second is used."""
    way.need(lambda item: item[:2] == ("reg", WIDE))
    if region == 0 and way.rng.random() < 0.5:
        way.access(f"ds_read2_b32 {WIDE_PAIR}, {address} offset0:1 offset1:0", "ds", ("reg", WIDE, region))
    else:
        way.access(f"ds_read_b64 {WIDE_PAIR}, {address} offset:{way.shape.base(region)}", "ds", ("reg", WIDE, region))
    way.need(lambda item: item[:2] == ("reg", WIDE))
    way.put(f"v_xor_b32_e32 {ACC}, {WIDE}, {ACC}", "use")


def write_lds(way, region, address):
    new_data(way)
    way.settle(region, "vm")
    way.access(f"ds_write_b32 {address}, {DATA} offset:{way.shape.base(region)}", "ds", ("lds", region))


def load_to_lds(way, region):
    way.settle(region, "ds")
    way.settle(region, "vm")
    way.put(f"s_add_u32 m0, s9, {way.shape.base(region):#x}")
    way.put("s_nop 0")
    way.put(f"v_add_u32_e32 {FROM}, {way.rng.randrange(80, 4000, 4):#x}, {OWN}")
    size = "dword" if way.shape.width == 4 else "dwordx4"
    text = way.rng.choice((f"global_load_lds_{size} {FROM}, s[4:5]",
                           f"buffer_load_{size} {FROM}, s[16:19], 0 offen lds"))
    way.access(text, "vm", ("lds", region))


def atom(way, region, name):
    new_data(way)
    address = way.rng.choice((ZERO, SHARED))
    way.access(f"ds_{name} {address}, {DATA} offset:{way.shape.base(region)}", "ds", ("lds", region), "atom")


def on_region(way, region, role):
    rng = way.rng
    if role == "own" or role == f"only {min(way.waves, default=-1)}" and len(way.waves) == 1:
        address = OWN if role == "own" else rng.choice((OWN, OTHER))
        act = rng.choice((write_lds, write_lds, read_lds, load_to_lds, load_to_lds))
        if act is load_to_lds:
            act(way, region)
        else:
            act(way, region, address)
    elif role == "all":
        read_lds(way, region, rng.choice((OTHER, OTHER, ZERO, SHARED)))
    elif role.startswith("atom"):
        atom(way, region, role.split()[1])


def on_scalars(way):
    """A scalar load, whose result some later way uses; one wait is for all of them, in whatever order they come."""
    register = way.rng.choice(SCALARS)
    way.need(lambda item: item == ("scalar", register))
    if way.rng.random() < 0.5:
        way.access(f"s_load_dword {register}, s[4:5], {way.rng.choice(('0x40', '0x44', 's9'))}", "sm", ("scalar", register))
    else:
        way.put(f"v_add_u32_e32 {ACC}, {register}, {ACC}", "use")


def on_registers(way):
    rng = way.rng
    kind = rng.randrange(6)
    if kind == 5:
        on_scalars(way)
    elif kind <= 1:
        temp = free_temp(way, "vm")
        way.access(f"global_load_dword {temp}, {OWN}, s[4:5] offset:{rng.randrange(0, 4000, 4)}", "vm", ("reg", temp))
    elif kind <= 3:
        consume(way, rng.choice(TEMPS))
    else:
        way.access(f"global_store_dword {OWN}, {ACC}, s[6:7]", "vm", ("store",), "store")


def act(way, config):
    if way.idle:
        return
    if way.rng.random() < 0.7:
        region = way.rng.randrange(way.shape.regions)
        on_region(way, region, config[region])
    else:
        on_registers(way)


def barrier(way, before, after):
    """Nothing that the new role of a region could conflict with is in flight behind the barrier."""
    changed = {region for region in range(way.shape.regions) if before[region] != after[region]}
    way.need(lambda item: touches(item, changed))
    way.put("s_barrier", "barrier")
