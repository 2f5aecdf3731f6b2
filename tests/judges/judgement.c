/* SPDX-License-Identifier: Apache-2.0 */
#include "judgement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roles_memory.h"

static int difference(int a, int b)
{
    return (a > b) - (a < b);
}

int judged_hazard_compare(const judged_hazard *a, const judged_hazard *b)
{
    if (a->stream != b->stream)
        return difference(a->stream, b->stream);
    if (a->phase != b->phase)
        return difference((int)a->phase, (int)b->phase);
    if (a->entry != b->entry)
        return difference(a->entry, b->entry);
    return difference((int)a->kind, (int)b->kind);
}

int role_sequence_compare(const role_sequence *a, const role_sequence *b)
{
    if (a->count != b->count)
        return difference(a->count, b->count);
    if (a->n != b->n)
        return difference(a->n, b->n);
    for (int t = 0; t < a->count; t++)
        if (a->tiles[t] != b->tiles[t])
            return difference(a->tiles[t], b->tiles[t]);
    return 0;
}

/* Of hazards without output tiles the sequence says nothing. */
static int compare_runs(const judged_hazard *a, const judged_hazard *b)
{
    const int by_sequence = role_sequence_compare(&a->smallest, &b->smallest);
    return by_sequence != 0 ? by_sequence : difference(a->smallest_n, b->smallest_n);
}

bool role_is_accepted(const role_accepted *accepted, const judged_hazard *hazard, const char *role)
{
    for (size_t i = 0; i < accepted->count; i++) {
        const swp_acceptance *one = &accepted->items[i];
        if (one->kind == hazard->kind && one->at.phase == hazard->phase &&
            one->at.entry == hazard->entry && one->role && strcmp(one->role, role) == 0)
            return true;
    }
    return false;
}

void judgement_add(judgement *judged, judged_hazard hazard)
{
    size_t at = 0;
    while (at < judged->count && judged_hazard_compare(&judged->items[at], &hazard) < 0)
        at++;
    if (at < judged->count && judged_hazard_compare(&judged->items[at], &hazard) == 0) {
        if (compare_runs(&hazard, &judged->items[at]) < 0)
            judged->items[at] = hazard;
        return;
    }
    judged->items =
        role_room(judged->items, judged->count, &judged->capacity, sizeof *judged->items);
    memmove(judged->items + at + 1, judged->items + at,
            (judged->count - at) * sizeof *judged->items);
    judged->items[at] = hazard;
    judged->count++;
}

judged_hazard judged_hazard_of(const swp_hazard *h)
{
    judged_hazard out = {.kind = h->kind,
                         .stream = h->stream,
                         .phase = h->at.phase,
                         .entry = h->at.entry,
                         .smallest_n = h->smallest_n,
                         .smallest = {.n = h->tiles ? h->smallest_n : 0, .count = h->tile_count}};
    for (int t = 0; t < h->tile_count && t < ROLE_MOST_TILES; t++)
        out.smallest.tiles[t] = h->tiles[t];
    return out;
}

const judged_hazard *judgement_find(const judgement *judged, const judged_hazard *like)
{
    for (size_t i = 0; i < judged->count; i++)
        if (judged_hazard_compare(&judged->items[i], like) == 0)
            return &judged->items[i];
    return NULL;
}

int role_kind_rank(swp_hazard_kind kind)
{
    static const swp_hazard_kind table[] = {
        SWP_ARRIVALS,     SWP_NAMED_BARRIER, SWP_PHASE_ALIAS,  SWP_UNOBSERVED_PHASE,
        SWP_DEADLOCK,     SWP_LOST_PEER,     SWP_UNFENCED,     SWP_ACCUMULATOR_IN_FLIGHT,
        SWP_STALE_READ,   SWP_OVERWRITTEN,   SWP_WRITE_RACE,   SWP_WRONG_TILE,
        SWP_MISSING_WORK, SWP_DOUBLE_WORK,   SWP_OUT_OF_RANGE,
    };
    int rank = 0;
    while (rank < (int)(sizeof table / sizeof *table) && table[rank] != kind)
        rank++;
    return rank;
}

swp_hazard_kind judgement_first(const judgement *judged)
{
    const judged_hazard *first = &judged->items[0];
    for (size_t i = 1; i < judged->count; i++) {
        const judged_hazard *h = &judged->items[i];
        const int order = compare_runs(h, first);
        if (order < 0 || (order == 0 && role_kind_rank(h->kind) < role_kind_rank(first->kind)))
            first = h;
    }
    return first->kind;
}

void judged_hazard_print(char *out, size_t size, const judged_hazard *hazard)
{
    (void)snprintf(out, size, "%s stream %d %s %d from N = %d", swp_hazard_name(hazard->kind),
                   hazard->stream, swp_phase_name(hazard->phase), hazard->entry,
                   hazard->smallest_n);
    for (int t = 0; t < hazard->smallest.count; t++) {
        const size_t length = strlen(out);
        (void)snprintf(out + length, size - length, "%s%d", t == 0 ? " of " : "+",
                       hazard->smallest.tiles[t]);
    }
}

void judgement_free(judgement *judged)
{
    free(judged->items);
    *judged = (judgement){0};
}
