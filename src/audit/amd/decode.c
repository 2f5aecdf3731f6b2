/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of an instruction to what it does. */
#include "audit/amd/decoder.h"
#include "audit/amd/table.h"
#include "audit/flow/value_ops.h"

#include "base/names.h"

const char swp_amd_lacking[] = "the target does not have this instruction";

void swp_amd_set_unknown(swp_insn *insn, const char *why)
{
    insn->kind = SWP_INSN_UNKNOWN;
    insn->unknown = why;
    insn->destinations = 0;
    insn->lds = (swp_lds_access){.address = -1};
}

/* --- operands and modifiers --- */

/* Modifiers that change nothing that the audit looks at: caching, and how an address is added up. */
static bool is_harmless(swp_slice modifier)
{
    static const char *const words[] = {"sc0", "sc1", "nt", "offen", "idxen", "glc", "slc"};
    for (size_t i = 0; i < SWP_COUNT_OF(words); i++)
        if (swp_code_slice_is(modifier, words[i]))
            return true;
    return false;
}

static void read_modifier(swp_amd_decoder *d, swp_slice modifier)
{
    int64_t number = 0;
    d->returns |= swp_code_slice_is(modifier, "sc0") || swp_code_slice_is(modifier, "glc");
    if (swp_code_slice_is(modifier, "lds"))
        d->to_lds = true;
    else if (swp_code_slice_is(modifier, "gds"))
        swp_amd_set_unknown(d->insn, "global data share");
    else if (swp_code_slice_is(modifier, "tfe"))
        swp_amd_set_unknown(d->insn, "tfe writes one register more");
    else if (swp_code_slice_number_after(modifier, "bitop3:", &number))
        d->insn->value_number = (uint32_t)number;
    else if (swp_code_slice_number_after(modifier, "offset:", &d->offset) ||
             swp_code_slice_number_after(modifier, "offset0:", &d->offsets[0]) ||
             swp_code_slice_number_after(modifier, "offset1:", &d->offsets[1]))
        return;
    else if (swp_code_slice_starts(modifier, "offset") || swp_code_slice_starts(modifier, "bitop3"))
        swp_amd_set_unknown(d->insn, "a number of no known form");
    else if (!is_harmless(modifier))
        d->special = true;
}

static bool is_branch(swp_insn_kind kind)
{
    return kind == SWP_INSN_JUMP || kind == SWP_INSN_BRANCH;
}

static void read_operands(swp_amd_decoder *d, swp_slice rest)
{
    swp_insn *insn = d->insn;
    while (rest.length) {
        swp_slice piece = swp_code_slice_take_until(&rest, ',');
        const swp_slice word = swp_code_slice_take_word(&piece);
        if (insn->operand_count == SWP_MOST_OPERANDS) {
            swp_amd_set_unknown(insn, "more operands than any instruction of this target has");
            return;
        }
        const swp_operand *operand = &insn->operands[insn->operand_count];
        if (!swp_amd_operand(word, &insn->operands[insn->operand_count++]) ||
            (operand->kind == SWP_OPERAND_SYMBOL && !is_branch(d->row->kind)))
            swp_amd_set_unknown(insn, "an operand of no known form; of assembly by hand give what "
                                      "llvm-mc makes of it");
        while (piece.length)
            read_modifier(d, swp_code_slice_take_word(&piece));
    }
}

/* --- the whole instruction --- */

static swp_slice without_encoding(swp_slice name, bool *special)
{
    static const char *const suffixes[] = {"_e32", "_e64", "_dpp", "_sdwa"};
    enum { FIRST_SPECIAL = 2 };
    for (size_t i = 0; i < SWP_COUNT_OF(suffixes); i++) {
        size_t length = 0;
        while (suffixes[i][length])
            length++;
        if (name.length > length &&
            swp_code_slice_is(swp_code_slice_after(name, name.length - length), suffixes[i])) {
            name.length -= length;
            *special |= i >= FIRST_SPECIAL;
            return without_encoding(name, special);
        }
    }
    return name;
}

static bool is_word(swp_slice name)
{
    for (size_t i = 0; i < name.length; i++) {
        const char c = name.start[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
            return false;
    }
    return true;
}

static void read_target(swp_insn *insn)
{
    if (insn->operand_count == 1 && insn->operands[0].kind == SWP_OPERAND_SYMBOL)
        insn->target_name = insn->operands[0].symbol;
    else
        swp_amd_set_unknown(insn, "a branch to no label");
}

static void set_implied(const swp_amd_decoder *d)
{
    enum { FLAT_SCRATCH = 102, PAIR = 2 };
    swp_operand *implied = &d->insn->implied;
    *implied = (swp_operand){.kind = SWP_OPERAND_NONE};
    if (d->row->flags & (SWP_AMD_BY_VCC | SWP_AMD_BY_SCRATCH))
        *implied = (swp_operand){.kind = SWP_OPERAND_REGISTERS, .count = PAIR};
    implied->first = d->row->flags & SWP_AMD_BY_VCC ? SWP_REG_VCC : FLAT_SCRATCH;
}

/* Copies, and conversions that fragments may go through on their way to a multiplication. */
static bool is_copy(const swp_amd_decoder *d)
{
    static const char *const conversions[] = {"v_cvt_", "v_pack_", "v_perm_"};
    if (d->special || d->insn->kind != SWP_INSN_VECTOR)
        return false;
    for (int i = d->insn->destinations; i < d->insn->operand_count; i++)
        if (d->insn->operands[i].altered)
            return false;
    for (size_t i = 0; i < SWP_COUNT_OF(conversions); i++)
        if (swp_code_slice_starts(d->name, conversions[i]))
            return true;
    return d->row->value == SWP_VALUE_MOV || d->row->value == SWP_VALUE_COPY_WIDE;
}

/*
 * Results of less than a register leave the rest as it was, or clear it; which of the two is not told
 * apart here. Packed ones have both halves.
 */
static bool keeps_part(swp_slice name)
{
    static const char *const whole[] = {"v_pk_",   "v_pack_",    "v_cvt_pk_bf16_", "v_cvt_pk_f16_",
                                        "v_mfma_", "v_cvt_f32_", "v_cvt_f16_f32"};
    static const char *const parts[] = {"16", "8"};
    if (!swp_code_slice_starts(name, "v_"))
        return swp_code_slice_contains(name, "_d16");
    for (size_t i = 0; i < SWP_COUNT_OF(whole); i++)
        if (swp_code_slice_starts(name, whole[i]))
            return false;
    for (size_t i = 0; i < SWP_COUNT_OF(parts); i++)
        if (swp_code_slice_contains(name, parts[i]))
            return true;
    return false;
}

/*
 * Of a DPP instruction: all rows and banks are written, and lanes that have no source get 0. AMD, "CDNA 3 ISA", "Data Parallel
 * Primitives".
 */
static bool writes_all_lanes(const swp_statement *statement)
{
    return swp_code_slice_contains(statement->name, "_dpp") &&
           swp_code_slice_contains(statement->rest, " row_mask:0xf bank_mask:0xf bound_ctrl:");
}

/*
 * Of an SDWA instruction: it writes all of a register, or clears what it does not select. AMD, "CDNA 3 ISA", "Sub-Dword
 * Addressing".
 */
static bool writes_all_parts(const swp_statement *statement)
{
    return swp_code_slice_contains(statement->name, "_sdwa") &&
           (swp_code_slice_contains(statement->rest, " dst_sel:DWORD ") ||
            swp_code_slice_contains(statement->rest, " dst_unused:UNUSED_PAD") ||
            swp_code_slice_contains(statement->rest, " dst_unused:UNUSED_SEXT"));
}

static const char no_row[] =
    "the audit does not know this instruction; if a macro makes others of it, give what llvm-mc "
    "makes of the file";

void swp_amd_decode(const swp_statement *statement, swp_processor target, swp_insn *out)
{
    swp_amd_decoder d = {.insn = out, .target = target};
    *out = swp_code_insn_new(statement->line, statement->text);
    d.name = without_encoding(statement->name, &d.special);
    d.row = is_word(d.name) ? swp_amd_row_of(d.name) : NULL;
    if (!d.row) {
        swp_amd_set_unknown(out, no_row);
        return;
    }
    if (!swp_amd_has(target, d.name)) {
        swp_amd_set_unknown(out, swp_amd_lacking);
        return;
    }
    /* Waits and barriers whose names go on are those of other machines, and do something else. */
    const bool synchronises = d.row->kind == SWP_INSN_WAIT || d.row->kind == SWP_INSN_BARRIER;
    if (synchronises && !swp_code_slice_is(d.name, d.row->name)) {
        swp_amd_set_unknown(out, no_row);
        return;
    }
    out->kind = d.row->kind;
    out->destinations = d.row->destinations;
    out->reads_destination = (d.row->flags & SWP_AMD_RMW) != 0;
    out->writes_exec = (d.row->flags & SWP_AMD_EXEC) != 0;
    out->differs = (d.row->flags & SWP_AMD_OWN) != 0;
    out->by_lane = (d.row->flags & SWP_AMD_LANES) != 0;
    out->keeps_scc = (d.row->flags & SWP_AMD_SCC) != 0;
    out->reads_scc = (d.row->flags & SWP_AMD_BY_SCC) != 0;
    if (out->kind == SWP_INSN_WAIT) {
        const char *problem = swp_amd_read_wait(statement->rest, out);
        if (problem)
            swp_amd_set_unknown(out, problem);
        return;
    }
    /* Controls of caches have scopes for operands. */
    if (out->kind != SWP_INSN_NOTHING || !swp_code_slice_starts(d.name, "buffer_"))
        read_operands(&d, statement->rest);
    swp_amd_check(&d, statement->rest);
    if (out->kind == SWP_INSN_NOTHING || out->unknown)
        return;
    out->value = d.special && !swp_amd_read_sdwa(statement, out) ? SWP_VALUE_UNKNOWN : d.row->value;
    swp_amd_read_access(&d);
    set_implied(&d);
    if (is_branch(out->kind))
        read_target(out);
    swp_amd_check_registers(&d);
    out->modified = d.special && !swp_code_slice_starts(d.name, "v_pk_");
    out->keeps_part =
        (out->modified && !writes_all_lanes(statement) && !writes_all_parts(statement)) ||
        keeps_part(d.name);
    out->copies = is_copy(&d);
}
