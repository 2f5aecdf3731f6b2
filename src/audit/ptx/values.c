/* SPDX-License-Identifier: Apache-2.0 */
/* Integer arithmetic of PTX on numbers, and on the values of a warp's threads. */
#include "audit/ptx/values.h"

#include "base/names.h"

static uint64_t mask_of(int bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

uint64_t swp_ptx_extend(uint64_t number, swp_ptx_type type)
{
    const uint64_t low = number & mask_of(type.bits);
    const bool negative = type.is_signed && type.bits < 64 && low >> (type.bits - 1) & 1;
    return negative ? low | ~mask_of(type.bits) : low;
}

uint32_t swp_ptx_lanes_alike(const swp_ptx_value *value, uint32_t lanes)
{
    uint32_t alike = 0;
    const uint64_t number = swp_ptx_lane(value, swp_ptx_first_lane(lanes));
    for (int lane = 0; lane < SWP_PTX_LANES; lane++)
        if (lanes >> lane & 1 && swp_ptx_lane(value, lane) == number)
            alike |= UINT32_C(1) << lane;
    return alike;
}

static bool less(uint64_t a, uint64_t b, bool is_signed)
{
    return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* --- one by one --- */

/* In the order in which swp_ptx_relation_holds() has them. */
static const char *const relations[] = {"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};

int swp_ptx_relation(swp_slice name)
{
    for (size_t i = 0; i < SWP_COUNT_OF(relations); i++)
        if (swp_ptx_has(name, relations[i]))
            return (int)i;
    return -1;
}

bool swp_ptx_relation_holds(int relation, uint64_t a, uint64_t b, bool is_signed)
{
    /* clang-format off */
    switch (relation) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return less(a, b, is_signed);
    case 3: return !less(b, a, is_signed);
    case 4: return less(b, a, is_signed);
    case 5: return !less(a, b, is_signed);
    case 6: return a < b;
    case 7: return a <= b;
    case 8: return a > b;
    default: return a >= b;
    }
    /* clang-format on */
}

/* With a third source: and, or, xor with a predicate. */
static bool set_predicate(const swp_ptx_insn *insn, const uint64_t *s, int count, uint64_t *out)
{
    if (insn->relation < 0)
        return false;
    *out = swp_ptx_relation_holds(insn->relation, s[0], s[1], insn->type.is_signed);
    if (count < 3)
        return true;
    if (swp_ptx_has(insn->name, "and"))
        *out &= s[2];
    else if (swp_ptx_has(insn->name, "or"))
        *out |= s[2];
    else if (swp_ptx_has(insn->name, "xor"))
        *out ^= s[2];
    else
        return false;
    return true;
}

static uint64_t shift_right(uint64_t a, uint64_t by, swp_ptx_type type)
{
    const int most = type.bits - 1;
    if (type.is_signed)
        return (uint64_t)((int64_t)a >> (by > (uint64_t)most ? most : (int)by));
    return by > (uint64_t)most ? 0 : a >> by;
}

static bool divide(const swp_ptx_insn *insn, uint64_t a, uint64_t b, uint64_t *out)
{
    const bool is_signed = insn->type.is_signed;
    const bool rest = insn->kind == SWP_PTX_REM;
    if (b == 0 || (is_signed && b == UINT64_MAX))
        return false;
    if (is_signed)
        *out = (uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
    else
        *out = rest ? a % b : a / b;
    return true;
}

/* The low bits, the widened product, or the high ones. */
static uint64_t multiply(const swp_ptx_insn *insn, uint64_t a, uint64_t b)
{
    if (!swp_ptx_has(insn->name, "hi"))
        return a * b;
    return (uint64_t)(swp_ptx_product(a, b, insn->type) >> insn->type.bits);
}

static uint64_t extract(uint64_t a, uint64_t at, uint64_t length, swp_ptx_type type)
{
    at &= 0xff;
    length &= 0xff;
    if (length == 0)
        return 0;
    const swp_ptx_type field = {length > 64 ? 64 : (int)length, type.is_signed};
    return swp_ptx_extend(shift_right(a, at, type), field);
}

static uint64_t look_up_bits(const uint64_t *s)
{
    uint64_t out = 0;
    for (int i = 0; i < 8; i++)
        if (s[3] >> i & 1)
            out |= (i & 4 ? s[0] : ~s[0]) & (i & 2 ? s[1] : ~s[1]) & (i & 1 ? s[2] : ~s[2]);
    return out;
}

static bool compute_wide(const swp_ptx_insn *insn, const uint64_t *s, int count, uint64_t *out)
{
    switch (insn->kind) {
    case SWP_PTX_DIV:
    case SWP_PTX_REM:
        return divide(insn, s[0], s[1], out);
    case SWP_PTX_MUL:
        *out = multiply(insn, s[0], s[1]);
        return true;
    case SWP_PTX_MAD:
        *out = multiply(insn, s[0], s[1]) + s[2];
        return true;
    case SWP_PTX_SETP:
        return set_predicate(insn, s, count, out);
    case SWP_PTX_BFE:
        *out = extract(s[0], s[1], s[2], insn->type);
        return true;
    case SWP_PTX_LOP3:
        *out = look_up_bits(s);
        return true;
    default:
        return swp_ptx_compute_bits(insn, s, out);
    }
}

static bool compute_plain(const swp_ptx_insn *insn, const uint64_t *s, uint64_t *out)
{
    const bool is_signed = insn->type.is_signed;
    /* clang-format off */
    switch (insn->kind) {
    case SWP_PTX_MOVE: case SWP_PTX_CONVERT: *out = s[0]; return true;
    case SWP_PTX_ADD: *out = s[0] + s[1]; return true;
    case SWP_PTX_SUB: *out = s[0] - s[1]; return true;
    case SWP_PTX_SHL: *out = s[1] > 63 ? 0 : s[0] << s[1]; return true;
    case SWP_PTX_SHR: *out = shift_right(s[0], s[1], insn->type); return true;
    case SWP_PTX_AND: *out = s[0] & s[1]; return true;
    case SWP_PTX_OR: *out = s[0] | s[1]; return true;
    case SWP_PTX_XOR: *out = s[0] ^ s[1]; return true;
    case SWP_PTX_NOT: *out = ~s[0]; return true;
    case SWP_PTX_NEG: *out = 0 - s[0]; return true;
    case SWP_PTX_ABS: *out = (int64_t)s[0] < 0 ? 0 - s[0] : s[0]; return true;
    case SWP_PTX_MIN: *out = less(s[0], s[1], is_signed) ? s[0] : s[1]; return true;
    case SWP_PTX_MAX: *out = less(s[0], s[1], is_signed) ? s[1] : s[0]; return true;
    case SWP_PTX_SELP: *out = s[2] & 1 ? s[0] : s[1]; return true;
    default: return false;
    }
    /* clang-format on */
}

swp_ptx_type swp_ptx_type_of_source(const swp_ptx_insn *insn, int index)
{
    static const swp_ptx_type word = {32, false};
    static const swp_ptx_type wide = {64, false};
    const bool amount = (index == 1 && (insn->kind == SWP_PTX_SHL || insn->kind == SWP_PTX_SHR)) ||
                        (index > 0 && insn->kind == SWP_PTX_BFE);
    const bool predicate = index == 2 && (insn->kind == SWP_PTX_SETP || insn->kind == SWP_PTX_SELP);
    const bool place = index > 1 && (insn->kind == SWP_PTX_BFI || insn->kind == SWP_PTX_SHF);
    if (amount || predicate || place || (insn->kind == SWP_PTX_LOP3 && index == 3))
        return word;
    if (insn->kind == SWP_PTX_CONVERT)
        return insn->source;
    return index == 2 && insn->wide ? wide : insn->type;
}

/* A narrow number that is converted fills its register with its sign. */
static bool fills_register(const swp_ptx_insn *insn)
{
    return insn->kind == SWP_PTX_CONVERT && insn->type.is_signed && insn->type.bits < 32;
}

static swp_ptx_type type_of_result(const swp_ptx_insn *insn)
{
    if (insn->kind == SWP_PTX_SETP)
        return (swp_ptx_type){1, false};
    if (insn->wide)
        return (swp_ptx_type){insn->type.bits * 2, false};
    return (swp_ptx_type){insn->type.bits, false};
}

bool swp_ptx_compute(const swp_ptx_insn *insn, const uint64_t *sources, int count, uint64_t *out)
{
    uint64_t s[SWP_PTX_MOST_SOURCES + 1] = {0};
    if (!insn->type.bits || !insn->source.bits)
        return false;
    for (int i = 0; i < count && i <= SWP_PTX_MOST_SOURCES; i++)
        s[i] = swp_ptx_extend(sources[i], swp_ptx_type_of_source(insn, i));
    if (!compute_plain(insn, s, out) && !compute_wide(insn, s, count, out))
        return false;
    const swp_ptx_type type = type_of_result(insn);
    if (fills_register(insn))
        *out = swp_ptx_extend(*out, insn->type);
    else
        *out &= mask_of(type.bits > 64 ? 64 : type.bits);
    return true;
}

/* --- all threads --- */

swp_ptx_sources swp_ptx_address_bit(const swp_ptx_value *value)
{
    bool is = swp_ptx_known(value) && swp_ptx_in_window(value->one);
    if (value->state == SWP_PTX_UNKNOWN)
        return value->depends & SWP_PTX_SHARED_ADDRESS;
    for (int lane = 0; lane < SWP_PTX_LANES && value->state == SWP_PTX_VARYING; lane++)
        is |= swp_ptx_in_window(value->lanes[lane]);
    return is ? SWP_PTX_SHARED_ADDRESS : 0;
}

bool swp_ptx_has_token(const swp_ptx_value *value, uint32_t lanes)
{
    return swp_ptx_known(value) && (value->tokens & lanes);
}

/* A factor of 0, a predicate that settles an `or` or `and`, whatever the other is. */
static bool decides(const swp_ptx_insn *insn, const swp_ptx_value *source, uint64_t *out)
{
    const uint64_t all = mask_of(insn->type.bits);
    if (source->state != SWP_PTX_UNIFORM || !insn->type.bits)
        return false;
    *out = insn->kind == SWP_PTX_OR ? all : 0;
    if (insn->kind == SWP_PTX_AND || (insn->kind == SWP_PTX_MUL && !swp_ptx_has(insn->name, "hi")))
        return (source->one & all) == 0;
    return insn->kind == SWP_PTX_OR && (source->one & all) == all;
}

static swp_ptx_value unknown_of(const swp_ptx_insn *insn, const swp_ptx_value *sources, int count)
{
    swp_ptx_sources depends = 0;
    uint64_t number = 0;
    for (int i = 0; i < count; i++) {
        if (count == 2 && decides(insn, &sources[i], &number))
            return swp_ptx_number(number);
        if (sources[i].state == SWP_PTX_UNKNOWN)
            depends |= sources[i].depends;
        else if (sources[i].state == SWP_PTX_UNDEFINED)
            depends |= SWP_PTX_DATA;
    }
    return swp_ptx_unknown(depends ? depends : SWP_PTX_DATA);
}

swp_ptx_value swp_ptx_evaluate(const swp_ptx_insn *insn, const swp_ptx_value *sources, int count,
                               uint64_t *room)
{
    uint64_t s[SWP_PTX_MOST_SOURCES + 1] = {0};
    bool same = true;
    bool known = true;
    for (int i = 0; i < count; i++) {
        known &= swp_ptx_known(&sources[i]);
        same &= sources[i].state == SWP_PTX_UNIFORM;
    }
    if (!known)
        return unknown_of(insn, sources, count);
    for (int lane = 0; lane < (same ? 1 : SWP_PTX_LANES); lane++) {
        for (int i = 0; i < count; i++)
            s[i] = swp_ptx_lane(&sources[i], lane);
        if (!swp_ptx_compute(insn, s, count, &room[lane]))
            return swp_ptx_unknown(SWP_PTX_DATA);
    }
    if (same)
        return swp_ptx_number(room[0]);
    return (swp_ptx_value){.state = SWP_PTX_VARYING, .lanes = room};
}
