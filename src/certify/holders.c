/* SPDX-License-Identifier: Apache-2.0 */
#include "certify/holders.h"

/* 256 MiB of variables that might be made. */
#define MOST_SLOTS ((int64_t)1 << 26)

static int64_t modulo(int64_t number, int64_t by)
{
    const int64_t rest = number % by;
    return rest < 0 ? rest + by : rest;
}

/* The first time from `low` on that falls into the slot. */
static int64_t first_time(const swp_frame *frame, const swp_holder *holder, int64_t slot)
{
    const int64_t low = frame->low[holder->op];
    return frame->period > 0 ? low + modulo(slot - low, frame->period) : slot;
}

bool swp_may_hold(const swp_frame *frame, const swp_holder *holder, int64_t slot)
{
    const int64_t time = first_time(frame, holder, slot);
    return time >= frame->low[holder->op] && time <= frame->high[holder->op] + holder->cycles - 1;
}

/* Who has started at x - cycles + 1 or later, but not after x, holds the slot of x. */
static swp_status define(const swp_encoder *encoder, const swp_holder *holder, int64_t slot,
                         int variable)
{
    const swp_frame *frame = encoder->frame;
    const int64_t last = frame->high[holder->op] + holder->cycles - 1;
    for (int64_t x = first_time(frame, holder, slot); x <= last; x += frame->period) {
        const int clause[] = {variable, -swp_at_least(encoder, holder->op, x - holder->cycles + 1),
                              swp_at_least(encoder, holder->op, x + 1)};
        SWP_TRY(swp_sink_clause(encoder->sink, clause, 3));
        if (frame->period == 0)
            break;
    }
    return SWP_OK;
}

swp_status swp_holds(const swp_encoder *encoder, swp_holder *holder, int64_t slot, int *variable)
{
    if (!holder->variables) {
        if (holder->slots > MOST_SLOTS)
            return swp_refuse(encoder->sink->judgement, encoder->sink->step->place,
                              "op %d may hold %lld slots, more than the checker takes", holder->op,
                              (long long)holder->slots);
        SWP_TRY(SWP_TAKE(encoder->ctx, (size_t)holder->slots, &holder->variables));
    }
    *variable = holder->variables[slot - holder->first];
    if (*variable)
        return SWP_OK;
    SWP_TRY(swp_sink_variable(encoder->sink, variable));
    holder->variables[slot - holder->first] = *variable;
    return define(encoder, holder, slot, *variable);
}

/* The holder of the op for so many cycles, among those made for it since `from`. */
static swp_holder *holder_of(const swp_frame *frame, swp_holder *from, swp_holder **end, int op,
                             int64_t cycles)
{
    for (swp_holder *holder = from; holder < *end; holder++)
        if (holder->cycles == cycles)
            return holder;
    swp_holder *made = (*end)++;
    *made = (swp_holder){.op = op, .cycles = cycles};
    if (frame->period > 0)
        made->slots = frame->period;
    else if (frame->encoded[op])
        made->slots = frame->high[op] + cycles - frame->low[op];
    if (frame->period == 0)
        made->first = frame->low[op];
    return made;
}

swp_status swp_uses_new(swp_context *ctx, const swp_encoder *encoder, swp_uses *out)
{
    const swp_frame *frame = encoder->frame;
    const swp_problem *problem = frame->problem;
    swp_holder *holders = NULL;
    *out = (swp_uses){0};
    for (size_t o = 0; o < problem->op_count; o++)
        out->count += problem->ops[o].use_count;
    SWP_TRY(SWP_TAKE(ctx, out->count, &out->items));
    SWP_TRY(SWP_TAKE(ctx, out->count, &holders));
    swp_numbered_use *next = out->items;
    for (size_t o = 0; o < problem->op_count; o++) {
        swp_holder *of_op = holders;
        for (size_t u = 0; u < problem->ops[o].use_count; u++, next++) {
            const swp_problem_use *use = &problem->ops[o].uses[u];
            *next = (swp_numbered_use){.use = use, .op = (int)o};
            next->rounds = frame->period > 0 ? use->cycles / frame->period : 0;
            const int64_t cycles = use->cycles - next->rounds * frame->period;
            SWP_TRY(swp_spend(encoder->sink->judgement, 1 + (uint64_t)(holders - of_op)));
            if (cycles > 0)
                next->holder = holder_of(frame, of_op, &holders, (int)o, cycles);
        }
    }
    return SWP_OK;
}
