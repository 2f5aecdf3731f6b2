/* SPDX-License-Identifier: Apache-2.0 */
/* What kind of entry an op is by its tag, where lists are read or written and effects are not asked. */
#ifndef SWP_IR_ENTRY_H
#define SWP_IR_ENTRY_H

#include "ir/sync_objects.h"

/* An op of the kernel or loop, and no wait, barrier or hint of the framework. */
static inline bool swp_ir_is_work(const swp_op *op)
{
    return op->tag < SWP_FIRST_INFRASTRUCTURE_TAG || op->tag > SWP_TAG_NONE;
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
