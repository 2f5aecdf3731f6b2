/* SPDX-License-Identifier: Apache-2.0 */
#include "block_cases.h"

#include "ops.h"

block_ops block_ops_make(void)
{
    block_ops made = {0};
    for (int i = 0; i < 3; i++) {
        made.frags[i] = frag_op(i % 2, 0, i);
        made.loads[i] = (swp_block_load){load_op(i % 2, 1, i, SWP_K0), i % 2 == 0};
    }
    return made;
}

swp_mma_block block_case(block_ops *ops, unsigned flags, unsigned present, size_t frags,
                         size_t loads)
{
    swp_mma_block block = swp_mma_block_new(mma_op(1, 0));
    unsigned bit = 0;
#define TAKE_FLAG(name, value) block.name = (flags >> bit++ & 1) != 0;
    SWP_BLOCK_FLAGS(TAKE_FLAG)
#undef TAKE_FLAG
    if (present & 1)
        block.entry_wait = swp_op_wait_vm(5);
    if (present & 2)
        block.entry_wait_lgkm = swp_op_wait_lgkm(3);
    if (present & 4)
        block.pre_sync = swp_op_wait_vm(7);
    if (present & 8)
        block.fused_mma = mma_op(0, 1);
    block.frags = (swp_op_list){ops->frags, frags, 3};
    block.globals = (swp_block_load_list){ops->loads, loads, 3};
    return block;
}

static void add(expected_ops *out, bool wanted, swp_op op)
{
    if (!wanted)
        return;
    out->prefetch[out->count] = false;
    out->ops[out->count++] = op;
}

static void add_frags(expected_ops *out, const swp_mma_block *block)
{
    for (size_t i = 0; i < block->frags.count; i++)
        add(out, true, block->frags.items[i]);
}

static void add_loads(expected_ops *out, const swp_mma_block *block)
{
    for (size_t i = 0; i < block->globals.count; i++) {
        add(out, true, block->globals.items[i].op);
        out->prefetch[out->count - 1] = block->globals.items[i].is_prefetch;
    }
}

static bool present(const swp_op *op)
{
    return op->tag != SWP_TAG_NONE;
}

/* [fence] entry_wait, entry_wait_lgkm, barrier (only with entry_wait) [fence] */
static void add_entry_group(expected_ops *out, const swp_mma_block *block, bool wrap)
{
    const bool vm = present(&block->entry_wait);
    const bool lgkm = present(&block->entry_wait_lgkm);
    add(out, wrap && (vm || lgkm), swp_op_schedule_barrier());
    add(out, vm, block->entry_wait);
    add(out, lgkm, block->entry_wait_lgkm);
    add(out, vm, swp_op_barrier());
    add(out, wrap && (vm || lgkm), swp_op_schedule_barrier());
}

static void add_load_section(expected_ops *out, const swp_mma_block *block)
{
    if (block->global_before_frag)
        add_loads(out, block);
    else
        add_frags(out, block);
    add(out, block->drain_lgkm_before_loads, swp_op_wait_lgkm(0));
    if (block->global_before_frag)
        add_frags(out, block);
    else
        add_loads(out, block);
}

/* [fence] pre_sync, barrier, schedule_barrier, wait_lgkm(0) [fence] */
static void add_sync_section(expected_ops *out, const swp_mma_block *block, bool wrap, bool sched)
{
    const bool barrier = block->pre_mma_barrier;
    const bool any = present(&block->pre_sync) || barrier;
    add(out, wrap && any, swp_op_schedule_barrier());
    add(out, present(&block->pre_sync), block->pre_sync);
    add(out, barrier, swp_op_barrier());
    add(out, barrier && sched, swp_op_schedule_barrier());
    if (barrier && block->post_barrier_lgkm)
        out->post_barrier_lgkm = (int)out->count;
    add(out, barrier && block->post_barrier_lgkm, swp_op_wait_lgkm(0));
    add(out, wrap && any, swp_op_schedule_barrier());
}

expected_ops expected_expansion(const swp_mma_block *block)
{
    expected_ops out = {.post_barrier_lgkm = -1};
    const bool wrap = block->wrap_waits_with_sched_barrier;
    add_entry_group(&out, block, wrap);
    if (!block->barrier_before_pre_ops)
        add_load_section(&out, block);
    add_sync_section(&out, block, wrap, block->post_barrier_sched);
    if (block->barrier_before_pre_ops)
        add_load_section(&out, block);
    add(&out, block->pre_mma_set_prio, swp_op_set_prio(1));
    out.mma = (int)out.count;
    add(&out, true, block->mma);
    add(&out, present(&block->fused_mma), block->fused_mma);
    add(&out, block->post_mma_set_prio, swp_op_set_prio(0));
    add(&out, block->post_mma_barrier, swp_op_barrier());
    add(&out, block->post_mma_barrier && block->trailing_sched_barrier, swp_op_schedule_barrier());
    return out;
}

expected_ops expected_minimal_block(const swp_mma_block *block, bool wrap, bool global_before_frag)
{
    expected_ops out = {.post_barrier_lgkm = -1};
    add_entry_group(&out, block, wrap);
    if (global_before_frag)
        add_loads(&out, block);
    else
        add_frags(&out, block);
    add(&out, block->frags.count > 0 && block->globals.count > 0, swp_op_schedule_barrier());
    if (global_before_frag)
        add_frags(&out, block);
    else
        add_loads(&out, block);
    add_sync_section(&out, block, wrap, false);
    out.mma = (int)out.count;
    add(&out, true, block->mma);
    return out;
}
