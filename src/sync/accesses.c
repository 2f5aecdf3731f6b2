/* SPDX-License-Identifier: Apache-2.0 */
/* Reads after writes, writes after reads and writes after writes, in places and in registers. */
#include "sync/accesses.h"

static const swp_placed *find(const swp_placed_list *list, int place)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].place == place)
            return &list->items[i];
    return NULL;
}

const swp_placed *swp_sync_reads_place(const swp_data_op *op, int place)
{
    return find(&op->reads, place);
}

const swp_placed *swp_sync_makes_place(const swp_data_op *op, int place)
{
    return find(&op->makes, place);
}

int swp_sync_last_maker(const swp_dataflow *flow, int position, int place)
{
    for (int at = position - 1; at >= position - flow->count; at--)
        if (swp_sync_makes_place(swp_sync_op_at(flow, at), place))
            return at;
    return SWP_NO_POSITION;
}

int swp_sync_next_maker(const swp_dataflow *flow, int position, int place)
{
    for (int at = position + 1; at <= position + flow->count; at++)
        if (swp_sync_makes_place(swp_sync_op_at(flow, at), place))
            return at;
    return SWP_NO_POSITION;
}

int swp_sync_made_tile(const swp_dataflow *flow, int position, int place)
{
    const swp_placed *made = swp_sync_makes_place(swp_sync_op_at(flow, position), place);
    return made->tile + swp_sync_pass_of(flow, position) * made->step;
}

/* An op that may not run leaves the register to whoever made it before. */
static int last_sure_maker(const swp_dataflow *flow, int position, int place)
{
    int maker = swp_sync_last_maker(flow, position, place);
    while (maker != SWP_NO_POSITION && maker >= position - flow->count &&
           swp_sync_op_at(flow, maker)->effect->may_not_run)
        maker = swp_sync_last_maker(flow, maker, place);
    return maker;
}

bool swp_sync_waits_for(const swp_dataflow *flow, int later, int earlier)
{
    const swp_data_op *maker = swp_sync_op_at(flow, earlier);
    if (flow->schedule->machine.registers == SWP_REGISTERS_RAW || !maker->effect->is_awaited ||
        maker->makes.count == 0 || maker->makes.items[0].is_shared)
        return false;
    const int place = maker->makes.items[0].place;
    return swp_sync_reads_place(swp_sync_op_at(flow, later), place) &&
           last_sure_maker(flow, later, place) == earlier;
}

/* Matrix instructions in groups follow each other in one accumulator in order. */
static bool accumulate(const swp_data_op *later, const swp_data_op *earlier, int place)
{
    const swp_placed *read = swp_sync_reads_place(later, place);
    const swp_placed *made = swp_sync_makes_place(later, place);
    return later->effect->in_order && earlier->effect->in_order &&
           swp_sync_makes_place(earlier, place) && read && made && read->updates && made->updates;
}

static bool meets_made(const swp_data_op *later, const swp_data_op *earlier)
{
    for (size_t i = 0; i < earlier->makes.count; i++) {
        const swp_placed *made = &earlier->makes.items[i];
        if (!made->is_shared && !accumulate(later, earlier, made->place) &&
            (swp_sync_reads_place(later, made->place) || swp_sync_makes_place(later, made->place)))
            return true;
    }
    return false;
}

static bool meets_read(const swp_data_op *later, const swp_data_op *earlier)
{
    for (size_t i = 0; earlier->effect->reads_in_flight && i < earlier->reads.count; i++) {
        const swp_placed *read = &earlier->reads.items[i];
        if (!read->is_shared && !accumulate(later, earlier, read->place) &&
            swp_sync_makes_place(later, read->place))
            return true;
    }
    return false;
}

bool swp_sync_must_find_done(const swp_dataflow *flow, const swp_data_op *later,
                             const swp_data_op *earlier)
{
    const bool is_raw = flow->schedule->machine.registers == SWP_REGISTERS_RAW;
    return ((is_raw || !earlier->effect->is_awaited) && meets_made(later, earlier)) ||
           meets_read(later, earlier);
}
