/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_lines.h"

enum { WARP_THREADS = 32 };

swp_op draft_sync(int tag, swp_threads by)
{
    swp_op op = swp_op_none();
    op.tag = tag;
    op.role = SWP_SYNC;
    op.resource = SWP_SCALAR;
    op.by = by;
    return op;
}

swp_op draft_on(int tag, int object, int iteration, swp_threads by)
{
    swp_op op = draft_sync(tag, by);
    op.object = object;
    op.iteration = iteration;
    return op;
}

swp_op draft_expect(int object, int bytes)
{
    swp_op op = draft_on(SWP_TAG_ARRIVE_EXPECT, object, 0, SWP_ONE_THREAD);
    op.bytes = bytes;
    return op;
}

swp_op draft_named(int tag, int object, int slot, int slot_step)
{
    swp_op op = draft_on(tag, object, 0, SWP_ALL_THREADS);
    op.slot = slot;
    op.slot_step = slot_step;
    return op;
}

swp_op draft_work(int number, swp_threads by)
{
    swp_op op = swp_op_none();
    op.tag = number;
    op.by = by;
    return op;
}

swp_op draft_copy(int number, int object)
{
    swp_op op = draft_work(number, SWP_ONE_THREAD);
    op.object = object;
    op.bytes = DRAFT_BYTES;
    return op;
}

swp_threads draft_by(bool all)
{
    return all ? SWP_ALL_THREADS : SWP_ONE_THREAD;
}

int draft_threads(const draft_body *body)
{
    return body->warps * body->instances * WARP_THREADS;
}
