/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for what the parts of a certificate leave open: roles of ops, shifts of instances, slots of values. */
#include "certify/loop_check.h"

#include "certify/loop_instances.h"
#include "certify/loop_roles.h"

/* Returns whether a part is about the roles of this loop; a part without roles is about any. */
static bool is_about(const swp_loop_certificate_part *part, const swp_loop *loop)
{
    for (size_t o = 0; part->claim.roles && o < loop->op_count; o++)
        if (part->claim.roles[o] != loop->ops[o].role)
            return false;
    return true;
}

/* Returns whether a part holds for these shifts. NULL asks for a part that holds for all. */
static bool holds_for(const swp_loop_certificate_part *part, const int64_t *shifts)
{
    for (size_t i = 0; part->shifts && shifts && i < part->shift_count; i++)
        if (part->shifts[i] != shifts[i])
            return false;
    return !part->shifts || shifts;
}

/* Sets `*open` to slot counts for which no part says that there is no such pipeline with these shifts. */
static swp_status find_open_of(swp_loop_check *c, const swp_loop_question *q, const int64_t *shifts,
                               const int **open)
{
    swp_slot_pool pool = {0};
    for (size_t i = 0; c->certificate && i < c->certificate->part_count; i++) {
        const swp_loop_certificate_part *part = &c->certificate->parts[i];
        const swp_loop_refutation *r = &part->claim;
        const bool speaks = r->stages == 0 || (q->stages > 0 && q->stages <= r->stages);
        SWP_TRY(swp_certify_spend(&c->judgement, 1));
        if (speaks && r->bound >= q->bound && is_about(part, q->space.loop) &&
            holds_for(part, shifts))
            SWP_TRY(SWP_PUSH(c->ctx, &pool, r->slots));
    }
    return swp_certify_find_open_way(c->ctx, &c->judgement, &q->space, &pool, open);
}

static bool has_shifts(const swp_loop_certificate *certificate)
{
    for (size_t i = 0; certificate && i < certificate->part_count; i++)
        if (certificate->parts[i].shifts)
            return true;
    return false;
}

/* If some parts hold for one list of shifts only, nothing may stay open for any list. */
static swp_status find_open_of_roles(swp_loop_check *c, const swp_loop_question *q,
                                     const int **open)
{
    int64_t *shifts = NULL;
    if (!has_shifts(c->certificate))
        return find_open_of(c, q, NULL, open);
    SWP_TRY(SWP_TAKE(c->ctx, swp_certify_shift_count(c->loop), &shifts));
    do
        SWP_TRY(find_open_of(c, q, shifts, open));
    while (!*open && swp_certify_next_shifts(c->loop, q->bound - 1, shifts));
    return SWP_OK;
}

swp_status swp_certify_find_open(swp_loop_check *c, const swp_loop_question *asked,
                                 const int **open, int **roles)
{
    swp_loop_question q = *asked;
    swp_loop loop;
    bool more = true;
    *roles = NULL;
    if (!swp_certify_has_open_roles(c->given))
        return find_open_of_roles(c, &q, open);
    SWP_TRY(SWP_TAKE(c->ctx, c->given->op_count, roles));
    for (size_t o = 0; o < c->given->op_count; o++)
        (*roles)[o] = SWP_CERTIFY_NO_ROLES;
    SWP_TRY(swp_certify_next_roles(&c->judgement, c->given, *roles, &more));
    for (*open = NULL; more && !*open;) {
        SWP_TRY(swp_certify_close_roles(c->ctx, c->given, *roles, &loop));
        q.space.loop = &loop;
        SWP_TRY(find_open_of_roles(c, &q, open));
        if (!*open)
            SWP_TRY(swp_certify_next_roles(&c->judgement, c->given, *roles, &more));
    }
    return SWP_OK;
}
