/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the text of an operand to registers by number; of what is no plain register or number only that
 * it is none.
 */
#include "audit/amd/amd.h"

#include "base/names.h"

/* X(name, first register, registers) */
#define NAMED_REGISTERS(X)                                                                         \
    X("vcc", SWP_REG_VCC, 2)                                                                       \
    X("vcc_lo", SWP_REG_VCC, 1)                                                                    \
    X("vcc_hi", SWP_REG_VCC + 1, 1)                                                                \
    X("m0", SWP_REG_M0, 1)                                                                         \
    X("exec", SWP_REG_EXEC, 2)                                                                     \
    X("exec_lo", SWP_REG_EXEC, 1)                                                                  \
    X("exec_hi", SWP_REG_EXEC + 1, 1)                                                              \
    X("flat_scratch", 102, 2)                                                                      \
    X("flat_scratch_lo", 102, 1)                                                                   \
    X("flat_scratch_hi", 103, 1)                                                                   \
    X("xnack_mask", 104, 2)                                                                        \
    X("xnack_mask_lo", 104, 1)                                                                     \
    X("xnack_mask_hi", 105, 1)                                                                     \
    X("scc", SWP_REG_SCC, 1)                                                                       \
    X("src_scc", SWP_REG_SCC, 1)

static const struct {
    const char *name;
    int first;
    int count;
} named[] = {
#define ROW(name, first, count) {name, first, count},
    NAMED_REGISTERS(ROW)
#undef ROW
};

static const struct {
    const char *prefix;
    int base;
    int count;
} banks[] = {{"ttmp", SWP_REG_TTMP, 16},
             {"v", SWP_REG_VECTOR, 256},
             {"a", SWP_REG_ACCUMULATOR, 256},
             {"s", 0, 102}};

static bool set_registers(swp_operand *out, int first, int count)
{
    out->kind = SWP_OPERAND_REGISTERS;
    out->first = (int16_t)first;
    out->count = (int16_t)count;
    return true;
}

/* "7", "[4:7]" or "[4]" after the name of a bank. */
static bool read_numbers(swp_slice text, int base, int most, swp_operand *out)
{
    int64_t first = 0;
    int64_t last = 0;
    if (swp_code_slice_starts(text, "[") && text.start[text.length - 1] == ']') {
        swp_slice inner = {text.start + 1, text.length - 2};
        const swp_slice low = swp_code_slice_take_until(&inner, ':');
        if (!swp_code_slice_number(low, &first))
            return false;
        last = first;
        if (inner.length && !swp_code_slice_number(swp_code_slice_trim(inner), &last))
            return false;
    } else if (swp_code_slice_number(text, &first)) {
        last = first;
    } else {
        return false;
    }
    /* No instruction has longer operands: an MFMA of 32x32 sums has 32. */
    enum { MOST_REGISTERS = 32 };
    return first >= 0 && last >= first && last < most && last - first < MOST_REGISTERS &&
           set_registers(out, base + (int)first, (int)(last - first) + 1);
}

static bool read_registers(swp_slice text, swp_operand *out)
{
    for (size_t i = 0; i < SWP_COUNT_OF(named); i++)
        if (swp_code_slice_is(text, named[i].name))
            return set_registers(out, named[i].first, named[i].count);
    for (size_t i = 0; i < SWP_COUNT_OF(banks); i++) {
        size_t length = 0;
        while (banks[i].prefix[length])
            length++;
        if (text.length > length && swp_code_slice_starts(text, banks[i].prefix) &&
            (text.start[length] == '[' || (text.start[length] >= '0' && text.start[length] <= '9')))
            return read_numbers(swp_code_slice_after(text, length), banks[i].base, banks[i].count,
                                out);
    }
    return false;
}

/* Takes away what changes the sign of a value: -x, |x|, abs(x), neg(x), sext(x). */
static swp_slice strip(swp_slice text, bool *altered)
{
    static const char *const functions[] = {"abs(", "neg(", "sext("};
    for (size_t i = 0; i < SWP_COUNT_OF(functions); i++)
        if (swp_code_slice_starts(text, functions[i]) && text.start[text.length - 1] == ')') {
            *altered = true;
            while (!swp_code_slice_starts(text, "("))
                text = swp_code_slice_after(text, 1);
            return strip((swp_slice){text.start + 1, text.length - 2}, altered);
        }
    if (text.length > 2 && text.start[0] == '|' && text.start[text.length - 1] == '|') {
        *altered = true;
        return strip((swp_slice){text.start + 1, text.length - 2}, altered);
    }
    const bool negated =
        text.length > 1 && text.start[0] == '-' && !(text.start[1] >= '0' && text.start[1] <= '9');
    if (!negated)
        return text;
    *altered = true;
    return strip(swp_code_slice_after(text, 1), altered);
}

/* Floats that instructions hold themselves: of 32 bits, which compilers also write for integers. */
static bool read_inline_float(swp_slice text, swp_operand *out)
{
    static const struct {
        const char *text;
        uint32_t word;
    } floats[] = {{"0.5", 0x3f000000},  {"-0.5", 0xbf000000}, {"1.0", 0x3f800000},
                  {"-1.0", 0xbf800000}, {"2.0", 0x40000000},  {"-2.0", 0xc0000000},
                  {"4.0", 0x40800000},  {"-4.0", 0xc0800000}};
    for (size_t i = 0; i < SWP_COUNT_OF(floats); i++)
        if (swp_code_slice_is(text, floats[i].text)) {
            out->kind = SWP_OPERAND_NUMBER;
            out->number = floats[i].word;
            return true;
        }
    return false;
}

static bool is_float(swp_slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (!(text.start[i] >= '0' && text.start[i] <= '9') && text.start[i] != '.' &&
            text.start[i] != '-' && text.start[i] != 'e' && text.start[i] != '+')
            return false;
    return true;
}

/*
 * A bare name may be a label, which only branches take, or one that .set gives to a register or number.
 * What the linker fills in is a number, and these are scalars that nothing loads.
 */
static bool is_constant(swp_slice text)
{
    static const char *const words[] = {"hwreg(", "src_shared_base", "src_shared_limit",
                                        "src_private_base", "src_private_limit"};
    for (size_t i = 0; i < SWP_COUNT_OF(words); i++)
        if (swp_code_slice_starts(text, words[i]))
            return true;
    return swp_code_slice_contains(text, "@rel") || swp_code_slice_contains(text, "@abs") ||
           swp_code_slice_contains(text, "@got");
}

static bool is_symbol(swp_slice text)
{
    const char first = text.start[0];
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' ||
           first == '.' || first == '$' || first == '"';
}

bool swp_amd_operand(swp_slice text, swp_operand *out)
{
    int64_t number = 0;
    *out = (swp_operand){.kind = SWP_OPERAND_NONE};
    text = strip(text, &out->altered);
    if (!text.length)
        return false;
    if (read_registers(text, out))
        return true;
    if (swp_code_slice_number(text, &number)) {
        const bool fits = number >= INT32_MIN && number <= UINT32_MAX;
        out->kind = fits ? SWP_OPERAND_NUMBER : SWP_OPERAND_NONE;
        out->number = (uint32_t)(uint64_t)number;
        return true;
    }
    if (read_inline_float(text, out))
        return true;
    if (swp_code_slice_is(text, "off") || is_float(text) || is_constant(text))
        return true;
    out->kind = SWP_OPERAND_SYMBOL;
    out->symbol = text;
    return is_symbol(text);
}
