/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the forms of entries and ops of warp roles (docs/roles-reference.md). */
#include "ir/entry_forms.h"

enum { FIRST = SWP_TAG_BARRIER, NONE = SWP_NAMES_NO_OBJECT };

const swp_entry_form swp_ir_entry_forms[SWP_ENTRY_FORMS] = {
    [SWP_TAG_BARRIER - FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ALL_EXECUTE},
    [SWP_TAG_WAIT_VM - FIRST] = {.object = NONE},
    [SWP_TAG_WAIT_LGKM - FIRST] = {.object = NONE},
    [SWP_TAG_SET_PRIO - FIRST] = {.object = NONE},
    [SWP_TAG_SCHEDULE_BARRIER - FIRST] = {.object = NONE},
    [SWP_TAG_SCHED_GROUP_BARRIER - FIRST] = {.object = NONE},
    [SWP_TAG_ARRIVE -
        FIRST] = {.is_of_roles = true, .object = SWP_OBJECT_MBARRIER, .executes = SWP_ANY_EXECUTE},
    [SWP_TAG_ARRIVE_EXPECT - FIRST] = {.is_of_roles = true,
                                       .object = SWP_OBJECT_MBARRIER,
                                       .executes = SWP_ONE_EXECUTES,
                                       .bytes = true},
    [SWP_TAG_WAIT_PHASE -
        FIRST] = {.is_of_roles = true, .object = SWP_OBJECT_MBARRIER, .executes = SWP_ANY_EXECUTE},
    [SWP_TAG_NAMED_SYNC - FIRST] = {.is_of_roles = true,
                                    .object = SWP_OBJECT_NAMED_BARRIER,
                                    .executes = SWP_ALL_EXECUTE},
    [SWP_TAG_NAMED_ARRIVE - FIRST] = {.is_of_roles = true,
                                      .object = SWP_OBJECT_NAMED_BARRIER,
                                      .executes = SWP_ALL_EXECUTE},
    [SWP_TAG_MATRIX_COMMIT -
        FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ALL_EXECUTE},
    [SWP_TAG_MATRIX_WAIT -
        FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ALL_EXECUTE, .groups = true},
    [SWP_TAG_BULK_COMMIT -
        FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ONE_EXECUTES},
    [SWP_TAG_BULK_WAIT - FIRST] = {.is_of_roles = true,
                                   .object = NONE,
                                   .executes = SWP_ONE_EXECUTES,
                                   .groups = true},
    [SWP_TAG_BULK_WAIT_READ - FIRST] = {.is_of_roles = true,
                                        .object = NONE,
                                        .executes = SWP_ONE_EXECUTES,
                                        .groups = true},
    [SWP_TAG_FENCE_ASYNC -
        FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ANY_EXECUTE},
    [SWP_TAG_MATRIX_FENCE -
        FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ALL_EXECUTE},
    [SWP_TAG_CLUSTER_ARRIVE -
        FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ALL_EXECUTE},
    [SWP_TAG_CLUSTER_WAIT -
        FIRST] = {.is_of_roles = true, .object = NONE, .executes = SWP_ALL_EXECUTE},
};

const swp_op_form swp_ir_op_forms[SWP_OP_FORMS] = {
    {.completion = SWP_COMPLETION_COPY_MBARRIER,
     .object = SWP_OBJECT_MBARRIER,
     .by = SWP_ONE_THREAD,
     .bytes = true,
     .makes_shared = true},
    {.completion = SWP_COMPLETION_MATRIX_GROUP,
     .object = NONE,
     .by = SWP_ALL_THREADS,
     .registers = true,
     .reads_shared = true},
    {.completion = SWP_COMPLETION_STORE_GROUP,
     .object = NONE,
     .by = SWP_ONE_THREAD,
     .reads_shared = true},
};
