/* SPDX-License-Identifier: Apache-2.0 */
/* What one instruction computes from the values of registers. */
#ifndef SWP_AUDIT_FLOW_EVAL_H
#define SWP_AUDIT_FLOW_EVAL_H

#include "audit/flow/registers.h"

typedef struct swp_execution {
    swp_values *values;
    swp_registers *registers;
    const swp_insn *insn;
    int event; /* what it makes is known as; -1: nothing */
} swp_execution;

/* The result of an instruction on words; none if it cannot be told. */
int swp_flow_eval(const swp_execution *m);

/* Whether it works on two words at once, and the result in either. */
bool swp_flow_is_wide(const swp_insn *insn);
int swp_flow_eval_half(const swp_execution *m, int half);

/* The bit that a scalar comparison makes. */
int swp_flow_scalar_comparison(const swp_execution *m);

/* A vector comparison's bits, one a lane, as two words, as far as they can be told. */
void swp_flow_execute_mask(const swp_execution *m, int out[2]);

/* What is copied or converted from values of one producer, and of no other, counts as that producer's. */
int swp_flow_derived(const swp_execution *m);

/* Whether a thread's lane is on, by a mask in two registers. */
typedef enum swp_lane_state { SWP_LANE_OFF, SWP_LANE_MAYBE, SWP_LANE_ON } swp_lane_state;

swp_lane_state swp_flow_lane_state(const swp_values *values, const swp_registers *registers,
                                   int mask, int thread);

#endif
