/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the part of the formula that speaks of start times: the order encoding, and clauses for each arc. */
#include "certify/encode.h"

int swp_certify_at_least(const swp_encoder *encoder, int op, int64_t time)
{
    const swp_frame *frame = encoder->frame;
    if (time <= frame->low[op])
        return SWP_TRUE;
    if (time > frame->high[op])
        return SWP_FALSE;
    return encoder->first[op] + (int)(time - frame->low[op] - 1);
}

static swp_status make_times(swp_encoder *encoder)
{
    const swp_frame *frame = encoder->frame;
    for (size_t o = 0; o < frame->problem->op_count; o++) {
        const int64_t count = frame->encoded[o] ? frame->high[o] - frame->low[o] : 0;
        SWP_TRY(swp_certify_sink_variables(encoder->sink, count, &encoder->first[o]));
    }
    return SWP_OK;
}

/* An op that starts at k or later also starts at k - 1 or later. */
static swp_status order_times(const swp_encoder *encoder)
{
    const swp_frame *frame = encoder->frame;
    for (size_t o = 0; o < frame->problem->op_count; o++) {
        const int op = (int)o;
        swp_certify_sink_about(encoder->sink, SWP_ABOUT_TIMES, op, 0);
        for (int64_t k = frame->low[o] + 2; frame->encoded[o] && k <= frame->high[o]; k++) {
            const int clause[] = {-swp_certify_at_least(encoder, op, k),
                                  swp_certify_at_least(encoder, op, k - 1)};
            SWP_TRY(swp_certify_sink_clause(encoder->sink, clause, 2));
        }
    }
    return SWP_OK;
}

static swp_status encode_arcs(const swp_encoder *encoder)
{
    const swp_frame *frame = encoder->frame;
    for (size_t i = 0; i < frame->arcs.count; i++) {
        const swp_frame_arc *arc = &frame->arcs.items[i];
        swp_certify_sink_about(encoder->sink, SWP_ABOUT_ARC, arc->producer, arc->consumer);
        /* For k up to this the clause is true by definition, since the consumer's window begins late enough. */
        const int64_t trivial = frame->low[arc->consumer] - arc->weight;
        const int64_t low = frame->low[arc->producer];
        for (int64_t k = trivial < low ? low : trivial + 1; k <= frame->high[arc->producer]; k++) {
            const int clause[] = {-swp_certify_at_least(encoder, arc->producer, k),
                                  swp_certify_at_least(encoder, arc->consumer, k + arc->weight)};
            SWP_TRY(swp_certify_sink_clause(encoder->sink, clause, 2));
        }
    }
    return SWP_OK;
}

swp_status swp_certify_encode(swp_context *ctx, const swp_frame *frame, swp_sink *sink)
{
    swp_encoder encoder = {.ctx = ctx, .frame = frame, .sink = sink};
    SWP_TRY(SWP_TAKE(ctx, frame->problem->op_count, &encoder.first));
    SWP_TRY(make_times(&encoder));
    SWP_TRY(order_times(&encoder));
    SWP_TRY(encode_arcs(&encoder));
    return swp_certify_encode_resources(&encoder);
}
