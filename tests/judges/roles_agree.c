/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_agree.h"

/* What the verdict says of runs that the judge has seen. */
static role_judgement told(const swp_verdict *verdict, int most_n)
{
    role_judgement out = {0};
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const swp_hazard *h = &verdict->hazards.items[i];
        role_hazard hazard = {
            .kind = h->kind,
            .stream = h->stream,
            .phase = h->at.phase,
            .entry = h->at.entry,
            .smallest_n = h->smallest_n,
            .smallest = {.n = h->tiles ? h->smallest_n : 0, .count = h->tile_count}};
        int longest = h->tiles ? 0 : h->smallest_n;
        for (int t = 0; t < h->tile_count && t < ROLE_MOST_TILES; t++) {
            hazard.smallest.tiles[t] = h->tiles[t];
            longest = h->tiles[t] > longest ? h->tiles[t] : longest;
        }
        if (longest <= most_n && h->tile_count <= ROLE_MOST_TILES)
            role_judgement_add(&out, hazard);
    }
    return out;
}

/* What the second does not say as the first does. */
static size_t tell_more(const char *who, const role_judgement *more, const role_judgement *less,
                        FILE *out)
{
    size_t count = 0;
    char text[128];
    for (size_t i = 0; i < more->count; i++) {
        const role_hazard *other = role_judgement_find(less, &more->items[i]);
        if (other && other->smallest_n == more->items[i].smallest_n &&
            role_sequence_compare(&other->smallest, &more->items[i].smallest) == 0)
            continue;
        role_hazard_print(text, sizeof text, &more->items[i]);
        if (out)
            (void)fprintf(out, "only the %s: %s\n", who, text);
        count++;
    }
    return count;
}

size_t role_judgements_differ(const char *first, const role_judgement *one, const char *second,
                              const role_judgement *other, FILE *out)
{
    return tell_more(first, one, other, out) + tell_more(second, other, one, out);
}

size_t roles_differences(const swp_verdict *verdict, const role_judgement *judged, int most_n,
                         FILE *out)
{
    role_judgement proven = told(verdict, most_n);
    const size_t count = role_judgements_differ("judge", judged, "proof", &proven, out);
    role_judgement_free(&proven);
    return count;
}

bool roles_agree(const random_roles *p, const swp_verdict *verdict, const role_judgement *judged,
                 int most_n)
{
    const bool contradicts_itself = verdict->safe != (verdict->hazards.count == 0);
    if (roles_differences(verdict, judged, most_n, stdout) == 0 && !contradicts_itself)
        return true;
    printf("the verdict is %ssafe, with %zu hazards\n", verdict->safe ? "" : "un",
           verdict->hazards.count);
    random_roles_print(p);
    return false;
}

/* --- Output tiles --- */

static role_hazard tile_hazard_of(const swp_hazard *h)
{
    role_hazard out = {.kind = h->kind,
                       .stream = h->stream,
                       .phase = h->at.phase,
                       .entry = h->at.entry,
                       .smallest = {.n = h->smallest_n, .count = h->tile_count}};
    for (int t = 0; t < h->tile_count && t < ROLE_MOST_TILES; t++)
        out.smallest.tiles[t] = h->tiles[t];
    return out;
}

static bool is_written_out(const swp_hazard *h, int most_tiles, int longest)
{
    bool all = h->tile_count <= most_tiles;
    for (int t = 0; all && t < h->tile_count; t++)
        all = h->tiles[t] <= longest;
    return all;
}

static bool is_same(const swp_hazard *h, const role_hazard *judged)
{
    return h->kind == judged->kind && h->stream == judged->stream && h->at.phase == judged->phase &&
           h->at.entry == judged->entry;
}

/* Epilogues of different remainders have entries of the same numbers: one of them is of the smallest sequence. */
static bool is_told_of_smallest(const swp_verdict *verdict, const role_hazard *judged)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const role_hazard hazard = tile_hazard_of(&verdict->hazards.items[i]);
        if (is_same(&verdict->hazards.items[i], judged) &&
            role_sequence_compare(&hazard.smallest, &judged->smallest) == 0)
            return true;
    }
    return false;
}

bool roles_tiles_are_found(const swp_verdict *verdict, const role_judgement *judged, int most_tiles,
                           int longest)
{
    bool agree = verdict->safe ? judged->count == 0 : verdict->hazards.count > 0;
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const role_hazard hazard = tile_hazard_of(&verdict->hazards.items[i]);
        const role_hazard *other = role_judgement_find(judged, &hazard);
        agree = agree && (!is_written_out(&verdict->hazards.items[i], most_tiles, longest) ||
                          (other && is_told_of_smallest(verdict, other)));
    }
    return agree;
}

bool roles_tiles_agree(const swp_verdict *verdict, const role_judgement *judged, int most_tiles,
                       int longest)
{
    bool agree = roles_tiles_are_found(verdict, judged, most_tiles, longest);
    for (size_t i = 0; i < judged->count; i++) {
        bool found = false;
        for (size_t k = 0; k < verdict->hazards.count; k++)
            found = found || is_same(&verdict->hazards.items[k], &judged->items[i]);
        agree = agree && found;
    }
    return agree;
}
