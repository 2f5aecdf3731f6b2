/* SPDX-License-Identifier: Apache-2.0 */
/* What of the places of a loop without warp roles something behind a cut may still ask for. */
#include "verify/roles_sight.h"

/* Whether it is over in all waves before whatever any of them does next. */
static bool is_past(const swp_role_sight *s, int value, int event)
{
    const swp_happens_run *run = s->judge->run;
    const int instances = run->program->count;
    const int threads = swp_verify_role_event_threads(s);
    for (int k = 0; event >= 0 && k < instances * instances * threads * threads; k++) {
        const int pair = k / (instances * instances);
        const int next = swp_happens_thread_of(k / instances % instances, pair / threads);
        const swp_role_access a =
            swp_verify_role_event_access(s, event, k % instances, pair % threads);
        if (!swp_happens_over_before(run, value, a.at.instance, a.which, a.at.step, 0, next,
                                     run->threads[next].step))
            return false;
    }
    return true;
}

/* The first write of a place that a read to come may see. */
static size_t first_in_sight(const swp_role_sight *s, const swp_role_watched *p)
{
    size_t i = p->writes.count - 1;
    while (!is_past(s, p->value, p->writes.items[i].event))
        i--;
    return i - (size_t)p->writes.items[i].overlapped;
}

typedef struct visitor {
    swp_role_visit_seen *visit;
    void *user;
} visitor;

static swp_status visit_event(const swp_role_sight *s, const visitor *v, swp_role_seen seen,
                              int event)
{
    const int instances = s->judge->run->program->count;
    for (int i = 0; i < instances; i++) {
        seen.at = (swp_happens_at){i, event < 0 ? -1 : s->steps[i][event]};
        SWP_TRY(v->visit(v->user, &seen));
    }
    return SWP_OK;
}

static swp_status visit_place(const swp_role_sight *s, const visitor *v, const swp_role_watched *p)
{
    const swp_role_seen of = {.value = p->value, .slot = p->slot};
    for (size_t i = first_in_sight(s, p); i < p->writes.count; i++) {
        const swp_role_written *write = &p->writes.items[i];
        swp_role_seen seen = of;
        seen.sort = SWP_ROLE_SEEN_WRITE;
        seen.tile = write->tile;
        seen.overlapped = write->overlapped;
        seen.told = write->told;
        SWP_TRY(visit_event(s, v, seen, write->event));
    }
    for (size_t i = 0; i < p->reads.count + p->pending.count; i++) {
        const bool is_pending = i >= p->reads.count;
        const swp_role_observed *read =
            is_pending ? &p->pending.items[i - p->reads.count] : &p->reads.items[i];
        swp_role_seen seen = of;
        if (!is_pending && is_past(s, p->value, read->event)) /* nothing overtakes it */
            continue;
        seen.sort = is_pending ? SWP_ROLE_SEEN_PENDING : SWP_ROLE_SEEN_READ;
        seen.tile = read->tile;
        SWP_TRY(visit_event(s, v, seen, read->event));
    }
    return SWP_OK;
}

swp_status swp_verify_role_see(swp_role_judge *judge, swp_role_visit_seen *visit, void *user)
{
    swp_role_sight s = {.judge = judge, .question = {.judge = judge}, .is_cut = true};
    const visitor v = {visit, user};
    SWP_TRY(swp_verify_role_find_ends(judge));
    judge->is_looking = true;
    const swp_status status = swp_verify_role_watch(&s);
    judge->is_looking = false;
    SWP_TRY(status);
    for (int p = 0; p < judge->model->places; p++)
        SWP_TRY(visit_place(&s, &v, &s.places[p]));
    return SWP_OK;
}
