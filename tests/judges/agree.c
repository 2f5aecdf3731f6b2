/* SPDX-License-Identifier: Apache-2.0 */
#include "agree.h"

/* Whether the judge has seen the run of a hazard. */
static bool is_seen(const swp_hazard *h, int most_n)
{
    int longest = h->tiles ? 0 : h->smallest_n;
    for (int t = 0; t < h->tile_count && t < ROLE_MOST_TILES; t++)
        longest = h->tiles[t] > longest ? h->tiles[t] : longest;
    return longest <= most_n && h->tile_count <= ROLE_MOST_TILES;
}

/* What the verdict says of runs that the judge has seen. */
static judgement told(const swp_verdict *verdict, int most_n)
{
    judgement out = {0};
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (is_seen(&verdict->hazards.items[i], most_n))
            judgement_add(&out, judged_hazard_of(&verdict->hazards.items[i]));
    return out;
}

static bool is_same_from(const judged_hazard *a, const judged_hazard *b)
{
    return a && b && a->smallest_n == b->smallest_n &&
           role_sequence_compare(&a->smallest, &b->smallest) == 0;
}

/* What the second does not say as the first does. */
static size_t tell_more(const char *who, const judgement *more, const judgement *less, FILE *out)
{
    size_t count = 0;
    char text[128];
    for (size_t i = 0; i < more->count; i++) {
        const judged_hazard *other = judgement_find(less, &more->items[i]);
        if (is_same_from(&more->items[i], other))
            continue;
        judged_hazard_print(text, sizeof text, &more->items[i]);
        if (out)
            (void)fprintf(out, "only the %s: %s\n", who, text);
        count++;
    }
    return count;
}

size_t judgements_differ(const char *first, const judgement *one, const char *second,
                         const judgement *other, FILE *out)
{
    return tell_more(first, one, other, out) + tell_more(second, other, one, out);
}

size_t roles_differences(const swp_verdict *verdict, const judgement *judged, int most_n, FILE *out)
{
    judgement proven = told(verdict, most_n);
    const size_t count = judgements_differ("judge", judged, "proof", &proven, out);
    judgement_free(&proven);
    return count;
}

bool roles_agree(const random_roles *p, const swp_verdict *verdict, const judgement *judged,
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

/* --- The first of the differences --- */

/* The first that the second does not say as the first does. */
static const judged_hazard *first_more(const judgement *more, const judgement *less)
{
    for (size_t i = 0; i < more->count; i++)
        if (!is_same_from(&more->items[i], judgement_find(less, &more->items[i])))
            return &more->items[i];
    return NULL;
}

static disagreement difference_at(const judged_hazard *at, const judgement *judged,
                                  const judgement *proven)
{
    const judged_hazard *one = judgement_find(judged, at);
    const judged_hazard *other = judgement_find(proven, at);
    return (disagreement){.found = true,
                          .hazard = *at,
                          .judged_n = one ? one->smallest_n : 0,
                          .verified_n = other ? other->smallest_n : 0};
}

disagreement judges_disagree(const judgement *judged, const swp_verdict *verdict, int most_n)
{
    judgement proven = told(verdict, most_n);
    const judged_hazard *one = first_more(judged, &proven);
    const judged_hazard *other = first_more(&proven, judged);
    if (!one || (other && judged_hazard_compare(other, one) < 0))
        one = other;
    disagreement d = one ? difference_at(one, judged, &proven) : (disagreement){0};
    d.verdicts = (judged->count == 0) != (proven.count == 0);
    judgement_free(&proven);
    return d;
}

static void print_side(char *out, size_t size, const char *judge, int n)
{
    if (n > 0)
        (void)snprintf(out, size, "%s from N = %d", judge, n);
    else
        (void)snprintf(out, size, "%s not", judge);
}

void disagreement_print(char *out, size_t size, const disagreement *d)
{
    char judged[48];
    char verified[48];
    print_side(judged, sizeof judged, "unrolled", d->judged_n);
    print_side(verified, sizeof verified, "verifier", d->verified_n);
    (void)snprintf(out, size, "%s %s %d: %s, %s", swp_hazard_name(d->hazard.kind),
                   swp_phase_name(d->hazard.phase), d->hazard.entry, judged, verified);
}

/* --- Output tiles --- */

static bool is_written_out(const swp_hazard *h, int most_tiles, int longest)
{
    bool all = h->tile_count <= most_tiles;
    for (int t = 0; all && t < h->tile_count; t++)
        all = h->tiles[t] <= longest;
    return all;
}

static bool is_same(const swp_hazard *h, const judged_hazard *judged)
{
    return h->kind == judged->kind && h->stream == judged->stream && h->at.phase == judged->phase &&
           h->at.entry == judged->entry;
}

/* Epilogues of different remainders have entries of the same numbers: one of them is of the smallest sequence. */
static bool is_told_of_smallest(const swp_verdict *verdict, const judged_hazard *judged)
{
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const judged_hazard hazard = judged_hazard_of(&verdict->hazards.items[i]);
        if (is_same(&verdict->hazards.items[i], judged) &&
            role_sequence_compare(&hazard.smallest, &judged->smallest) == 0)
            return true;
    }
    return false;
}

bool roles_tiles_are_found(const swp_verdict *verdict, const judgement *judged, int most_tiles,
                           int longest)
{
    bool agree = verdict->safe ? judged->count == 0 : verdict->hazards.count > 0;
    for (size_t i = 0; i < verdict->hazards.count; i++) {
        const judged_hazard hazard = judged_hazard_of(&verdict->hazards.items[i]);
        const judged_hazard *other = judgement_find(judged, &hazard);
        agree = agree && (!is_written_out(&verdict->hazards.items[i], most_tiles, longest) ||
                          (other && is_told_of_smallest(verdict, other)));
    }
    return agree;
}

bool roles_tiles_agree(const swp_verdict *verdict, const judgement *judged, int most_tiles,
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
