/* SPDX-License-Identifier: Apache-2.0 */
/* What kind of entry an op is by its tag, where lists are read or written and effects are not asked. */
#ifndef SWP_IR_ENTRY_H
#define SWP_IR_ENTRY_H

#include "swp/compile.h"
#include "swp/loop.h"

typedef enum swp_wait_kind { SWP_WAIT_FOR_VM, SWP_WAIT_FOR_LGKM } swp_wait_kind;

/* An op of the kernel or loop, and no wait, barrier or hint of the framework. */
static inline bool swp_ir_is_work(const swp_op *op)
{
    return op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE;
}

/* The op of the schedule's loop that an entry does; NULL: it does none. */
static inline const swp_loop_op *swp_ir_loop_op(const swp_schedule *schedule, const swp_op *op)
{
    if (!schedule->dataflow || !swp_ir_is_work(op))
        return NULL;
    return &schedule->dataflow->loop->ops[swp_loop_op_of_tag(op->tag)];
}

static inline bool swp_ir_is_barrier(const swp_op *op)
{
    return op->tag == SWP_TAG_BARRIER;
}

static inline bool swp_ir_is_wait(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

/* Of a wait. */
static inline swp_wait_kind swp_ir_wait_kind(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM ? SWP_WAIT_FOR_VM : SWP_WAIT_FOR_LGKM;
}

/* The most accesses in flight that the counter of a wait can count. */
static inline int swp_ir_most_in_flight(const swp_machine *machine, swp_wait_kind wait)
{
    return wait == SWP_WAIT_FOR_VM ? machine->vm_max : machine->lgkm_max;
}

#endif
