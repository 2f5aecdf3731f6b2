/* SPDX-License-Identifier: Apache-2.0 */
/* Which LDS bytes an instruction accesses: address register, offsets, size. */
#include "audit/amd/decoder.h"
#include "audit/amd/table.h"

#include "base/names.h"

#include <string.h>

enum { FAR_ELEMENTS = 64 };

/* Bytes of an element: the number in the first part such as b32, u8 or f16. */
static int element_size(swp_slice name)
{
    enum { BITS = 8, LARGEST = 128 };
    while (name.length) {
        swp_slice part = swp_code_slice_take_until(&name, '_');
        int64_t bits = 0;
        const bool typed = part.length > 1 && (part.start[0] == 'b' || part.start[0] == 'u' ||
                                               part.start[0] == 'i' || part.start[0] == 'f');
        if (typed && swp_code_slice_number(swp_code_slice_after(part, 1), &bits) && bits >= BITS &&
            bits <= LARGEST)
            return (int)bits / BITS;
    }
    return 0;
}

/* X(name without _rtn and the number of bits, what it computes); any other is of no such kind. */
#define ATOMICS(X)                                                                                 \
    X("ds_add_u", SUM)                                                                             \
    X("ds_sub_u", SUM)                                                                             \
    X("ds_and_b", AND)                                                                             \
    X("ds_or_b", OR)                                                                               \
    X("ds_xor_b", XOR)                                                                             \
    X("ds_min_i", MIN_SIGNED)                                                                      \
    X("ds_min_u", MIN_UNSIGNED)                                                                    \
    X("ds_max_i", MAX_SIGNED)                                                                      \
    X("ds_max_u", MAX_UNSIGNED)

/* ds_add_rtn_u32 computes what ds_add_u32 does. */
static swp_atomic atomic_of(swp_slice name)
{
    static const struct {
        const char *name;
        swp_atomic atomic;
    } atomics[] = {
#define ROW(name, atomic) {name, SWP_ATOMIC_##atomic},
        ATOMICS(ROW)
#undef ROW
    };
    static const char returns[] = "_rtn";
    for (size_t i = 0; i < SWP_COUNT_OF(atomics); i++) {
        const char *type = strrchr(atomics[i].name, '_');
        const size_t length = (size_t)(type - atomics[i].name);
        swp_slice rest = name;
        if (name.length <= length || memcmp(name.start, atomics[i].name, length) != 0)
            continue;
        rest = swp_code_slice_after(rest, length);
        rest = swp_code_slice_after(rest,
                                    swp_code_slice_starts(rest, returns) ? sizeof returns - 1 : 0);
        if (swp_code_slice_starts(rest, type))
            return atomics[i].atomic;
    }
    return SWP_ATOMIC_OTHER;
}

static int address_register(const swp_insn *insn)
{
    if (insn->destinations >= insn->operand_count)
        return -1;
    const swp_operand *operand = &insn->operands[insn->destinations];
    const bool plain = operand->kind == SWP_OPERAND_REGISTERS && operand->count == 1;
    return plain && !operand->altered ? operand->first : -1;
}

static void read_ds_access(swp_amd_decoder *d)
{
    enum { DWORD = 4 };
    swp_lds_access *lds = &d->insn->lds;
    const bool pair = (d->row->flags & (SWP_AMD_PAIR | SWP_AMD_FAR)) != 0;
    const bool packed = swp_code_slice_starts(d->name, "ds_pk_");
    const int scale = d->row->flags & SWP_AMD_FAR ? FAR_ELEMENTS : 1;
    lds->size = packed ? DWORD : element_size(d->name);
    d->insn->atomic = atomic_of(d->name);
    lds->parts = pair ? 2 : 1;
    for (int i = 0; i < lds->parts; i++)
        lds->offsets[i] = (uint32_t)(pair ? d->offsets[i] * lds->size * scale : d->offset);
    lds->address = d->row->flags & SWP_AMD_M0 ? SWP_REG_M0 : address_register(d->insn);
    lds->lane_stride = d->row->flags & SWP_AMD_M0 ? DWORD : 0;
    if (lds->size == 0)
        swp_amd_set_unknown(d->insn, "an LDS access of no known size");
}

/*
 * A load to LDS writes, for each lane, its size at m0 + offset + lane * size; less than a dword
 * fills one. Where the three dwords of a dwordx3 go is not said in a place that we could check.
 */
static void read_load_to_lds(swp_amd_decoder *d)
{
    enum { DWORD = 4, FOUR_DWORDS = 16 };
    const bool four = swp_code_slice_contains(d->name, "dwordx4");
    const bool other = swp_code_slice_contains(d->name, "dwordx") && !four;
    swp_lds_access *lds = &d->insn->lds;
    lds->parts = 1;
    lds->offsets[0] = (uint32_t)d->offset;
    lds->size = four ? FOUR_DWORDS : DWORD;
    lds->lane_stride = lds->size;
    lds->address = other ? -1 : SWP_REG_M0;
    d->insn->destinations = 0;
    static const char wide[] = "global_load_lds_dwordx4";
    if ((four || other) && !swp_amd_has(d->target, (swp_slice){wide, sizeof wide - 1}))
        swp_amd_set_unknown(d->insn, swp_amd_lacking);
}

/* Private memory at an offset that is written out: the dwords of it that are followed. */
static void read_spilled(swp_amd_decoder *d)
{
    enum { DWORD = 4, OPERANDS = 3, OFFSET = 2 };
    swp_insn *insn = d->insn;
    const bool stores = insn->kind == SWP_INSN_STORE;
    if (!(stores ? swp_code_slice_starts(d->name, "scratch_store_dword")
                 : insn->kind == SWP_INSN_LOAD &&
                       swp_code_slice_starts(d->name, "scratch_load_dword")) ||
        insn->operand_count != OPERANDS || d->special)
        return;
    const swp_operand *data = &insn->operands[stores ? 1 : 0];
    const bool fixed = insn->operands[stores ? 0 : 1].kind == SWP_OPERAND_NONE &&
                       insn->operands[OFFSET].kind == SWP_OPERAND_NONE;
    insn->spills_beyond = stores && fixed && d->offset >= (int64_t)DWORD * SWP_MOST_SPILLED;
    if (fixed && data->kind == SWP_OPERAND_REGISTERS && d->offset >= 0 && d->offset % DWORD == 0 &&
        d->offset / DWORD + data->count <= SWP_MOST_SPILLED)
        insn->spilled = (swp_operand){.kind = SWP_OPERAND_REGISTERS,
                                      .first = (int16_t)(SWP_REG_SPILLED + d->offset / DWORD),
                                      .count = data->count};
}

void swp_amd_read_access(swp_amd_decoder *d)
{
    swp_insn *insn = d->insn;
    if (d->to_lds && insn->kind == SWP_INSN_LOAD)
        insn->kind = SWP_INSN_LOAD_TO_LDS;
    if ((insn->kind == SWP_INSN_ATOMIC || insn->kind == SWP_INSN_FLAT_ATOMIC) && d->returns)
        insn->destinations = 1;
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    if (insn->kind == SWP_INSN_LOAD_TO_LDS)
        read_load_to_lds(d);
    else if (swp_code_slice_starts(d->name, "ds_") && (traits->reads_lds || traits->writes_lds))
        read_ds_access(d);
    else if (traits->reads_lds || traits->writes_lds)
        insn->lds = (swp_lds_access){.address = -1, .parts = 1};
    read_spilled(d);
    insn->lds.limit = swp_code_processor_row(d->target)->lds_bytes;
}
