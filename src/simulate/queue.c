/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of completion times, in the order of issue: what a wait for a counter looks at. */
#include "simulate/queue.h"

#include <string.h>

/* Moves the rest to the front once more than half of the list is behind it. */
static void compact(swp_sim_queue *queue)
{
    if (queue->first * 2 <= queue->count)
        return;
    queue->count -= queue->first;
    if (queue->count > 0)
        memmove(queue->items, queue->items + queue->first, queue->count * sizeof *queue->items);
    queue->first = 0;
}

swp_status swp_simulate_queue_push(swp_context *ctx, swp_sim_queue *queue, swp_sim_flight flight)
{
    if (queue->newest.done > flight.done) {
        flight.done = queue->newest.done;
        flight.cause = queue->newest.cause;
    }
    queue->newest = flight;
    return SWP_PUSH(ctx, queue, flight);
}

swp_status swp_simulate_queue_put(swp_context *ctx, swp_sim_queue *queue, swp_sim_flight flight)
{
    SWP_TRY(SWP_PUSH(ctx, queue, flight));
    for (size_t i = queue->count - 1; i > queue->first && queue->items[i - 1].done > flight.done;
         i--) {
        queue->items[i] = queue->items[i - 1];
        queue->items[i - 1] = flight;
    }
    return SWP_OK;
}

void swp_simulate_queue_drop(swp_sim_queue *queue, int64_t now)
{
    while (queue->first < queue->count && queue->items[queue->first].done <= now)
        queue->first++;
    compact(queue);
}

const swp_sim_flight *swp_simulate_queue_retired(const swp_sim_queue *queue, int64_t outstanding)
{
    int64_t after = 0;
    for (size_t i = queue->count; i > queue->first; i--) {
        const swp_sim_flight *flight = &queue->items[i - 1];
        if (after >= outstanding)
            return flight;
        after += flight->accesses;
    }
    return NULL;
}

const swp_sim_flight *swp_simulate_queue_room(const swp_sim_queue *queue, int64_t accesses,
                                              int64_t max)
{
    int64_t in_flight = accesses;
    for (size_t i = queue->count; i > queue->first; i--) {
        const swp_sim_flight *flight = &queue->items[i - 1];
        in_flight += flight->accesses;
        if (in_flight > max)
            return flight;
    }
    return NULL;
}

static const swp_sim_flight *later_of(const swp_sim_flight *a, const swp_sim_flight *b)
{
    return !a || (b && b->done > a->done) ? b : a;
}

/* A wait for more than a counter holds is one for as much as it holds. */
const swp_sim_flight *swp_simulate_queues_awaited(const swp_sim_queue *queues,
                                                  const swp_machine *machine, swp_wait_kind kind,
                                                  int64_t outstanding)
{
    const swp_sim_flight *last = NULL;
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++) {
        const int64_t largest = swp_ir_sync_largest(machine, o);
        const bool too_large = largest > 0 && outstanding > largest;
        if (swp_ir_sync_object_row(o)->wait == kind)
            last = later_of(
                last, swp_simulate_queue_retired(&queues[o], too_large ? largest : outstanding));
    }
    return last;
}

const swp_sim_flight *swp_simulate_queues_fenced(const swp_sim_queue *queues)
{
    const swp_sim_flight *last = NULL;
    for (swp_sync_object o = 0; o < SWP_SYNC_OBJECTS; o++)
        if (swp_ir_sync_object_row(o)->fence_retires)
            last = later_of(last, swp_simulate_queue_retired(&queues[o], 0));
    return last;
}
