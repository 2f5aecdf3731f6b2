/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds parts by name: a crit-bit tree has a queue for each name, so that many problems of one name
 * cost no more.
 */
#include "problem/matching.h"

#include <stdint.h>
#include <string.h>

swp_status swp_problem_matching_new(swp_context *ctx, size_t count, swp_matching *out)
{
    *out = (swp_matching){0};
    return SWP_TAKE(ctx, count + 1, &out->parts);
}

swp_status swp_problem_matching_add(swp_context *ctx, swp_matching *matching, const char *name)
{
    const size_t added = matching->count;
    const int first = swp_key_index_find(&matching->index, name, strlen(name));
    if (first < 0)
        SWP_TRY(swp_key_index_add(ctx, &matching->index, name, strlen(name), (int)added));
    swp_matching_part *queue = &matching->parts[first < 0 ? added : (size_t)first];
    matching->parts[added] = (swp_matching_part){.name = name, .next = SIZE_MAX, .open = added};
    if (first >= 0)
        matching->parts[queue->last].next = added;
    if (queue->open == SIZE_MAX)
        queue->open = added;
    queue->last = added;
    matching->count++;
    return SWP_OK;
}

bool swp_problem_matching_take(swp_matching *matching, const char *name, size_t *part)
{
    const int first = swp_key_index_find(&matching->index, name, strlen(name));
    if (first < 0 || matching->parts[first].open == SIZE_MAX)
        return false;
    swp_matching_part *queue = &matching->parts[first];
    *part = queue->open;
    matching->parts[*part].taken = true;
    queue->open = matching->parts[*part].next;
    return true;
}
