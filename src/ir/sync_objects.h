/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an access is tracked by until it is retired (docs/objects.md). The table is in sync_objects.c. Who executes
 * and judges schedules by itself has tables of its own (src/run/, tests/judges/), and takes nothing of this.
 */
#ifndef SWP_IR_SYNC_OBJECTS_H
#define SWP_IR_SYNC_OBJECTS_H

#include "ir/completions.h"
#include "ir/entry.h"
#include "swp/config.h"
#include "swp/loop.h"

typedef enum swp_sync_object {
    SWP_VMCNT,
    SWP_LGKMCNT,
    SWP_COPY_GROUP,
    SWP_MATRIX_GROUP,
    SWP_COPY_MBARRIER,
    SWP_MATRIX_MBARRIER,
    SWP_SYNC_OBJECTS,
    SWP_NO_OBJECT = SWP_SYNC_OBJECTS /* of an op that is done when it issues */
} swp_sync_object;

typedef struct swp_sync_object_row {
    swp_completion kind; /* only a counter has a largest count, which the machine states */
    swp_wait_kind wait;
    bool fence_retires; /* a fenced barrier does */
    bool in_order;      /* a wave's operations on it take effect as they are issued */
} swp_sync_object_row;

/* As the manual and messages call it. */
const char *swp_ir_sync_object_name(swp_sync_object object);

/* Of an object, not of none. */
const swp_sync_object_row *swp_ir_sync_object_row(swp_sync_object object);

/* What the op's accesses are tracked by in its wave (docs/loops-proof.md, "What an entry does"). */
swp_sync_object swp_ir_loop_object_of(const swp_loop *loop, const swp_loop_op *op);

/* Whether operations on the two, by one wave, take effect as they are issued. */
bool swp_ir_sync_in_order(swp_sync_object earlier, swp_sync_object later);

/* The largest count; 0: it has none. */
int swp_ir_sync_largest(const swp_machine *machine, swp_sync_object object);

/* Cycles from a wait that holds no longer to the next entry of its group. */
static inline int64_t swp_ir_leaves_wait(const swp_machine *machine)
{
    return machine->wait_cycles > machine->issue_cycles ? machine->wait_cycles
                                                        : machine->issue_cycles;
}

#endif
