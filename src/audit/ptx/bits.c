/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of PTX that pick, count and turn bits (PTX ISA 9.0, "Integer Arithmetic Instructions", "prmt", "shf"). */
#include "audit/ptx/values.h"

static uint64_t count_ones(uint64_t a)
{
    uint64_t count = 0;
    for (; a; a &= a - 1)
        count++;
    return count;
}

static uint64_t leading_zeros(uint64_t a, int bits)
{
    uint64_t count = 0;
    while (count < (uint64_t)bits && !(a >> (bits - 1 - (int)count) & 1))
        count++;
    return count;
}

static uint64_t reversed(uint64_t a, int bits)
{
    uint64_t out = 0;
    for (int i = 0; i < bits; i++)
        out |= (a >> i & 1) << (bits - 1 - i);
    return out;
}

/* The low bits of a, in b, at a place. */
static uint64_t insert(const uint64_t *s, int bits)
{
    const int at = (int)(s[2] & 0xff);
    const int length = (int)(s[3] & 0xff);
    uint64_t out = s[1];
    for (int i = 0; i < length && at + i < bits; i++) {
        const uint64_t bit = UINT64_C(1) << (at + i);
        out = s[0] >> i & 1 ? out | bit : out & ~bit;
    }
    return out;
}

/* Four of eight bytes, or the signs of these. */
static uint64_t permute(const uint64_t *s)
{
    const uint64_t bytes = s[1] << 32 | s[0];
    uint64_t out = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t which = s[2] >> 4 * i & 0xf;
        uint64_t byte = bytes >> 8 * (which & 7) & 0xff;
        if (which & 8)
            byte = byte & 0x80 ? 0xff : 0;
        out |= byte << 8 * i;
    }
    return out;
}

/* A word of two that are shifted as one. */
static uint64_t funnel(const swp_ptx_insn *insn, const uint64_t *s)
{
    const uint64_t both = s[1] << 32 | s[0];
    const uint64_t by = swp_ptx_has(insn->name, "wrap") ? s[2] & 31 : s[2] < 32 ? s[2] : 32;
    return swp_ptx_has(insn->name, "l") ? both << by >> 32 : both >> by;
}

/* prmt has modes, by name, that are not followed. */
static bool has_mode(swp_slice name)
{
    static const char *const modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
    bool has = false;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        has |= swp_ptx_has(name, modes[i]);
    return has;
}

bool swp_ptx_compute_bits(const swp_ptx_insn *insn, const uint64_t *s, uint64_t *out)
{
    const int bits = insn->type.bits;
    switch (insn->kind) {
    case SWP_PTX_POPC:
        *out = count_ones(s[0]);
        return true;
    case SWP_PTX_CLZ:
        *out = leading_zeros(s[0], bits);
        return true;
    case SWP_PTX_BREV:
        *out = reversed(s[0], bits);
        return true;
    case SWP_PTX_BFI:
        *out = insert(s, bits);
        return true;
    case SWP_PTX_PRMT:
        *out = permute(s);
        return !has_mode(insn->name);
    case SWP_PTX_SHF:
        *out = funnel(insn, s);
        return true;
    default:
        return false;
    }
}
