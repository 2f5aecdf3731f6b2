# SPDX-License-Identifier: Apache-2.0
"""What ways part on: each writes the code that decides, and says which branch is taken when it does not hold.

(branch, waves for which it may hold, waves for which it may not); what follows from a wave's number is exact.
"""

from way import ACC, OWN

WAVE, ARGUMENT = "s8", "s12"
COMPARISONS = {"eq": lambda a, b: a == b, "lg": lambda a, b: a != b, "lt": lambda a, b: a < b, "gt": lambda a, b: a > b,
               "le": lambda a, b: a <= b, "ge": lambda a, b: a >= b}


def by(way, holds):
    waves = frozenset(filter(holds, way.waves))
    return waves, way.waves - waves


def unknown(way):
    return way.waves, way.waves


def compare_wave(way):
    name, k = way.rng.choice(list(COMPARISONS)), way.rng.randrange(way.shape.waves)
    way.put(f"s_cmp_{name}_u32 {WAVE}, {k}")
    return by(way, lambda wave: COMPARISONS[name](wave, k))


def on_wave(way):
    waves = compare_wave(way)
    return "s_cbranch_scc0", *waves


def on_wave_bit(way):
    bit = way.rng.randrange(2)
    way.put(f"s_bitcmp1_b32 {WAVE}, {bit}")
    return "s_cbranch_scc0", *by(way, lambda wave: wave >> bit & 1)


def on_parity(way):
    way.put(f"s_and_b32 s30, {WAVE}, 1")
    return "s_cbranch_scc0", *by(way, lambda wave: wave & 1)


def on_threads(way):
    k, lanes = way.rng.randrange(1, way.shape.waves + 1), way.rng.choice((0, 0, 32))
    way.put(f"v_cmp_gt_u32_e32 vcc, {64 * k + lanes:#x}, v0")
    return "s_cbranch_vccz", *by(way, lambda wave: 64 * wave < 64 * k + lanes)


def on_all_threads(way):
    """vcc is not zero where a lane does not hold: the branch goes the other way round."""
    k = way.rng.randrange(1, way.shape.waves + 1)
    way.put(f"v_cmp_le_u32_e32 vcc, {64 * k:#x}, v0")
    return "s_cbranch_vccz", *by(way, lambda wave: wave >= k)


def on_mask(way):
    k = way.rng.randrange(1, way.shape.waves + 1)
    way.put(f"s_movk_i32 s33, {64 * k:#x}")
    way.put("v_cmp_lt_u32_e64 s[30:31], v0, s33")
    way.put("s_cmp_lg_u64 s[30:31], 0")
    return "s_cbranch_scc0", *by(way, lambda wave: wave < k)


def on_selected(way):
    waves = compare_wave(way)
    way.put("s_cselect_b32 s30, 1, 0")
    way.put("s_cmp_lg_u32 s30, 0")
    return "s_cbranch_scc0", *waves


def on_written_by_ways(way):
    """A scalar that is written on different ways."""
    label = f".Lset{len(way.lines)}"
    way.put("s_mov_b32 s31, 0")
    holds, other = compare_wave(way)
    way.put(f"s_cbranch_scc0 {label}")
    way.put("s_mov_b32 s31, 1")
    way.put(f"{label}:")
    way.put("s_cmp_eq_u32 s31, 1")
    return "s_cbranch_scc0", holds, other


def on_unwritten_scalar(way):
    way.put(f"s_cmp_eq_u32 s{way.rng.randrange(60, 64)}, {way.rng.randrange(2)}")
    return "s_cbranch_scc0", *unknown(way)


def on_unwritten_vector(way):
    way.put("v_cmp_eq_u32_e32 vcc, 0, v30")
    return "s_cbranch_vccz", *unknown(way)


def on_unwritten_scalar_moved(way):
    """Copied through a vector register and back."""
    way.put("v_mov_b32_e32 v20, s64")
    way.put("v_readfirstlane_b32 s30, v20")
    way.put("s_bitcmp1_b32 s30, 0")
    return "s_cbranch_scc0", *unknown(way)


def on_argument(way):
    way.put(f"s_cmp_lt_u32 {ARGUMENT}, {way.rng.choice((2, 3))}")
    return "s_cbranch_scc0", *unknown(way)


def on_loaded_scalar(way):
    offset = way.rng.choice(("0x10", "0x24", "s13", "s9", "s9"))  # s9 is another one in each wave
    way.access(f"s_load_dword s30, s[4:5], {offset}", "sm", ("scalar", 30))
    way.need(lambda item: item == ("scalar", 30))
    way.put("s_bitcmp1_b32 s30, 3")
    return "s_cbranch_scc0", *unknown(way)


def on_loaded_vector(way):
    way.access(f"global_load_dword v20, {OWN}, s[4:5] offset:64", "vm", ("reg", "v20"))
    way.need(lambda item: item == ("reg", "v20"))
    way.put("v_readfirstlane_b32 s30, v20")
    way.put("s_bitcmp1_b32 s30, 2")
    return "s_cbranch_scc0", *unknown(way)


def on_hardware(way):
    if way.rng.random() < 0.5:
        way.put("s_getreg_b32 s30, hwreg(HW_REG_HW_ID)")
    else:
        way.access("s_memtime s[30:31]", "sm", ("scalar", 30))
        way.need(lambda item: item == ("scalar", 30))
    way.put("s_bitcmp1_b32 s30, 1")
    return "s_cbranch_scc0", *unknown(way)


def on_sum(way):
    way.put(f"v_readfirstlane_b32 s30, {ACC}")
    way.put("s_bitcmp1_b32 s30, 1")
    return "s_cbranch_scc0", *unknown(way)


def on_vcc_as_number(way):
    k = way.rng.randrange(1, way.shape.waves + 1)
    way.put(f"v_cmp_gt_u32_e32 vcc, {64 * k:#x}, v0")
    way.put(way.rng.choice(("s_cmp_lg_u32 vcc_lo, 0", "s_bitcmp1_b32 vcc_lo, 0", "s_cmp_lg_u64 vcc, 0",
                            "s_and_b64 s[30:31], vcc, exec")))
    return "s_cbranch_scc0", *by(way, lambda wave: wave < k)


def on_unwritten_flag(way):
    """SCC or VCC as whatever came last left it."""
    return way.rng.choice(("s_cbranch_scc0", "s_cbranch_vccz")), *unknown(way)


def on_argument_and_wave(way):
    way.put(f"{way.rng.choice(('s_add_u32', 's_xor_b32', 's_lshr_b32', 's_max_u32'))} s30, s12, {WAVE}")
    way.put("s_bitcmp1_b32 s30, 0")
    return "s_cbranch_scc0", *unknown(way)


def on_carry(way):
    k = way.rng.randrange(1, 4)
    way.put(f"s_sub_u32 s30, {WAVE}, {k}")
    return "s_cbranch_scc0", *by(way, lambda wave: wave < k)


def on_lane_choice(way):
    """Back from a vector that v_cndmask chose lane by lane."""
    k = way.rng.randrange(1, way.shape.waves + 1)
    way.put(f"v_cmp_gt_u32_e32 vcc, {64 * k:#x}, v0")
    way.put("v_mov_b32_e32 v20, 1")
    way.put("v_cndmask_b32_e32 v21, 0, v20, vcc")
    way.put("v_readfirstlane_b32 s30, v21")
    way.put("s_cmp_eq_u32 s30, 1")
    return "s_cbranch_scc0", *by(way, lambda wave: wave < k)


def on_group(way):
    way.put("s_bitcmp1_b32 s2, 0")
    return "s_cbranch_scc0", *unknown(way)


def on_address_by_wave(way):
    """A scalar load from where the wave's number, or an argument, says."""
    way.put(f"s_lshl_b32 s30, {way.rng.choice((WAVE, ARGUMENT))}, 2")
    way.put("s_add_u32 s34, s4, s30")
    way.put("s_mov_b32 s35, s5")
    way.access("s_load_dword s30, s[34:35], 0x0", "sm", ("scalar", 30))
    way.need(lambda item: item == ("scalar", 30))
    way.put("s_bitcmp1_b32 s30, 3")
    return "s_cbranch_scc0", *unknown(way)


ALL = (on_wave, on_wave, on_wave, on_wave_bit, on_parity, on_threads, on_threads, on_all_threads, on_mask, on_selected,
       on_written_by_ways, on_unwritten_scalar, on_unwritten_scalar, on_unwritten_vector, on_unwritten_scalar_moved,
       on_argument, on_argument, on_loaded_scalar, on_loaded_scalar, on_loaded_vector, on_hardware, on_sum,
       on_vcc_as_number, on_unwritten_flag, on_argument_and_wave, on_carry, on_lane_choice, on_group, on_address_by_wave)
OPPOSITE = {"s_cbranch_scc0": "s_cbranch_scc1", "s_cbranch_vccz": "s_cbranch_vccnz"}


def part(way):
    branch, holds, other = way.rng.choice(ALL)(way)
    if way.rng.random() < 0.5:
        return OPPOSITE[branch], other, holds
    return branch, holds, other
