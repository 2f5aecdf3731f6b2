/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Jackson's preemptive schedule, earliest deadline first, with a heap of the jobs that have arrived. */
#include "order/unit_load.h"

/* Heads change little from one node of the search to the next, so insertion sort is nearly linear. */
static void sort_by_head(swp_job *jobs, int count)
{
    for (int i = 1; i < count; i++) {
        const swp_job job = jobs[i];
        int at = i;
        for (; at > 0 && jobs[at - 1].head > job.head; at--)
            jobs[at] = jobs[at - 1];
        jobs[at] = job;
    }
}

static void sift_up(swp_job *heap, int at)
{
    while (at > 0 && heap[(at - 1) / 2].deadline > heap[at].deadline) {
        const swp_job job = heap[at];
        heap[at] = heap[(at - 1) / 2];
        heap[(at - 1) / 2] = job;
        at = (at - 1) / 2;
    }
}

static void sift_down(swp_job *heap, int count)
{
    int at = 0;
    for (;;) {
        int least = at;
        for (int child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++)
            if (heap[child].deadline < heap[least].deadline)
                least = child;
        if (least == at)
            return;
        const swp_job job = heap[at];
        heap[at] = heap[least];
        heap[least] = job;
        at = least;
    }
}

bool swp_order_unit_load_fits(swp_job *jobs, int count, int64_t free_at, swp_job *heap,
                              int64_t *end)
{
    int arrived = 0;
    int waiting = 0;
    int64_t time = free_at;
    sort_by_head(jobs, count);
    while (arrived < count || waiting > 0) {
        if (waiting == 0 && jobs[arrived].head > time)
            time = jobs[arrived].head;
        while (arrived < count && jobs[arrived].head <= time) {
            heap[waiting] = jobs[arrived++];
            sift_up(heap, waiting++);
        }
        const int64_t next = arrived < count ? jobs[arrived].head : INT64_MAX;
        if (heap[0].busy > next - time) {
            heap[0].busy -= next - time;
            time = next;
            continue;
        }
        time += heap[0].busy;
        if (time > heap[0].deadline)
            return false;
        heap[0] = heap[--waiting];
        sift_down(heap, waiting);
    }
    *end = time;
    return true;
}
