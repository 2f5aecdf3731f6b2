/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an access is tracked by until it is retired, one row an object (docs/loops-proof.md, "What an entry does"):
 * X(identifier, name, kind, the wait for it, whether a fenced barrier retires it, whether a wave's operations
 * on it take effect as they are issued). Only a counter has a largest count, which the machine states. Who
 * executes and judges schedules by itself has tables of its own (src/run/, tests/judges/).
 */
#ifndef SWP_IR_SYNC_OBJECTS_H
#define SWP_IR_SYNC_OBJECTS_H

#include "ir/entry.h"
#include "swp/config.h"
#include "swp/loop.h"

// clang-format off
#define SWP_SYNC_OBJECT_ROWS(X) \
    X(SWP_VMCNT,           "vmcnt",           COUNTER,  VM,   false, false) \
    X(SWP_LGKMCNT,         "lgkmcnt",         COUNTER,  LGKM, true,  true)  \
    X(SWP_COPY_GROUP,      "copy group",      GROUP,    VM,   false, false) /* cp.async */ \
    X(SWP_MATRIX_GROUP,    "matrix group",    GROUP,    LGKM, false, false) /* wgmma */ \
    X(SWP_COPY_MBARRIER,   "copy mbarrier",   MBARRIER, VM,   false, false) /* TMA */ \
    X(SWP_MATRIX_MBARRIER, "matrix mbarrier", MBARRIER, LGKM, false, false)
// clang-format on

typedef enum swp_sync_object {
#define SWP_ENUMERATOR(identifier, ...) identifier,
    SWP_SYNC_OBJECT_ROWS(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
        SWP_SYNC_OBJECTS,
    SWP_NO_OBJECT = SWP_SYNC_OBJECTS /* of an op that is done when it issues */
} swp_sync_object;

typedef struct swp_sync_object_row {
    const char *name;
    swp_completion kind;
    swp_wait_kind wait;
    bool fence_retires;
    bool in_order;
} swp_sync_object_row;

/* Of an object, not of none. */
const swp_sync_object_row *swp_ir_sync_object_row(swp_sync_object object);

/* The object of a kind that a wait is for; SWP_NO_OBJECT: of completion `none`. */
swp_sync_object swp_ir_sync_object_of(swp_completion kind, swp_wait_kind wait);

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
