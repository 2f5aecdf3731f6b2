/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic of PTX on numbers that are linear functions of counts: what holds for all counts within their bounds. */
#include "audit/ptx/values.h"

#include <string.h>

enum { MOST_SLOPE_BITS = 40 };
/* Of what is told of a number of 64 bits: two of these are apart by one that 64 bits hold as well. */
#define MOST_NUMBER (INT64_C(1) << 62)

typedef struct range {
    int64_t low;
    int64_t high;
} range;

/* Numbers wrap. */
static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t difference(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t narrowed(int64_t slope, int bits)
{
    const swp_ptx_type type = {bits, true};
    return (int64_t)swp_ptx_extend((uint64_t)slope, type);
}

/* A number of a lane for all counts; false: it leaves its type, or is too large to tell. */
static bool range_of(const swp_ptx_value *value, int lane, swp_ptx_type type,
                     const swp_ptx_counts *counts, range *out)
{
    const int64_t base = (int64_t)swp_ptx_extend(swp_ptx_lane(value, lane), type);
    swp_ptx_wide low = base;
    swp_ptx_wide high = base;
    if (!type.bits)
        return false;
    for (int i = 0; i < SWP_PTX_COUNTS; i++) {
        const int64_t slope = value->slope[i];
        if (slope > INT64_C(1) << MOST_SLOPE_BITS || slope < -(INT64_C(1) << MOST_SLOPE_BITS))
            return false;
        const swp_ptx_wide grown = (swp_ptx_wide)slope * counts->most[i];
        low += grown < 0 ? grown : 0;
        high += grown > 0 ? grown : 0;
    }
    if (low < -MOST_NUMBER || high > MOST_NUMBER)
        return false;
    *out = (range){(int64_t)low, (int64_t)high};
    if (type.bits == 64)
        return type.is_signed || out->low >= 0;
    const int64_t least = type.is_signed ? -(INT64_C(1) << (type.bits - 1)) : 0;
    return out->low >= least && out->high < least + (INT64_C(1) << type.bits);
}

static bool stays(const swp_ptx_value *value, swp_ptx_type type, const swp_ptx_counts *counts,
                  bool from_zero)
{
    range all;
    for (int lane = 0; lane < (value->state == SWP_PTX_UNIFORM ? 1 : SWP_PTX_LANES); lane++)
        if (!range_of(value, lane, type, counts, &all) || (from_zero && all.low < 0))
            return false;
    return true;
}

static bool is_below(const swp_ptx_value *value, swp_ptx_type type, const swp_ptx_counts *counts,
                     uint64_t above)
{
    range all;
    for (int lane = 0; lane < (value->state == SWP_PTX_UNIFORM ? 1 : SWP_PTX_LANES); lane++)
        if (!range_of(value, lane, type, counts, &all) || all.low < 0 ||
            (uint64_t)all.high >= above)
            return false;
    return true;
}

static bool is_constant(const swp_ptx_value *value)
{
    return value->state == SWP_PTX_UNIFORM && !swp_ptx_is_affine(value);
}

static bool divisible(const swp_ptx_value *value, int64_t by)
{
    bool divides = by > 0;
    for (int i = 0; i < SWP_PTX_COUNTS && divides; i++)
        divides = value->slope[i] % by == 0;
    return divides;
}

/* --- comparisons --- */

static bool decided(int relation, range of, uint64_t *out)
{
    const bool low = swp_ptx_relation_holds(relation, (uint64_t)of.low, 0, true);
    const bool high = swp_ptx_relation_holds(relation, (uint64_t)of.high, 0, true);
    const bool of_zero = relation < 2;
    *out = low;
    if (of_zero && of.low < 0 && of.high > 0)
        return false;
    return low == high;
}

/* Whether the difference has one sign, as far as the relation asks. */
static bool compare(const swp_ptx_insn *insn, const swp_ptx_value *s, int lane,
                    const swp_ptx_counts *counts, uint64_t *out)
{
    static const int signed_relation[] = {0, 1, 2, 3, 4, 5, 2, 3, 4, 5};
    swp_ptx_value apart = {.state = SWP_PTX_UNIFORM};
    range a;
    range b;
    range of;
    if (insn->relation < 0 || !range_of(&s[0], lane, insn->type, counts, &a) ||
        !range_of(&s[1], lane, insn->type, counts, &b))
        return false;
    apart.one = swp_ptx_extend(swp_ptx_lane(&s[0], lane), insn->type) -
                swp_ptx_extend(swp_ptx_lane(&s[1], lane), insn->type);
    for (int i = 0; i < SWP_PTX_COUNTS; i++)
        apart.slope[i] = difference(s[0].slope[i], s[1].slope[i]);
    return range_of(&apart, 0, (swp_ptx_type){64, true}, counts, &of) &&
           decided(signed_relation[insn->relation], of, out);
}

static bool set_predicate(const swp_ptx_insn *insn, const swp_ptx_value *s, int count, int lanes,
                          const swp_ptx_counts *counts, uint64_t *room)
{
    for (int lane = 0; lane < lanes; lane++) {
        if (!compare(insn, s, lane, counts, &room[lane]))
            return false;
        if (count > 2 && swp_ptx_is_affine(&s[2]))
            return false;
        if (count > 2 && swp_ptx_has(insn->name, "and"))
            room[lane] &= swp_ptx_lane(&s[2], lane);
        else if (count > 2 && swp_ptx_has(insn->name, "or"))
            room[lane] |= swp_ptx_lane(&s[2], lane);
        else if (count > 2)
            return false;
    }
    return true;
}

/* --- slopes --- */

/* Of the lesser or greater one, where it is the same one of all lanes for all counts. */
static bool choose(const swp_ptx_insn *insn, const swp_ptx_value *s, const swp_ptx_counts *counts,
                   int64_t *slope)
{
    swp_ptx_insn less = *insn;
    uint64_t first = 0;
    less.relation = SWP_PTX_LESS;
    for (int lane = 0; lane < SWP_PTX_LANES; lane++) {
        uint64_t is_less = 0;
        if (!compare(&less, s, lane, counts, &is_less) || (lane && is_less != first))
            return false;
        first = is_less;
    }
    const swp_ptx_value *chosen = &s[(insn->kind == SWP_PTX_MIN) == (first != 0) ? 0 : 1];
    memcpy(slope, chosen->slope, sizeof chosen->slope);
    return true;
}

/* Slopes of what is left of a number behind a shift, where what falls out never carries: divisions by products are so. */
static bool drop_bits(const swp_ptx_value *value, int bits, const swp_ptx_counts *counts,
                      int64_t *slope)
{
    const int64_t below = (INT64_C(1) << bits) - 1;
    swp_ptx_wide carry = 0;
    for (int i = 0; i < SWP_PTX_COUNTS; i++) {
        const int64_t low = value->slope[i] & below;
        carry += (swp_ptx_wide)low * counts->most[i];
        slope[i] = (value->slope[i] - low) / (below + 1);
    }
    for (int lane = 0; lane < (value->state == SWP_PTX_UNIFORM ? 1 : SWP_PTX_LANES); lane++)
        if ((int64_t)(swp_ptx_lane(value, lane) & (uint64_t)below) + carry > below)
            return false;
    return true;
}

/* `x & mask` where the mask's bits stand together: below one that nothing carries into, or above. */
static bool mask_bits(const swp_ptx_insn *insn, const swp_ptx_value *value, uint64_t mask,
                      const swp_ptx_counts *counts, int64_t *slope)
{
    const swp_ptx_type type = {insn->type.bits, false};
    const uint64_t lowest = mask & (0 - mask);
    const uint64_t above = mask + lowest;
    const bool is_low = lowest == 1 && above;
    const uint64_t edge = is_low ? above : lowest;
    int bits = 0;
    if (!mask || (above & (above - 1)) || edge >> MOST_SLOPE_BITS)
        return false;
    if (!is_low && swp_ptx_extend(0 - lowest, type) != mask &&
        !is_below(value, type, counts, above))
        return false;
    while (edge >> bits > 1)
        bits++;
    if (!drop_bits(value, bits, counts, slope)) {
        memcpy(slope, value->slope, sizeof value->slope);
        return is_low && is_below(value, type, counts, above);
    }
    for (int i = 0; i < SWP_PTX_COUNTS; i++)
        slope[i] = is_low ? value->slope[i] & (int64_t)mask : slope[i] * (int64_t)lowest;
    return true;
}

static bool keep_bits(const swp_ptx_insn *insn, const swp_ptx_value *s,
                      const swp_ptx_counts *counts, int64_t *slope)
{
    const int grows = swp_ptx_is_affine(&s[0]) ? 0 : 1;
    const swp_ptx_type type = {insn->type.bits, false};
    const uint64_t mask = swp_ptx_extend(s[1 - grows].one, type);
    uint64_t above = 1;
    if (!is_constant(&s[1 - grows]))
        return false;
    while (above && above <= mask)
        above <<= 1;
    /* Bits below those that grow. */
    if (above && above <= INT64_MAX && divisible(&s[grows], (int64_t)above)) {
        for (int i = 0; i < SWP_PTX_COUNTS; i++)
            slope[i] = insn->kind == SWP_PTX_AND ? 0 : s[grows].slope[i];
        return true;
    }
    return insn->kind == SWP_PTX_AND && mask_bits(insn, &s[grows], mask, counts, slope);
}

static bool scale(const swp_ptx_insn *insn, const swp_ptx_value *s, int64_t *slope)
{
    const int grows = swp_ptx_is_affine(&s[0]) ? 0 : 1;
    if (!is_constant(&s[1 - grows]))
        return false;
    const int64_t by = (int64_t)swp_ptx_extend(s[1 - grows].one, insn->type);
    for (int i = 0; i < SWP_PTX_COUNTS; i++)
        slope[i] = (int64_t)((uint64_t)s[grows].slope[i] * (uint64_t)by);
    return true;
}

/* The upper half of a product, where the lower one never carries. */
static bool scale_high(const swp_ptx_insn *insn, const swp_ptx_value *s,
                       const swp_ptx_counts *counts, int64_t *slope)
{
    const int grows = swp_ptx_is_affine(&s[0]) ? 0 : 1;
    const int bits = insn->type.bits;
    const uint64_t by = swp_ptx_extend(s[1 - grows].one, insn->type);
    const swp_ptx_wide above = (swp_ptx_wide)1 << bits;
    if (!is_constant(&s[1 - grows]) || s[grows].state != SWP_PTX_UNIFORM ||
        !stays(&s[grows], insn->type, counts, true))
        return false;
    swp_ptx_wide low = swp_ptx_product(swp_ptx_extend(s[grows].one, insn->type), by, insn->type);
    low &= above - 1;
    for (int i = 0; i < SWP_PTX_COUNTS; i++) {
        const swp_ptx_wide step = s[grows].slope[i] * swp_ptx_product(1, by, insn->type);
        slope[i] = (int64_t)(step >> bits);
        low += (step & (above - 1)) * counts->most[i];
    }
    return low < above;
}

static bool shift_right(const swp_ptx_insn *insn, const swp_ptx_value *s,
                        const swp_ptx_counts *counts, int64_t *slope)
{
    return is_constant(&s[1]) && s[1].one < MOST_SLOPE_BITS &&
           stays(&s[0], insn->type, counts, false) &&
           drop_bits(&s[0], (int)s[1].one, counts, slope);
}

/* Whether all of the numbers that a lane may have lie between the same two multiples. */
static bool has_one_quotient(const swp_ptx_value *value, swp_ptx_type type,
                             const swp_ptx_counts *counts, int64_t by)
{
    range all;
    for (int lane = 0; lane < (value->state == SWP_PTX_UNIFORM ? 1 : SWP_PTX_LANES); lane++)
        if (!range_of(value, lane, type, counts, &all) || all.low < 0 ||
            all.low / by != all.high / by)
            return false;
    return true;
}

static bool divide(const swp_ptx_insn *insn, const swp_ptx_value *s, const swp_ptx_counts *counts,
                   int64_t *slope)
{
    const int64_t by = (int64_t)swp_ptx_extend(s[1].one, insn->type);
    const bool rest = insn->kind == SWP_PTX_REM;
    if (!is_constant(&s[1]) || by <= 0 || !stays(&s[0], insn->type, counts, true))
        return false;
    const bool divides = divisible(&s[0], by);
    if (!divides && !has_one_quotient(&s[0], insn->type, counts, by))
        return false;
    for (int i = 0; i < SWP_PTX_COUNTS; i++)
        slope[i] = divides ? (rest ? 0 : s[0].slope[i] / by) : (rest ? s[0].slope[i] : 0);
    return true;
}

/* Whether the results grow linearly, and how, where their numbers at the first period are computed as ever. */
static bool slopes_of(const swp_ptx_insn *insn, const swp_ptx_value *s, int count,
                      const swp_ptx_counts *counts, int64_t *slope)
{
    /* A predicate that is another one a period later is no number that grows. */
    if (insn->type.bits == 1)
        return false;
    const bool widens =
        insn->wide || (insn->kind == SWP_PTX_CONVERT && insn->type.bits > insn->source.bits);
    for (int i = 0; widens && i < count; i++)
        if (!stays(&s[i], swp_ptx_type_of_source(insn, i), counts, false))
            return false;
    for (int i = 0; i < SWP_PTX_COUNTS; i++)
        slope[i] = s[0].slope[i];
    switch (insn->kind) {
    case SWP_PTX_MOVE:
        return true;
    case SWP_PTX_CONVERT:
        return !insn->type.is_signed || insn->type.bits >= 32;
    case SWP_PTX_ADD:
    case SWP_PTX_SUB:
    case SWP_PTX_NEG:
        for (int i = 0; i < SWP_PTX_COUNTS; i++)
            slope[i] = insn->kind == SWP_PTX_ADD   ? sum(s[0].slope[i], s[1].slope[i])
                       : insn->kind == SWP_PTX_SUB ? difference(s[0].slope[i], s[1].slope[i])
                                                   : difference(0, s[0].slope[i]);
        return true;
    case SWP_PTX_SHL:
        for (int i = 0; i < SWP_PTX_COUNTS; i++)
            slope[i] = (int64_t)((uint64_t)s[0].slope[i] << (s[1].one & 63));
        return is_constant(&s[1]) && s[1].one < 64;
    case SWP_PTX_MUL:
        return swp_ptx_has(insn->name, "hi") ? scale_high(insn, s, counts, slope)
                                             : scale(insn, s, slope);
    case SWP_PTX_MAD:
        if (swp_ptx_has(insn->name, "hi") || !scale(insn, s, slope))
            return false;
        for (int i = 0; i < SWP_PTX_COUNTS; i++)
            slope[i] = sum(slope[i], s[2].slope[i]);
        return true;
    case SWP_PTX_AND:
    case SWP_PTX_OR:
    case SWP_PTX_XOR:
        return keep_bits(insn, s, counts, slope);
    case SWP_PTX_SHR:
        return shift_right(insn, s, counts, slope);
    case SWP_PTX_DIV:
    case SWP_PTX_REM:
        return divide(insn, s, counts, slope);
    case SWP_PTX_MIN:
    case SWP_PTX_MAX:
        return choose(insn, s, counts, slope);
    case SWP_PTX_NOT:
        for (int i = 0; i < SWP_PTX_COUNTS; i++)
            slope[i] = difference(0, s[0].slope[i]);
        return true;
    case SWP_PTX_SELP:
        for (int i = 0; i < SWP_PTX_COUNTS; i++)
            slope[i] = s[s[2].one & 1 ? 0 : 1].slope[i];
        return is_constant(&s[2]);
    default:
        return false;
    }
}

swp_ptx_value swp_ptx_evaluate_affine(const swp_ptx_insn *insn, const swp_ptx_value *sources,
                                      int count, const swp_ptx_counts *counts, uint64_t *room)
{
    swp_ptx_value plain[SWP_PTX_MOST_SOURCES + 1] = {0};
    int64_t slope[SWP_PTX_COUNTS] = {0};
    for (int i = 0; i < count; i++) {
        if (!swp_ptx_known(&sources[i]))
            return swp_ptx_unknown(SWP_PTX_DATA);
        plain[i] = sources[i];
        memset(plain[i].slope, 0, sizeof plain[i].slope);
    }
    if (insn->kind == SWP_PTX_SETP) {
        bool same = true;
        for (int i = 0; i < count; i++)
            same &= sources[i].state == SWP_PTX_UNIFORM;
        if (count < 2 ||
            !set_predicate(insn, sources, count, same ? 1 : SWP_PTX_LANES, counts, room))
            return swp_ptx_unknown(SWP_PTX_DATA);
        if (same)
            return swp_ptx_number(room[0]);
        return (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = room};
    }
    if (!slopes_of(insn, sources, count, counts, slope))
        return swp_ptx_unknown(SWP_PTX_DATA);
    swp_ptx_value out = swp_ptx_evaluate(insn, plain, count, room);
    for (int i = 0; i < SWP_PTX_COUNTS && swp_ptx_known(&out); i++)
        out.slope[i] = narrowed(slope[i], insn->wide ? insn->type.bits * 2 : insn->type.bits);
    return out;
}
