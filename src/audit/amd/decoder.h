/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction of AMD's assembly while its text is read. */
#ifndef SWP_AUDIT_AMD_DECODER_H
#define SWP_AUDIT_AMD_DECODER_H

#include "audit/amd/amd.h"

typedef struct swp_amd_decoder {
    swp_insn *insn;
    const swp_amd_row *row;
    swp_slice name; /* without the suffix of an encoding */
    swp_processor target;
    int64_t offset;
    int64_t offsets[2];
    bool to_lds;
    bool returns;
    bool special; /* a modifier that changes what lanes or parts of registers it works on */
} swp_amd_decoder;

extern const char swp_amd_lacking[];

void swp_amd_set_unknown(swp_insn *insn, const char *why);

/*
 * Whether an instruction with selected parts of sources computes what its row says: those are noted at the operands, and
 * nothing else is modified.
 */
bool swp_amd_read_sdwa(const swp_statement *statement, swp_insn *insn);

/* What LDS the instruction accesses, by its name, modifiers and operands; a load may turn out to be one to LDS. */
void swp_amd_read_access(swp_amd_decoder *d);

/* Makes unknown what the row of the table does not speak for: operands, traps, modes, jumps. */
void swp_amd_check(const swp_amd_decoder *d, swp_slice rest);
void swp_amd_check_registers(const swp_amd_decoder *d);

#endif
