/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the passes of a role can be iterations: with output tiles slots and parities are counted as the kernel runs, so a
 * pass that does the same in each of its iterations need not be written out, nor do the epilogues of remainders.
 */
#include "emit/c/roles.h"
#include "ir/entry.h"
#include "ir/loop_dataflow.h"

/* A pass of no more iterations is written out: compilers keep groups in flight across its end, and calculate fewer slots. */
enum { MOST_WRITTEN_OUT = 6 };

/* Whether `b` is `a` so many iterations later. */
static bool is_later(const swp_schedule *s, const swp_op *a, const swp_op *b, int iterations)
{
    const bool counts =
        (swp_ir_is_work(a) || a->object >= 0) && swp_ir_entry_clock(s, a) == SWP_PASS_CLOCK;
    return a->tag == b->tag && a->object == b->object && a->bytes == b->bytes && a->by == b->by &&
           a->instances == b->instances && a->to == b->to && a->wait_value == b->wait_value &&
           a->slot == b->slot && a->slot_step == b->slot_step &&
           b->iteration == a->iteration + (counts ? iterations : 0);
}

/* Whether `count` entries of `b` from `at` on are the first of `a`, so many iterations later. */
static bool repeats(const swp_schedule *s, const swp_entry_list *a, const swp_entry_list *b,
                    size_t at, size_t count, int iterations)
{
    if (a->count < count || b->count < at + count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_later(s, &a->items[i].op, &b->items[at + i].op, iterations))
            return false;
    return true;
}

/* Whether the epilogue of a remainder is so many iterations and the epilogue. */
static bool is_rolled_out(const swp_schedule *s, const swp_stream *stream, size_t own,
                          size_t remainder)
{
    const swp_entry_list *list = &stream->tails.epilogues[remainder - 1];
    const size_t passes = own * remainder;
    return list->count == passes + stream->epilogue.count &&
           repeats(s, &stream->kernel, list, 0, passes, 0) &&
           repeats(s, &stream->epilogue, list, passes, stream->epilogue.count, (int)remainder);
}

/* Registers have no index: which of a value's slots an op has must follow from its place in the text. */
static bool takes_turns_in_registers(const swp_schedule *s, const swp_op *op)
{
    const swp_loop_op *work = swp_ir_loop_op(s, op);
    if (!work)
        return false;
    const swp_loop_dataflow *dataflow = s->dataflow;
    for (int v = 0; v < (int)dataflow->loop->value_count; v++) {
        bool touches = swp_ir_loop_makes(work, v);
        for (size_t i = 0; i < work->read_count; i++)
            touches = touches || work->reads[i].value == v;
        if (touches && dataflow->slots[v] > 1 &&
            dataflow->loop->values[v].space == SWP_SPACE_REGISTERS)
            return true;
    }
    return false;
}

bool swp_c_role_rolls(const swp_schedule *s, size_t role)
{
    const swp_stream *stream = &s->streams[role];
    const size_t iterations = (size_t)s->loop.tiles_per_pass;
    const size_t own = stream->kernel.count / iterations;
    if (!s->output_tiles || iterations <= MOST_WRITTEN_OUT ||
        stream->kernel.count % iterations != 0 || stream->tails.epilogue_count != iterations - 1)
        return false;
    for (size_t i = 1; i < iterations; i++)
        if (!repeats(s, &stream->kernel, &stream->kernel, own * i, own, (int)i) ||
            !is_rolled_out(s, stream, own, i))
            return false;
    for (size_t i = 0; i < own; i++)
        if (takes_turns_in_registers(s, &stream->kernel.items[i].op))
            return false;
    return true;
}

int swp_c_role_pass(const swp_schedule *s, size_t role)
{
    return swp_c_role_rolls(s, role) ? 1 : s->loop.tiles_per_pass;
}
