/* SPDX-License-Identifier: Apache-2.0 */
/* For each kind of op the members that must be zero, as nobody reads them. */
#include "ir/op_meaning.h"
#include "ir/entry.h"

#include <stdio.h>

/* One bit a member. */
enum {
    STAGE = 1 << 0,
    SUBTILE = 1 << 1,
    K_OFFSET = 1 << 2,
    CHANNEL = 1 << 3,
    WAIT = 1 << 4,
    VM_COST = 1 << 5,
    LGKM_COST = 1 << 6,
    ALL = (1 << 7) - 1
};

static unsigned read_by_sync(int tag)
{
    switch (tag) {
    case SWP_TAG_WAIT_VM:
    case SWP_TAG_WAIT_LGKM:
    case SWP_TAG_SET_PRIO:
        return WAIT;
    case SWP_TAG_SCHED_GROUP_BARRIER:
        return SUBTILE | WAIT;
    default:
        return 0;
    }
}

/* A loop whose loads take the next tile each time has one place, and a register a k-slice. */
static unsigned read_by(const swp_op *op, swp_placement placement)
{
    const bool next_tile = placement == SWP_PLACE_NEXT_TILE;
    switch (op->role) {
    case SWP_GLOBAL_LOAD:
        return CHANNEL | VM_COST | (next_tile ? 0U : (unsigned)(STAGE | SUBTILE | K_OFFSET));
    case SWP_SHARED_STORE:
        return next_tile ? CHANNEL | LGKM_COST : ALL;
    case SWP_FRAGMENT_LOAD:
        return CHANNEL | SUBTILE | LGKM_COST | (next_tile ? 0U : (unsigned)STAGE);
    case SWP_COMPUTE:
        return SUBTILE | (next_tile ? 0U : (unsigned)STAGE);
    case SWP_SYNC:
    case SWP_FENCE:
        return read_by_sync(op->tag);
    case SWP_VALU_COMPUTE:
    case SWP_ROLE_NONE:
        break;
    }
    return ALL;
}

bool swp_ir_op_idle_member(const swp_op *op, swp_placement placement, swp_idle_member *out)
{
    const swp_op unset = swp_op_none();
    const struct {
        unsigned bit;
        const char *name;
        int value;
        int unset;
        const char *unset_text;
    } members[] = {
        {STAGE, "stage", op->stage, unset.stage, "0"},
        {SUBTILE, "subtile", op->subtile, unset.subtile, "0"},
        {K_OFFSET, "k_offset", (int)op->k_offset, (int)unset.k_offset, "none"},
        {CHANNEL, "channel", op->channel, unset.channel, "-1"},
        {WAIT, "wait", op->wait_value, unset.wait_value, "0"},
        {VM_COST, "vm_cost", op->vm_cost, unset.vm_cost, "0"},
        {LGKM_COST, "lgkm_cost", op->lgkm_cost, unset.lgkm_cost, "0"},
    };
    const unsigned read = read_by(op, placement);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (members[i].value == members[i].unset || (read & members[i].bit))
            continue;
        *out = (swp_idle_member){.name = members[i].name, .unset = members[i].unset_text};
        out->of_placement = read_by(op, SWP_PLACE_K_OFFSET) & members[i].bit;
        if (members[i].bit == K_OFFSET)
            (void)snprintf(out->value, sizeof out->value, "%s", swp_k_offset_name(op->k_offset));
        else
            (void)snprintf(out->value, sizeof out->value, "%d", members[i].value);
        return true;
    }
    return false;
}

bool swp_ir_op_role_fits_tag(const swp_op *op)
{
    const bool framework = op->role == SWP_SYNC || op->role == SWP_FENCE;
    return framework != swp_ir_is_work(op);
}

bool swp_ir_op_needs_channel(const swp_op *op, swp_placement placement)
{
    return placement == SWP_PLACE_K_OFFSET &&
           (op->role == SWP_GLOBAL_LOAD || op->role == SWP_FRAGMENT_LOAD);
}
