/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that compute on bytes and halves of their sources. AMD, "CDNA 3 ISA", "Sub-Dword Addressing". */
#include "audit/amd/decoder.h"

#include "base/names.h"

static const struct {
    const char *name;
    uint8_t first;
    uint8_t bits;
} parts[] = {{"DWORD", 0, 0},  {"WORD_0", 0, 16}, {"WORD_1", 16, 16}, {"BYTE_0", 0, 8},
             {"BYTE_1", 8, 8}, {"BYTE_2", 16, 8}, {"BYTE_3", 24, 8}};

static bool read_part(swp_slice name, swp_operand *source)
{
    for (size_t i = 0; i < SWP_COUNT_OF(parts); i++)
        if (swp_code_slice_is(name, parts[i].name)) {
            source->part_first = parts[i].first;
            source->part_bits = parts[i].bits;
            return true;
        }
    return false;
}

/* Modifiers that leave the result what the table says of whole registers, or of parts of the sources. */
static bool read_modifier(swp_slice modifier, swp_insn *insn)
{
    static const char *const selections[] = {"src0_sel:", "src1_sel:"};
    enum { SELECTION_LENGTH = 9 };
    for (int i = 0; i < (int)SWP_COUNT_OF(selections); i++)
        if (swp_code_slice_starts(modifier, selections[i]))
            return insn->destinations + i < insn->operand_count &&
                   read_part(swp_code_slice_after(modifier, SELECTION_LENGTH),
                             &insn->operands[insn->destinations + i]);
    return swp_code_slice_is(modifier, "dst_sel:DWORD") ||
           swp_code_slice_starts(modifier, "dst_unused:");
}

bool swp_amd_read_sdwa(const swp_statement *statement, swp_insn *insn)
{
    swp_slice rest = statement->rest;
    if (!swp_code_slice_contains(statement->name, "_sdwa"))
        return false;
    while (rest.length) {
        swp_slice piece = swp_code_slice_take_until(&rest, ',');
        swp_code_slice_take_word(&piece);
        while (piece.length)
            if (!read_modifier(swp_code_slice_take_word(&piece), insn))
                return false;
    }
    return true;
}
