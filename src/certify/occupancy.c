/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the uses, and makes the variables of "this op holds the slot", each with its clauses. */
#include "certify/occupancy.h"

struct swp_slot_variable {
    int64_t slot;
    int variable; /* 0: the entry is empty */
};

enum { FIRST_CAPACITY = 16 };

/* Returns the entry of a slot, or the empty one where it belongs. */
static struct swp_slot_variable *place_of(const swp_slot_table *table, int64_t slot)
{
    const uint64_t hash = (uint64_t)slot * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & (table->capacity - 1);
    while (table->items[at].variable && table->items[at].slot != slot)
        at = (at + 1) & (table->capacity - 1);
    return &table->items[at];
}

/* Makes room for one more entry; at most half of the table is taken. */
static swp_status reserve(swp_context *ctx, swp_slot_table *table)
{
    const swp_slot_table old = *table;
    if (2 * (old.count + 1) <= old.capacity)
        return SWP_OK;
    table->capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
    SWP_TRY(SWP_TAKE(ctx, table->capacity, &table->items));
    for (size_t i = 0; i < old.capacity; i++)
        if (old.items[i].variable)
            *place_of(table, old.items[i].slot) = old.items[i];
    return SWP_OK;
}

static int64_t modulo(int64_t number, int64_t by)
{
    const int64_t rest = number % by;
    return rest < 0 ? rest + by : rest;
}

/* Returns the first time from `low` on that falls into the slot. */
static int64_t first_time(const swp_frame *frame, const swp_occupant *occupant, int64_t slot)
{
    const int64_t low = frame->low[occupant->op];
    return frame->period > 0 ? low + modulo(slot - low, frame->period) : slot;
}

bool swp_certify_may_occupy(const swp_frame *frame, const swp_occupant *occupant, int64_t slot)
{
    const int64_t time = first_time(frame, occupant, slot);
    return time >= frame->low[occupant->op] &&
           time <= frame->high[occupant->op] + occupant->cycles - 1;
}

int64_t swp_certify_next_change(const swp_frame *frame, const swp_occupant *occupant, int64_t slot)
{
    const int64_t from = frame->low[occupant->op];
    const int64_t to = frame->high[occupant->op] + occupant->cycles;
    if (frame->period > 0) {
        /* This is the next slot that `from` or `to` falls into. */
        const int64_t next = slot + 1;
        const int64_t until_from = modulo(from - next, frame->period);
        const int64_t until_to = modulo(to - next, frame->period);
        return next + (until_from < until_to ? until_from : until_to);
    }
    return from > slot ? from : to > slot ? to : INT64_MAX;
}

/* An op that started at x - cycles + 1 or later, but not after x, holds the slot of x. */
static swp_status define(const swp_encoder *encoder, const swp_occupant *occupant, int64_t slot,
                         int variable)
{
    const swp_frame *frame = encoder->frame;
    const int64_t last = frame->high[occupant->op] + occupant->cycles - 1;
    for (int64_t x = first_time(frame, occupant, slot); x <= last; x += frame->period) {
        const int clause[] = {
            variable, -swp_certify_at_least(encoder, occupant->op, x - occupant->cycles + 1),
            swp_certify_at_least(encoder, occupant->op, x + 1)};
        SWP_TRY(swp_certify_sink_clause(encoder->sink, clause, 3));
        if (frame->period == 0)
            break;
    }
    return SWP_OK;
}

swp_status swp_certify_step_occupies(const swp_encoder *encoder, swp_occupant *occupant,
                                     int64_t slot, int *variable)
{
    SWP_TRY(reserve(encoder->ctx, &occupant->made));
    struct swp_slot_variable *at = place_of(&occupant->made, slot);
    *variable = at->variable;
    if (*variable)
        return SWP_OK;
    SWP_TRY(swp_certify_sink_variable(encoder->sink, variable));
    *at = (struct swp_slot_variable){slot, *variable};
    occupant->made.count++;
    return define(encoder, occupant, slot, *variable);
}

/* Returns the op's occupant of so many cycles; those made for the op so far begin at `from`. */
static swp_occupant *occupant_of(swp_occupant *from, swp_occupant **end, int op, int64_t cycles)
{
    for (swp_occupant *occupant = from; occupant < *end; occupant++)
        if (occupant->cycles == cycles)
            return occupant;
    swp_occupant *made = (*end)++;
    *made = (swp_occupant){.op = op, .cycles = cycles};
    return made;
}

swp_status swp_certify_uses_new(swp_context *ctx, const swp_encoder *encoder, swp_uses *out)
{
    const swp_frame *frame = encoder->frame;
    const swp_problem *problem = frame->problem;
    swp_occupant *occupants = NULL;
    *out = (swp_uses){0};
    for (size_t o = 0; o < problem->op_count; o++)
        out->count += problem->ops[o].use_count;
    SWP_TRY(SWP_TAKE(ctx, out->count, &out->items));
    SWP_TRY(SWP_TAKE(ctx, out->count, &occupants));
    swp_certify_use *next = out->items;
    for (size_t o = 0; o < problem->op_count; o++) {
        swp_occupant *of_op = occupants;
        for (size_t u = 0; u < problem->ops[o].use_count; u++, next++) {
            const swp_problem_use *use = &problem->ops[o].uses[u];
            *next = (swp_certify_use){.use = use, .op = (int)o};
            next->rounds = frame->period > 0 ? use->cycles / frame->period : 0;
            const int64_t cycles = use->cycles - next->rounds * frame->period;
            SWP_TRY(swp_certify_spend(encoder->sink->judgement, 1 + (uint64_t)(occupants - of_op)));
            if (cycles > 0)
                next->occupant = occupant_of(of_op, &occupants, (int)o, cycles);
        }
    }
    return SWP_OK;
}
