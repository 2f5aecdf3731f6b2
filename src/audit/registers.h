/* SPDX-License-Identifier: Apache-2.0 */
/* What the registers of a workgroup hold at one point of a program. */
#ifndef SWP_AUDIT_REGISTERS_H
#define SWP_AUDIT_REGISTERS_H

#include "audit/values.h"

typedef struct swp_registers {
    int values[SWP_REG_COUNT]; /* numbers of swp_values */
    /* Scalars that may differ between waves; of vector registers it is not asked. */
    bool varying[SWP_REG_COUNT];
} swp_registers;

/* At the start of a kernel: nothing is known but the thread's number and that all lanes are on. */
void swp_registers_start(swp_values *values, bool packed_ids, swp_registers *out);

/* What is known on both of two paths; returns whether that is less than `into` knew. */
bool swp_registers_join(swp_values *values, swp_registers *into, const swp_registers *from);

/* The effect of an instruction; `event` is what values loaded by it are known as. */
void swp_registers_run(swp_values *values, swp_registers *registers, const swp_insn *insn,
                       int event);

/* How a branch goes. */
typedef enum swp_branch_sense {
    SWP_BRANCH_ALIKE, /* all waves go the same way, this or that */
    SWP_BRANCH_KNOWN, /* it is known which way each wave goes */
    SWP_BRANCH_VARIES /* waves may go different ways */
} swp_branch_sense;

/* The first register that a branch asks. */
int swp_branch_register(const swp_insn *insn);

/* `taken`, one for each wave, is filled in where it is known which way. */
swp_branch_sense swp_registers_branch(const swp_values *values, const swp_registers *registers,
                                      const swp_insn *insn, bool taken[SWP_MOST_WAVES]);

/* The words of a register; NULL if they are not known. */
const uint32_t *swp_registers_words(const swp_values *values, const swp_registers *registers,
                                    int number);

#endif
