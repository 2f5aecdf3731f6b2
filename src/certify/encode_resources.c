/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the part of the formula that bounds resources, slot by slot: pairs that exclude each
 * other, or sums.
 */
#include "certify/encode.h"

#include "certify/occupancy.h"

#include <stdlib.h>

enum { MERGE_FROM = 1 << 12 };

/* A use that may hold the slot. */
typedef struct member {
    int64_t amount;
    swp_occupant *occupant;
} member;

/* The members of a group at a slot. */
typedef struct party {
    member *members;
    size_t count;
    int64_t largest; /* amount */
} party;

/*
 * The variable says that the amounts picked so far come to `amount`, from which they may still
 * become too much.
 */
typedef struct sum {
    int64_t amount;
    int variable;
} sum;

typedef struct sum_list {
    sum *items;
    size_t count;
    size_t capacity;
} sum_list;

/* The state while the slots of one resource are encoded in turn. */
typedef struct filling {
    const swp_encoder *encoder;
    swp_uses uses;
    const swp_index_lists *groups;
    int resource;
    size_t listed; /* uses in all groups */
    int64_t left;  /* the capacity less what is held in every slot */
    party *parties;
    size_t party_count;
    member *members; /* room for all */
    sum_list before; /* sums of the groups so far; the first is 0, which is certain */
    sum_list after;
} filling;

static swp_status judge_use(const filling *f, int number, bool *listed)
{
    swp_judgement *judgement = f->encoder->sink->judgement;
    const swp_place place = f->encoder->sink->step->place;
    if (number < 0 || (size_t)number >= f->uses.count)
        return swp_certify_refuse(judgement, place, "`groups` has use %d, but there are %zu",
                                  number, f->uses.count);
    const swp_certify_use *use = &f->uses.items[number];
    if (use->use->resource != f->resource || use->use->cycles == 0 ||
        !f->encoder->frame->encoded[use->op])
        return swp_certify_refuse(
            judgement, place,
            "`groups` has use %d for resource %d, but it is of resource %d, by op %d "
            "for %lld cycles%s",
            number, f->resource, use->use->resource, use->op, (long long)use->use->cycles,
            f->encoder->frame->encoded[use->op] ? "" : ", which is left out");
    if (listed[number])
        return swp_certify_refuse(judgement, place, "`groups` has use %d twice", number);
    listed[number] = true;
    return SWP_OK;
}

static swp_status judge_groups(filling *f, bool *listed, int64_t capacity)
{
    f->left = capacity;
    f->listed = 0;
    for (size_t g = 0; g < f->groups->count; g++) {
        const swp_index_list *group = &f->groups->items[g];
        if (group->count == 0)
            return swp_certify_refuse(f->encoder->sink->judgement, f->encoder->sink->step->place,
                                      "`groups` has an empty group for resource %d", f->resource);
        for (size_t i = 0; i < group->count; i++) {
            SWP_TRY(judge_use(f, group->items[i], listed));
            const swp_certify_use *use = &f->uses.items[group->items[i]];
            f->left -= use->use->amount * use->rounds;
            f->listed++;
        }
    }
    return SWP_OK;
}

/* Collects the uses that may hold the slot, group by group; groups without members are dropped. */
static void gather(filling *f, int64_t slot)
{
    member *next = f->members;
    f->party_count = 0;
    for (size_t g = 0; g < f->groups->count; g++) {
        const swp_index_list *group = &f->groups->items[g];
        party made = {.members = next};
        for (size_t i = 0; i < group->count; i++) {
            const swp_certify_use *use = &f->uses.items[group->items[i]];
            if (!use->occupant || !swp_certify_may_occupy(f->encoder->frame, use->occupant, slot))
                continue;
            *next++ = (member){use->use->amount, use->occupant};
            made.count++;
            if (use->use->amount > made.largest)
                made.largest = use->use->amount;
        }
        if (made.count > 0)
            f->parties[f->party_count++] = made;
    }
}

static swp_status encode_pairs(const filling *f, const party *p, int64_t slot)
{
    for (size_t u = 0; u < p->count; u++) {
        SWP_TRY(swp_certify_spend(f->encoder->sink->judgement, p->count - u));
        for (size_t v = u + 1; v < p->count; v++) {
            if (p->members[u].amount + p->members[v].amount <= f->left)
                continue;
            int first = 0;
            int second = 0;
            SWP_TRY(swp_certify_step_occupies(f->encoder, p->members[u].occupant, slot, &first));
            SWP_TRY(swp_certify_step_occupies(f->encoder, p->members[v].occupant, slot, &second));
            const int clause[] = {-first, -second};
            SWP_TRY(swp_certify_sink_clause(f->encoder->sink, clause, 2));
        }
    }
    return SWP_OK;
}

static int by_amount(const void *a, const void *b)
{
    const sum *x = a;
    const sum *y = b;
    return (x->amount > y->amount) - (x->amount < y->amount);
}

static swp_status reach(filling *f, int64_t amount, int64_t rest)
{
    sum_list *after = &f->after;
    if (amount == 0 || amount > f->left || amount + rest <= f->left)
        return SWP_OK;
    return SWP_PUSH(f->encoder->ctx, after, ((sum){amount, 0}));
}

/* Merges equal sums into one. */
static void merge_sums(sum_list *sums)
{
    size_t kept = 1;
    qsort(sums->items, sums->count, sizeof *sums->items, by_amount);
    for (size_t i = 1; i < sums->count; i++)
        if (sums->items[i].amount != sums->items[kept - 1].amount)
            sums->items[kept++] = sums->items[i];
    sums->count = kept;
}

/*
 * Finds the sums that one more group may come to. They are merged on the way, so that there is
 * never room for many more than the certificate has variables for. The search ends as soon as there
 * are more.
 */
static swp_status find_sums(filling *f, const party *p, int64_t rest)
{
    const size_t most = (size_t)(f->encoder->sink->step->variables) + 1;
    size_t full = MERGE_FROM;
    f->after.count = 0;
    SWP_TRY(SWP_PUSH(f->encoder->ctx, &f->after, ((sum){0, SWP_TRUE})));
    for (size_t j = 0; j < f->before.count; j++) {
        SWP_TRY(reach(f, f->before.items[j].amount, rest));
        for (size_t u = 0; u < p->count; u++)
            SWP_TRY(reach(f, f->before.items[j].amount + p->members[u].amount, rest));
        if (f->after.count < full)
            continue;
        merge_sums(&f->after);
        if (f->after.count > most)
            return SWP_OK;
        full = 2 * f->after.count + MERGE_FROM;
    }
    merge_sums(&f->after);
    return SWP_OK;
}

/* Finds the sums that may still become too much, and gives each a variable. */
static swp_status make_sums(filling *f, const party *p, int64_t rest)
{
    SWP_TRY(swp_certify_spend(f->encoder->sink->judgement, f->before.count * (p->count + 1)));
    SWP_TRY(find_sums(f, p, rest));
    for (size_t i = 1; i < f->after.count; i++)
        SWP_TRY(swp_certify_sink_variable(f->encoder->sink, &f->after.items[i].variable));
    return SWP_OK;
}

/* Returns the variable of a sum that make_sums() has made. */
static int variable_of(const filling *f, int64_t amount)
{
    const sum wanted = {amount, 0};
    const sum *found =
        bsearch(&wanted, f->after.items, f->after.count, sizeof *f->after.items, by_amount);
    return found->variable;
}

static swp_status add_to_sums(const filling *f, const member *u, int64_t slot, int64_t rest)
{
    for (size_t j = 0; j < f->before.count; j++) {
        const int64_t total = f->before.items[j].amount + u->amount;
        if (total + rest <= f->left)
            continue;
        int holds = 0;
        SWP_TRY(swp_certify_step_occupies(f->encoder, u->occupant, slot, &holds));
        const int clause[] = {-holds, -f->before.items[j].variable,
                              total > f->left ? SWP_FALSE : variable_of(f, total)};
        SWP_TRY(swp_certify_sink_clause(f->encoder->sink, clause, 3));
    }
    return SWP_OK;
}

static swp_status keep_sums(const filling *f, int64_t rest)
{
    for (size_t j = 1; j < f->before.count; j++) {
        const sum *s = &f->before.items[j];
        if (s->amount + rest <= f->left)
            continue;
        const int clause[] = {-s->variable, variable_of(f, s->amount)};
        SWP_TRY(swp_certify_sink_clause(f->encoder->sink, clause, 2));
    }
    return SWP_OK;
}

static swp_status encode_sums(filling *f, int64_t slot)
{
    int64_t rest = 0;
    for (size_t i = 0; i < f->party_count; i++)
        rest += f->parties[i].largest;
    if (rest <= f->left)
        return SWP_OK;
    f->before.count = 0;
    SWP_TRY(SWP_PUSH(f->encoder->ctx, &f->before, ((sum){0, SWP_TRUE})));
    for (size_t i = 0; i < f->party_count; i++) {
        const party *p = &f->parties[i];
        rest -= p->largest;
        SWP_TRY(make_sums(f, p, rest));
        SWP_TRY(keep_sums(f, rest));
        for (size_t u = 0; u < p->count; u++)
            SWP_TRY(add_to_sums(f, &p->members[u], slot, rest));
        const sum_list swapped = f->before;
        f->before = f->after;
        f->after = swapped;
    }
    return SWP_OK;
}

/* Returns whether all that may hold the slot can hold it at once: then no clause is needed. */
static bool has_room(const filling *f)
{
    int64_t all = 0;
    for (size_t i = 0; i < f->party_count; i++) {
        const party *p = &f->parties[i];
        int64_t second = 0;
        bool seen = false; /* the largest amount */
        for (size_t u = 0; u < p->count; u++) {
            const int64_t amount = p->members[u].amount;
            if (amount == p->largest && !seen)
                seen = true;
            else
                second = amount > second ? amount : second;
        }
        all += p->largest;
        if (p->count > 1 && p->largest + second > f->left)
            return false;
    }
    return all <= f->left;
}

/* Returns the first slot after this one at which the set of uses that may hold it changes. */
static int64_t next_change(const filling *f, int64_t slot)
{
    int64_t next = INT64_MAX;
    for (size_t g = 0; g < f->groups->count; g++)
        for (size_t i = 0; i < f->groups->items[g].count; i++) {
            const swp_occupant *occupant = f->uses.items[f->groups->items[g].items[i]].occupant;
            const int64_t change =
                occupant ? swp_certify_next_change(f->encoder->frame, occupant, slot) : INT64_MAX;
            next = change < next ? change : next;
        }
    return next;
}

/* Slots with room are passed over together: there may be billions of them, and they need no clause. */
static swp_status encode_slots(filling *f)
{
    const swp_frame *frame = f->encoder->frame;
    int64_t next = 0;
    for (int64_t slot = frame->first_slot; slot <= frame->last_slot; slot = next) {
        next = slot + 1;
        swp_certify_sink_about(f->encoder->sink, SWP_ABOUT_RESOURCE, f->resource, slot);
        SWP_TRY(swp_certify_spend(f->encoder->sink->judgement, 1 + f->listed));
        gather(f, slot);
        if (has_room(f)) {
            next = next_change(f, slot);
            continue;
        }
        for (size_t i = 0; i < f->party_count; i++)
            SWP_TRY(encode_pairs(f, &f->parties[i], slot));
        SWP_TRY(encode_sums(f, slot));
    }
    return SWP_OK;
}

static swp_status encode_resource(filling *f, bool *listed)
{
    const swp_problem *problem = f->encoder->frame->problem;
    swp_sink *sink = f->encoder->sink;
    SWP_TRY(judge_groups(f, listed, problem->resources[f->resource].capacity));
    swp_certify_sink_about(sink, SWP_ABOUT_RESOURCE, f->resource, f->encoder->frame->first_slot);
    if (f->left < 0)
        return swp_certify_sink_clause(sink, NULL, 0);
    return f->groups->count > 0 ? encode_slots(f) : SWP_OK;
}

swp_status swp_certify_encode_resources(swp_encoder *encoder)
{
    const swp_problem *problem = encoder->frame->problem;
    const swp_certificate_step *step = encoder->sink->step;
    filling f = {.encoder = encoder};
    bool *listed = NULL;
    size_t most_groups = 0;
    if (step->group_count != problem->resource_count)
        return swp_certify_refuse(encoder->sink->judgement, step->place,
                                  "`groups` has %zu lists, but there are %zu resources",
                                  step->group_count, problem->resource_count);
    SWP_TRY(swp_certify_uses_new(encoder->ctx, encoder, &f.uses));
    for (size_t r = 0; r < step->group_count; r++)
        most_groups = step->groups[r].count > most_groups ? step->groups[r].count : most_groups;
    SWP_TRY(SWP_TAKE(encoder->ctx, f.uses.count, &listed));
    SWP_TRY(SWP_TAKE(encoder->ctx, f.uses.count, &f.members));
    SWP_TRY(SWP_TAKE(encoder->ctx, most_groups, &f.parties));
    for (size_t r = 0; r < problem->resource_count; r++) {
        f.resource = (int)r;
        f.groups = &step->groups[r];
        SWP_TRY(encode_resource(&f, listed));
    }
    return SWP_OK;
}
