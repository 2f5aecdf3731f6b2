/* SPDX-License-Identifier: Apache-2.0 */
/* The abstract values of the registers of a workgroup at one point of a program. */
#ifndef SWP_AUDIT_FLOW_REGISTERS_H
#define SWP_AUDIT_FLOW_REGISTERS_H

#include "audit/flow/values.h"

/*
 * What a register may vary with: the bits of the thread's number, of which a scalar has those of waves
 * alone, and what must hold besides. An instruction hands them on from what it reads to what it writes.
 */
enum {
    SWP_VARIES_BY_LANE = SWP_WAVE - 1,
    SWP_VARIES = SWP_MOST_THREADS - 1,
    SWP_VARIES_WITH_MEMORY = 1 << 10, /* only if memory that is loaded from changes meanwhile */
    SWP_VARIES_WITH_ARGUMENTS =
        1 << 11 /* only if the first two scalars do not point to arguments */
};

/* A vector register in whose lanes scalars are kept. */
typedef struct swp_spilled_scalars {
    int16_t number; /* 0: none */
    uint16_t varying[SWP_WAVE];
} swp_spilled_scalars;

/* So many of them are followed at once. */
enum { SWP_SPILL_REGISTERS = 4 };

typedef struct swp_registers {
    int values[SWP_REG_COUNT]; /* numbers of swp_values */
    uint16_t varying[SWP_REG_COUNT];
    swp_spilled_scalars spilled[SWP_SPILL_REGISTERS];
} swp_registers;

/*
 * At the start of a kernel: the thread's number, that all lanes are on, and which scalars the dispatcher
 * sets up. Anything else is left over from other waves, or tells waves apart.
 */
void swp_flow_registers_start(swp_values *values, const swp_function *function, swp_registers *out);

/* The join: what is known on both of two paths; returns whether that is less than `into` knew. */
bool swp_flow_registers_join(swp_values *values, swp_registers *into, const swp_registers *from);

/* The transfer function of an instruction; `event` is what values loaded by it are known as. */
void swp_flow_registers_transfer(swp_values *values, swp_registers *registers, const swp_insn *insn,
                                 int event);

/* How a branch goes. */
typedef enum swp_branch_sense {
    SWP_BRANCH_UNIFORM,  /* all waves take it, or none does */
    SWP_BRANCH_KNOWN,    /* it is known which waves take it */
    SWP_BRANCH_DIVERGENT /* some waves may take it, and others not */
} swp_branch_sense;

/* The first register of a branch's condition. */
int swp_flow_branch_register(const swp_insn *insn);

/* `taken`, one for each wave, is filled in where that is known. */
swp_branch_sense swp_flow_registers_branch(const swp_values *values, const swp_registers *registers,
                                           const swp_insn *insn, bool taken[SWP_MOST_WAVES]);

/* The successor that all waves go on to, 1 for the branch's target; -1: that is not known. */
int swp_flow_registers_only_way(const swp_values *values, const swp_registers *registers,
                                const swp_insn *insn);

/* What must hold for a uniform branch to be so: bits as above. */
unsigned swp_flow_registers_branch_doubts(const swp_registers *registers, const swp_insn *insn);

/* The words of a register; NULL if they are not known. */
const uint32_t *swp_flow_registers_words(const swp_values *values, const swp_registers *registers,
                                         int number);

#endif
