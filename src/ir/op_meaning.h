/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers of an op a kernel reads, by its kind (docs/verification.md, "What an op does"). */
#ifndef SWP_IR_OP_MEANING_H
#define SWP_IR_OP_MEANING_H

#include "swp/config.h"

enum { SWP_MEMBER_TEXT_SIZE = 24 };

/* A member that is set although nothing reads it. */
typedef struct swp_idle_member {
    const char *name;                 /* as in the JSON */
    char value[SWP_MEMBER_TEXT_SIZE]; /* what it is */
    const char *unset;                /* what it has to be */
    bool of_placement; /* in a loop that places tiles by k offset it would mean something */
} swp_idle_member;

/*
 * Finds the first member that is set and means nothing. Ops of a kind that no kernel of the model
 * has keep theirs. @return false if there is none
 */
bool swp_ir_op_idle_member(const swp_op *op, swp_placement placement, swp_idle_member *out);

/* Whether the kind is the framework's (waits, barriers, hints) if and only if the tag is. */
bool swp_ir_op_role_fits_tag(const swp_op *op);

/* Whether the op has a place in LDS or a register that its channel, A or B, names. */
bool swp_ir_op_needs_channel(const swp_op *op, swp_placement placement);

#endif
