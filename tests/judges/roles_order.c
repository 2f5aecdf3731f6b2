/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_order.h"

#include <stdlib.h>

#include "roles_memory.h"

int role_order_moment(role_order *order)
{
    return order->count++;
}

void role_order_arc(role_order *order, int from, int to)
{
    if (from == ROLE_NO_MOMENT || to == ROLE_NO_MOMENT)
        return;
    order->arcs =
        role_room(order->arcs, order->arc_count, &order->arc_capacity, sizeof *order->arcs);
    order->arcs[order->arc_count++] = (role_arc){from, to};
}

void role_order_never(role_order *order, int moment)
{
    order->never =
        role_room(order->never, order->never_count, &order->never_capacity, sizeof *order->never);
    order->never[order->never_count++] = moment;
}

/* The arcs that leave each moment: those of m are to[first[m]] … to[first[m + 1] - 1]. */
typedef struct arcs_out {
    int *first;
    int *to;
} arcs_out;

static arcs_out sort_arcs(const role_order *order)
{
    arcs_out out = {role_take((size_t)order->count + 2, sizeof *out.first),
                    role_take(order->arc_count + 1, sizeof *out.to)};
    for (size_t a = 0; a < order->arc_count; a++)
        out.first[order->arcs[a].from + 2]++;
    for (int m = 0; m < order->count; m++)
        out.first[m + 2] += out.first[m + 1];
    for (size_t a = 0; a < order->arc_count; a++)
        out.to[out.first[order->arcs[a].from + 1]++] = order->arcs[a].to;
    return out;
}

/* What came before the first comes before the second, and so does the first itself. */
static void hand_on(role_order *order, int from, int to)
{
    const uint64_t *early = order->before + (size_t)from * order->words;
    uint64_t *late = order->before + (size_t)to * order->words;
    for (size_t w = 0; w < order->words; w++)
        late[w] |= early[w];
    late[from / 64] |= UINT64_C(1) << from % 64;
}

/* A moment happens when all have happened that an arc leads from: circles never do. */
void role_order_close(role_order *order)
{
    const size_t count = (size_t)order->count;
    const arcs_out out = sort_arcs(order);
    int *open = role_take(count + 1, sizeof *open); /* arcs whose beginnings have not happened */
    int *queue = role_take(count + 1, sizeof *queue);
    int queued = 0;
    order->words = (count + 63) / 64;
    order->happens = role_take(count + 1, sizeof *order->happens);
    order->before = role_take(count * order->words + 1, sizeof *order->before);
    for (size_t a = 0; a < order->arc_count; a++)
        open[order->arcs[a].to]++;
    for (size_t i = 0; i < order->never_count; i++)
        open[order->never[i]]++;
    for (int m = 0; m < order->count; m++)
        if (open[m] == 0)
            queue[queued++] = m;
    for (int next = 0; next < queued; next++) {
        const int m = queue[next];
        order->happens[m] = true;
        for (int a = out.first[m]; a < out.first[m + 1]; a++) {
            hand_on(order, m, out.to[a]);
            if (--open[out.to[a]] == 0)
                queue[queued++] = out.to[a];
        }
    }
    free(out.first);
    free(out.to);
    free(open);
    free(queue);
}

bool role_happens(const role_order *order, int moment)
{
    return moment != ROLE_NO_MOMENT && order->happens[moment];
}

bool role_before(const role_order *order, int early, int late)
{
    if (early == ROLE_NO_MOMENT || late == ROLE_NO_MOMENT)
        return false;
    return order->before[(size_t)late * order->words + (size_t)early / 64] >> early % 64 & 1;
}

void role_order_free(role_order *order)
{
    free(order->arcs);
    free(order->never);
    free(order->happens);
    free(order->before);
    *order = (role_order){0};
}
