/* SPDX-License-Identifier: Apache-2.0 */
/* What a row of the table cannot say of an instruction: its operands may make it another one. */
#include "audit/amd/decoder.h"
#include "audit/amd/table.h"

#include "base/names.h"

/* Operands that the row counts on. */
static void check_operands(swp_insn *insn)
{
    for (int i = 0; i < insn->destinations; i++)
        if (i >= insn->operand_count || insn->operands[i].kind != SWP_OPERAND_REGISTERS)
            swp_amd_set_unknown(insn, "no register where its result should be");
}

/*
 * Of old spellings, some leave out the scalar register that takes carries and comparisons, or the one
 * that a carry or a choice comes from.
 */
static void check_implied(const swp_amd_decoder *d)
{
    enum { CHOICE = 4, CARRY = 5 };
    const swp_insn *insn = d->insn;
    const bool compares = swp_code_slice_starts(d->name, "v_cmp");
    const int scalar = compares ? 0 : 1;
    const bool carries = swp_code_slice_starts(d->name, "v_addc_") ||
                         swp_code_slice_starts(d->name, "v_subb_") ||
                         swp_code_slice_starts(d->name, "v_subbrev_");
    if ((carries && insn->operand_count < CARRY) ||
        (swp_code_slice_starts(d->name, "v_cndmask_") && insn->operand_count < CHOICE))
        swp_amd_set_unknown(d->insn, "the scalar register that it reads is not written out");
    if (insn->kind != SWP_INSN_VECTOR || insn->reads_destination ||
        !(compares || insn->destinations == 2))
        return;
    if (insn->operands[scalar].first >= SWP_REG_VECTOR)
        swp_amd_set_unknown(d->insn, "the scalar register that it writes is not written out");
}

/*
 * Traps 2 and 3 are those of LLVM's ABI: an error, which halts the wave, and a breakpoint, after which
 * it goes on as it was. Of both nothing more is taken than that registers and memory stay.
 */
static void check_trap(const swp_amd_decoder *d)
{
    enum { ERROR = 2, BREAKPOINT = 3 };
    const swp_operand *number = &d->insn->operands[0];
    const bool in_abi = number->kind == SWP_OPERAND_NUMBER &&
                        (number->number == ERROR || number->number == BREAKPOINT);
    if (d->row->flags & SWP_AMD_TRAP && !in_abi)
        swp_amd_set_unknown(d->insn, "a trap that the ABI does not define");
}

/* LLVM's ABI has functions go back by s[30:31]; what another register holds may be anywhere. */
static void check_return(swp_insn *insn)
{
    enum { RETURN_ADDRESS = 30 };
    const swp_operand *to = &insn->operands[0];
    if (insn->kind == SWP_INSN_RETURN &&
        !(to->kind == SWP_OPERAND_REGISTERS && to->first == RETURN_ADDRESS && to->count == 2))
        insn->unknown = "goes on where a register says";
}

/*
 * Of the modes, those of rounding, denormals and exceptions change results alone. Further bits skip
 * vector instructions, or number their registers anew.
 */
static void check_mode(const swp_amd_decoder *d, swp_slice rest)
{
    enum { RESULTS_ONLY = 23 };
    int64_t first = 0;
    int64_t bits = 0;
    while (rest.length && !swp_code_slice_starts(rest, "hwreg("))
        rest = swp_code_slice_after(rest, 1);
    rest = swp_code_slice_after(rest, rest.length ? sizeof "hwreg(" - 1 : 0);
    swp_slice inside = swp_code_slice_take_until(&rest, ')');
    const bool mode = swp_code_slice_is(swp_code_slice_take_until(&inside, ','), "HW_REG_MODE");
    const bool read = swp_code_slice_number(swp_code_slice_take_until(&inside, ','), &first) &&
                      swp_code_slice_number(swp_code_slice_trim(inside), &bits);
    if (d->row->flags & SWP_AMD_MODE && !(mode && read && first + bits <= RESULTS_ONLY))
        swp_amd_set_unknown(d->insn,
                            "a hardware register whose change may change other instructions");
}

/* Assemblers take 0xffff and -1 for the same where an instruction has room for 16 bits. */
static void extend_short(const swp_amd_decoder *d)
{
    const uint32_t mask = 0xffff;
    const uint32_t sign = 0x8000;
    const bool is_unsigned = swp_code_slice_contains(d->name, "_u32");
    for (int i = 0; i < d->insn->operand_count && d->row->flags & SWP_AMD_SHORT; i++) {
        swp_operand *operand = &d->insn->operands[i];
        if (operand->kind == SWP_OPERAND_NUMBER && is_unsigned)
            operand->number &= mask;
        else if (operand->kind == SWP_OPERAND_NUMBER)
            operand->number = ((operand->number & mask) ^ sign) - sign;
    }
}

/* What memory models are made of, whatever the instruction itself accesses. */
static bool orders_memory(const swp_amd_decoder *d, swp_slice rest)
{
    static const char *const scopes[] = {"sc0", "sc1", "glc"};
    const swp_insn_kind kind = d->insn->kind;
    bool scoped = false;
    for (size_t i = 0; i < SWP_COUNT_OF(scopes); i++)
        scoped |= swp_code_slice_contains(rest, scopes[i]);
    return kind == SWP_INSN_ATOMIC || kind == SWP_INSN_FLAT_ATOMIC ||
           swp_code_slice_is(d->name, "buffer_inv") || swp_code_slice_is(d->name, "buffer_wbl2") ||
           (swp_code_insn_traits_of(kind)->counted[SWP_AUDIT_VM] && scoped);
}

/* A row of digits such as "op_sel_hi:[0,1]"; where it does not stand, all are `otherwise`. */
static void read_bits(swp_slice rest, const char *name, bool otherwise, bool out[3])
{
    size_t length = 0;
    while (name[length])
        length++;
    for (int i = 0; i < 3; i++)
        out[i] = otherwise;
    while (rest.length && !swp_code_slice_starts(rest, name))
        rest = swp_code_slice_after(rest, 1);
    rest = swp_code_slice_after(rest, rest.length ? length : 0);
    for (int i = 0; i < 3 && rest.length && rest.start[0] != ']'; i++) {
        out[i] = rest.start[0] == '1';
        rest = swp_code_slice_after(rest, rest.length > 1 ? 2 : 1);
    }
}

enum { ALL_SOURCES = 7 };

/*
 * Packed floats of 32 bits take both halves from either word of a pair: where it is one word, the other is not read.
 * AMD, "CDNA 3 ISA", "Packed 32-bit instructions".
 */
static void narrow_packed(const swp_amd_decoder *d, swp_slice rest)
{
    bool low[3];
    bool high[3];
    read_bits(rest, "op_sel:[", false, low);
    read_bits(rest, "op_sel_hi:[", true, high);
    const bool packs = swp_code_slice_is(d->name, "v_pk_fma_f32") ||
                       swp_code_slice_is(d->name, "v_pk_mul_f32") ||
                       swp_code_slice_is(d->name, "v_pk_add_f32");
    for (int i = 0; packs && i < 3; i++) {
        d->insn->by_halves = true;
        d->insn->half_sources[0] = d->insn->half_sources[1] = ALL_SOURCES;
        d->insn->half_words[0] |= (uint8_t)(low[i] << i);
        d->insn->half_words[1] |= (uint8_t)(high[i] << i);
    }
    for (int i = 0; packs && i < 3 && i + 1 < d->insn->operand_count; i++) {
        swp_operand *operand = &d->insn->operands[i + 1];
        if (operand->kind != SWP_OPERAND_REGISTERS || operand->count != 2 || low[i] != high[i])
            continue;
        operand->first = (int16_t)(operand->first + low[i]);
        operand->count = 1;
    }
}

/* Copies of two words: each is one of its own. Of v_pk_mov_b32 the first comes from the first pair, the other from the second. */
static void split_copy(const swp_amd_decoder *d, swp_slice rest)
{
    bool words[3];
    if (swp_code_slice_is(d->name, "v_mov_b64")) {
        d->insn->by_halves = true;
        d->insn->half_sources[0] = d->insn->half_sources[1] = 1;
        d->insn->half_words[1] = 1;
    } else if (swp_code_slice_is(d->name, "v_pk_mov_b32") &&
               swp_code_slice_contains(rest, "op_sel:[")) {
        read_bits(rest, "op_sel:[", false, words);
        d->insn->by_halves = true;
        for (int half = 0; half < 2; half++) {
            d->insn->half_sources[half] = (uint8_t)(1U << half);
            d->insn->half_words[half] = (uint8_t)(words[half] << half);
        }
    }
}

void swp_amd_check(const swp_amd_decoder *d, swp_slice rest)
{
    check_trap(d);
    check_return(d->insn);
    check_mode(d, rest);
    extend_short(d);
    narrow_packed(d, rest);
    split_copy(d, rest);
    d->insn->orders_memory = orders_memory(d, rest);
}

void swp_amd_check_registers(const swp_amd_decoder *d)
{
    check_operands(d->insn);
    check_implied(d);
}
