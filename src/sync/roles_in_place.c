/* SPDX-License-Identifier: Apache-2.0 */
/* Tells apart what several ops make of a shared value, one in the place of the other, and who reads which (docs/roles-reference.md, "What ops do"). */
#include "ir/loop_clocks.h"
#include "ir/loop_dataflow.h"
#include "sync/roles.h"

static int makers_among(const swp_roles *r, int value, int first_ops)
{
    int count = 0;
    for (int op = 0; op < first_ops; op++)
        count += swp_ir_loop_makes(&r->loop->ops[op], value);
    return count;
}

bool swp_sync_roles_has_several_makers(const swp_roles *r, int value)
{
    return swp_ir_loop_first_maker(r->loop, value) != swp_ir_loop_last_maker(r->loop, value);
}

int swp_sync_roles_part(const swp_roles *r, int op, int value)
{
    return makers_among(r, value, op);
}

int swp_sync_roles_next_maker(const swp_roles *r, int op, int value)
{
    for (int next = op + 1; next < (int)r->loop->op_count; next++)
        if (swp_ir_loop_makes(&r->loop->ops[next], value))
            return next;
    return swp_ir_loop_first_maker(r->loop, value);
}

/* Of an iteration before, or before all makers, it is the last one's. What stands for all passes comes before the end of a tile. */
static int part_read(const swp_roles *r, int op, const swp_loop_read *read)
{
    const bool is_passes = r->output_tiles && op >= r->passes;
    const int before =
        makers_among(r, read->value, is_passes ? swp_ir_loop_first_of_passes(r->loop) : op);
    return (read->distance == 0 && before > 0
                ? before
                : makers_among(r, read->value, (int)r->loop->op_count)) -
           1;
}

bool swp_sync_roles_is_of_channel(const swp_roles *r, const swp_role_channel *channel, int op,
                                  const swp_loop_read *read)
{
    for (size_t v = 0; v < channel->value_count; v++)
        if (channel->values[v] == read->value)
            return part_read(r, op, read) == channel->part;
    return false;
}
