/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of an instruction to what it does. */
#include "audit/amd.h"
#include "audit/amd_table.h"
#include "audit/value_ops.h"

#include "base/names.h"

enum { FAR_ELEMENTS = 64 };

typedef struct decoder {
    swp_insn *insn;
    const swp_amd_row *row;
    swp_slice name; /* without the suffix of an encoding */
    const char *target;
    int64_t offset;
    int64_t offsets[2];
    bool to_lds;
    bool returns;
    bool special; /* a modifier that changes what lanes or parts of registers it works on */
} decoder;

static const char lacking[] = "the target does not have this instruction";

static void set_unknown(swp_insn *insn, const char *why)
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
        if (swp_slice_is(modifier, words[i]))
            return true;
    return false;
}

static void read_modifier(decoder *d, swp_slice modifier)
{
    int64_t number = 0;
    d->returns |= swp_slice_is(modifier, "sc0") || swp_slice_is(modifier, "glc");
    if (swp_slice_is(modifier, "lds"))
        d->to_lds = true;
    else if (swp_slice_is(modifier, "gds"))
        set_unknown(d->insn, "global data share");
    else if (swp_slice_is(modifier, "tfe"))
        set_unknown(d->insn, "tfe writes one register more");
    else if (swp_slice_number_after(modifier, "bitop3:", &number))
        d->insn->value_number = (uint32_t)number;
    else if (swp_slice_number_after(modifier, "offset:", &d->offset) ||
             swp_slice_number_after(modifier, "offset0:", &d->offsets[0]) ||
             swp_slice_number_after(modifier, "offset1:", &d->offsets[1]))
        return;
    else if (swp_slice_starts(modifier, "offset") || swp_slice_starts(modifier, "bitop3"))
        set_unknown(d->insn, "a number of no known form");
    else if (!is_harmless(modifier))
        d->special = true;
}

static bool is_branch(swp_insn_kind kind)
{
    return kind == SWP_INSN_JUMP || kind == SWP_INSN_BRANCH;
}

static void read_operands(decoder *d, swp_slice rest)
{
    swp_insn *insn = d->insn;
    while (rest.length) {
        swp_slice piece = swp_slice_take_until(&rest, ',');
        const swp_slice word = swp_slice_take_word(&piece);
        if (insn->operand_count == SWP_MOST_OPERANDS) {
            set_unknown(insn, "more operands than any instruction of this target has");
            return;
        }
        const swp_operand *operand = &insn->operands[insn->operand_count];
        if (!swp_amd_operand(word, &insn->operands[insn->operand_count++]) ||
            (operand->kind == SWP_OPERAND_SYMBOL && !is_branch(d->row->kind)))
            set_unknown(insn, "an operand of no known form");
        while (piece.length)
            read_modifier(d, swp_slice_take_word(&piece));
    }
}

/* --- LDS --- */

/* Bytes of an element: the number in the first part such as b32, u8 or f16. */
static int element_size(swp_slice name)
{
    enum { BITS = 8, LARGEST = 128 };
    while (name.length) {
        swp_slice part = swp_slice_take_until(&name, '_');
        int64_t bits = 0;
        const bool typed = part.length > 1 && (part.start[0] == 'b' || part.start[0] == 'u' ||
                                               part.start[0] == 'i' || part.start[0] == 'f');
        if (typed && swp_slice_number(swp_slice_after(part, 1), &bits) && bits >= BITS &&
            bits <= LARGEST)
            return (int)bits / BITS;
    }
    return 0;
}

static int address_register(const swp_insn *insn)
{
    if (insn->destinations >= insn->operand_count)
        return -1;
    const swp_operand *operand = &insn->operands[insn->destinations];
    const bool plain = operand->kind == SWP_OPERAND_REGISTERS && operand->count == 1;
    return plain && !operand->altered ? operand->first : -1;
}

static void read_ds_access(decoder *d)
{
    enum { DWORD = 4 };
    swp_lds_access *lds = &d->insn->lds;
    const bool pair = (d->row->flags & (SWP_AMD_PAIR | SWP_AMD_FAR)) != 0;
    const bool packed = swp_slice_starts(d->name, "ds_pk_");
    const int scale = d->row->flags & SWP_AMD_FAR ? FAR_ELEMENTS : 1;
    lds->size = packed ? DWORD : element_size(d->name);
    lds->parts = pair ? 2 : 1;
    for (int i = 0; i < lds->parts; i++)
        lds->offsets[i] = (uint32_t)(pair ? d->offsets[i] * lds->size * scale : d->offset);
    lds->address = d->row->flags & SWP_AMD_M0 ? SWP_REG_M0 : address_register(d->insn);
    lds->lane_stride = d->row->flags & SWP_AMD_M0 ? DWORD : 0;
    if (lds->size == 0)
        set_unknown(d->insn, "an LDS access of no known size");
}

/*
 * A load to LDS writes, for each lane, its size at m0 + offset + lane * size; less than a dword
 * fills one. Where the three dwords of a dwordx3 go is not said in a place that we could check.
 */
static void read_load_to_lds(decoder *d)
{
    enum { DWORD = 4, FOUR_DWORDS = 16 };
    const bool four = swp_slice_contains(d->name, "dwordx4");
    const bool other = swp_slice_contains(d->name, "dwordx") && !four;
    swp_lds_access *lds = &d->insn->lds;
    lds->parts = 1;
    lds->offsets[0] = (uint32_t)d->offset;
    lds->size = four ? FOUR_DWORDS : DWORD;
    lds->lane_stride = lds->size;
    lds->address = other ? -1 : SWP_REG_M0;
    d->insn->destinations = 0;
    static const char wide[] = "global_load_lds_dwordx4";
    if ((four || other) && !swp_amd_has(d->target, (swp_slice){wide, sizeof wide - 1}))
        set_unknown(d->insn, lacking);
}

static void read_access(decoder *d)
{
    swp_insn *insn = d->insn;
    if (d->to_lds && insn->kind == SWP_INSN_LOAD)
        insn->kind = SWP_INSN_LOAD_TO_LDS;
    if ((insn->kind == SWP_INSN_ATOMIC || insn->kind == SWP_INSN_FLAT_ATOMIC) && d->returns)
        insn->destinations = 1;
    const swp_insn_traits *traits = swp_insn_traits_of(insn->kind);
    if (insn->kind == SWP_INSN_LOAD_TO_LDS)
        read_load_to_lds(d);
    else if (swp_slice_starts(d->name, "ds_") && (traits->reads_lds || traits->writes_lds))
        read_ds_access(d);
    else if (traits->reads_lds || traits->writes_lds)
        insn->lds = (swp_lds_access){.address = -1, .parts = 1};
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
            swp_slice_is(swp_slice_after(name, name.length - length), suffixes[i])) {
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
        set_unknown(insn, "a branch to no label");
}

/* Operands that the row counts on. */
static void check_operands(swp_insn *insn)
{
    for (int i = 0; i < insn->destinations; i++)
        if (i >= insn->operand_count || insn->operands[i].kind != SWP_OPERAND_REGISTERS)
            set_unknown(insn, "no register where its result should be");
}

static void set_implied(const decoder *d)
{
    enum { FLAT_SCRATCH = 102, PAIR = 2 };
    swp_operand *implied = &d->insn->implied;
    *implied = (swp_operand){.kind = SWP_OPERAND_NONE};
    if (d->row->flags & (SWP_AMD_BY_VCC | SWP_AMD_BY_SCRATCH))
        *implied = (swp_operand){.kind = SWP_OPERAND_REGISTERS, .count = PAIR};
    implied->first = d->row->flags & SWP_AMD_BY_VCC ? SWP_REG_VCC : FLAT_SCRATCH;
}

/*
 * Of old spellings, some leave out the scalar register that takes carries and comparisons, or the one
 * that a carry or a choice comes from.
 */
static void check_implied(const decoder *d)
{
    enum { CHOICE = 4, CARRY = 5 };
    const swp_insn *insn = d->insn;
    const bool compares = swp_slice_starts(d->name, "v_cmp");
    const int scalar = compares ? 0 : 1;
    const bool carries = swp_slice_starts(d->name, "v_addc_") ||
                         swp_slice_starts(d->name, "v_subb_") ||
                         swp_slice_starts(d->name, "v_subbrev_");
    if ((carries && insn->operand_count < CARRY) ||
        (swp_slice_starts(d->name, "v_cndmask_") && insn->operand_count < CHOICE))
        set_unknown(d->insn, "the scalar register that it reads is not written out");
    if (insn->kind != SWP_INSN_VECTOR || insn->reads_destination ||
        !(compares || insn->destinations == 2))
        return;
    if (insn->operands[scalar].first >= SWP_REG_VECTOR)
        set_unknown(d->insn, "the scalar register that it writes is not written out");
}

/* Copies, and conversions that fragments may go through on their way to a multiplication. */
static bool is_copy(const decoder *d)
{
    static const char *const conversions[] = {"v_cvt_", "v_pack_", "v_perm_"};
    if (d->special || d->insn->kind != SWP_INSN_VECTOR)
        return false;
    for (int i = d->insn->destinations; i < d->insn->operand_count; i++)
        if (d->insn->operands[i].altered)
            return false;
    for (size_t i = 0; i < SWP_COUNT_OF(conversions); i++)
        if (swp_slice_starts(d->name, conversions[i]))
            return true;
    return d->row->value == SWP_VALUE_MOV || d->row->value == SWP_VALUE_COPY_WIDE;
}

/*
 * Traps 2 and 3 are those of LLVM's ABI: an error, which halts the wave, and a breakpoint, after which
 * it goes on as it was. Of both nothing more is taken than that registers and memory stay.
 */
static void check_trap(const decoder *d)
{
    enum { ERROR = 2, BREAKPOINT = 3 };
    const swp_operand *number = &d->insn->operands[0];
    const bool in_abi = number->kind == SWP_OPERAND_NUMBER &&
                        (number->number == ERROR || number->number == BREAKPOINT);
    if (d->row->flags & SWP_AMD_TRAP && !in_abi)
        set_unknown(d->insn, "a trap that the ABI does not define");
}

/* LLVM's ABI has functions go back by s[30:31]; what another register holds may be anywhere. */
static void check_return(swp_insn *insn)
{
    enum { RETURN_ADDRESS = 30 };
    const swp_operand *to = &insn->operands[0];
    if (insn->kind == SWP_INSN_RETURN &&
        !(to->kind == SWP_OPERAND_REGISTERS && to->first == RETURN_ADDRESS && to->count == 2))
        set_unknown(insn, "goes on where a register says");
}

/*
 * Of the modes, those of rounding, denormals and exceptions change results alone. Further bits skip
 * vector instructions, or number their registers anew.
 */
static void check_mode(const decoder *d, swp_slice rest)
{
    enum { RESULTS_ONLY = 23 };
    int64_t first = 0;
    int64_t bits = 0;
    while (rest.length && !swp_slice_starts(rest, "hwreg("))
        rest = swp_slice_after(rest, 1);
    rest = swp_slice_after(rest, rest.length ? sizeof "hwreg(" - 1 : 0);
    swp_slice inside = swp_slice_take_until(&rest, ')');
    const bool mode = swp_slice_is(swp_slice_take_until(&inside, ','), "HW_REG_MODE");
    const bool read = swp_slice_number(swp_slice_take_until(&inside, ','), &first) &&
                      swp_slice_number(swp_slice_trim(inside), &bits);
    if (d->row->flags & SWP_AMD_MODE && !(mode && read && first + bits <= RESULTS_ONLY))
        set_unknown(d->insn, "a hardware register whose change may change other instructions");
}

void swp_amd_decode(const swp_statement *statement, const char *target, swp_insn *out)
{
    decoder d = {.insn = out, .target = target};
    *out = (swp_insn){.line = statement->line,
                      .text = statement->text,
                      .lds.address = -1,
                      .waits = {SWP_NO_WAIT, SWP_NO_WAIT},
                      .target = SWP_NO_TARGET};
    d.name = without_encoding(statement->name, &d.special);
    d.row = is_word(d.name) ? swp_amd_row_of(d.name) : NULL;
    if (!d.row) {
        set_unknown(out, "no row of the instruction table is about it");
        return;
    }
    if (!swp_amd_has(target, d.name)) {
        set_unknown(out, lacking);
        return;
    }
    out->kind = d.row->kind;
    out->destinations = d.row->destinations;
    out->reads_destination = (d.row->flags & SWP_AMD_RMW) != 0;
    out->writes_exec = (d.row->flags & SWP_AMD_EXEC) != 0;
    out->differs = (d.row->flags & SWP_AMD_OWN) != 0;
    out->keeps_scc = (d.row->flags & SWP_AMD_SCC) != 0;
    out->reads_scc = (d.row->flags & SWP_AMD_BY_SCC) != 0;
    if (out->kind == SWP_INSN_WAIT) {
        const char *problem = swp_amd_read_wait(statement->rest, out);
        if (problem)
            set_unknown(out, problem);
        return;
    }
    read_operands(&d, statement->rest);
    check_trap(&d);
    check_return(out);
    check_mode(&d, statement->rest);
    if (out->kind == SWP_INSN_NOTHING || out->unknown)
        return;
    out->value = d.special ? SWP_VALUE_UNKNOWN : d.row->value;
    read_access(&d);
    set_implied(&d);
    if (is_branch(out->kind))
        read_target(out);
    check_operands(out);
    check_implied(&d);
    out->modified = d.special;
    out->copies = is_copy(&d);
}
