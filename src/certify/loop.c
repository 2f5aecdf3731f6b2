/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a pipeline of a loop: its answer, each part of its certificate, and what these leave open of each claim. */
#include "swp/certify_loop.h"

#include "base/require.h"
#include "base/text.h"
#include "certify/answer.h"
#include "certify/loop_cover.h"
#include "certify/loop_edges.h"
#include "certify/loop_instances.h"
#include "certify/names.h"
#include "certify/steps.h"

#include <string.h>

/* A pipeline and its certificate. */
typedef struct check {
    swp_context *ctx;
    swp_judgement judgement;
    const swp_loop *loop;
    const swp_loop_answer *answer;
    const swp_loop_certificate *certificate;
    swp_certificate_report *report;
    int *least; /* slots of each value */
    int *most;
} check;

static const swp_place nowhere = {NULL, 0, 0};

static swp_status judge_slots(check *c)
{
    const swp_loop *loop = c->loop;
    if (c->answer->slot_count != loop->value_count)
        return swp_certify_refuse(&c->judgement, nowhere,
                                  "slots of %zu values, but the loop has %zu",
                                  c->answer->slot_count, loop->value_count);
    for (size_t v = 0; v < loop->value_count; v++)
        if (c->answer->slots[v] < c->least[v] || c->answer->slots[v] > c->most[v])
            return swp_certify_refuse(
                &c->judgement, nowhere, "%d slots of `%s`, which may have %d to %d",
                c->answer->slots[v], loop->values[v].name, c->least[v], c->most[v]);
    return SWP_OK;
}

static int64_t bytes_of(const check *c, swp_space space)
{
    int64_t bytes = 0;
    for (size_t v = 0; v < c->loop->value_count; v++)
        if (c->loop->values[v].space == space)
            bytes += c->loop->values[v].bytes * c->answer->slots[v];
    return bytes;
}

static int64_t stages_of(const swp_loop_answer *answer)
{
    int64_t last = 0;
    for (size_t o = 0; o < answer->time_count; o++)
        last = answer->times[o] > last ? answer->times[o] : last;
    return last / answer->interval + 1;
}

/* Bytes that a pipeline may have of a space at most; -1: any. */
static int64_t budget_of(const swp_loop *loop, swp_space space)
{
    const int64_t registers = (int64_t)loop->lane_registers * 4 * loop->lanes;
    const int64_t bytes = space == SWP_SPACE_SHARED ? loop->shared_budget : registers;
    return bytes > 0 ? bytes : -1;
}

static swp_status judge_budget(check *c, swp_space space, int64_t bytes)
{
    const int64_t budget = budget_of(c->loop, space);
    if (budget < 0 || bytes <= budget)
        return SWP_OK;
    return swp_certify_refuse(
        &c->judgement, nowhere, "%lld bytes of %s, but the budget is %lld", (long long)bytes,
        space == SWP_SPACE_SHARED ? "shared memory" : "registers", (long long)budget);
}

static swp_status judge_role_budgets(check *c)
{
    for (int role = 0; role < (int)c->loop->role_count; role++) {
        const int64_t budget = swp_certify_role_budget(c->loop, role);
        const int64_t bytes = swp_certify_role_bytes(c->loop, role, c->answer->slots);
        if (budget >= 0 && bytes > budget)
            return swp_certify_refuse(
                &c->judgement, nowhere, "%lld bytes of registers of role `%s`, which has %lld",
                (long long)bytes, c->loop->roles[role].name, (long long)budget);
    }
    return SWP_OK;
}

static swp_status judge_costs(check *c)
{
    int64_t costs[SWP_OBJECTIVE_COUNT];
    costs[SWP_LEAST_SHARED] = bytes_of(c, SWP_SPACE_SHARED);
    costs[SWP_LEAST_REGISTERS] = bytes_of(c, SWP_SPACE_REGISTERS);
    costs[SWP_LEAST_STAGES] = stages_of(c->answer);
    for (int o = 0; o < SWP_OBJECTIVE_COUNT; o++)
        if (c->answer->costs[o] != costs[o])
            return swp_certify_refuse(&c->judgement, nowhere,
                                      "`%s` is %lld, but the pipeline has %lld",
                                      swp_certify_claim_name((swp_objective)o),
                                      (long long)c->answer->costs[o], (long long)costs[o]);
    SWP_TRY(judge_budget(c, SWP_SPACE_SHARED, costs[SWP_LEAST_SHARED]));
    SWP_TRY(judge_role_budgets(c));
    return judge_budget(c, SWP_SPACE_REGISTERS, costs[SWP_LEAST_REGISTERS]);
}

/* A list of the wrong length is refused with it. */
static swp_status take_times(check *c, swp_answer *schedule)
{
    const swp_loop_answer *a = c->answer;
    const size_t shifts = swp_certify_shift_count(c->loop);
    if (a->shift_count != shifts)
        return swp_certify_refuse(&c->judgement, nowhere,
                                  "%zu shifts of instances, but the loop has %zu", a->shift_count,
                                  shifts);
    schedule->times = a->times;
    schedule->time_count = a->time_count;
    if (shifts == 0 || a->time_count != c->loop->op_count)
        return SWP_OK;
    schedule->time_count = (size_t)swp_certify_op_of_instance(c->loop, (int)c->loop->op_count, 0);
    return swp_certify_shift_times(c->ctx, c->loop, a->times, a->shifts, &schedule->times);
}

static swp_status judge_pipeline(check *c)
{
    const swp_loop_answer *a = c->answer;
    swp_answer schedule = {.status = SWP_ANSWER_FEASIBLE, .value = a->interval, .bound = a->bound};
    swp_problem problem;
    SWP_TRY(judge_slots(c));
    SWP_TRY(take_times(c, &schedule));
    SWP_TRY(swp_certify_problem_of_loop(c->ctx, c->loop, a->slots, 0, &problem));
    SWP_TRY(swp_problem_check(c->ctx, &problem));
    SWP_TRY(swp_certify_judge_answer(c->ctx, &c->judgement, &problem, &schedule));
    return judge_costs(c);
}

static swp_status judge_header(check *c)
{
    const swp_loop_certificate *certificate = c->certificate;
    if (strcmp(certificate->name, c->loop->name) != 0)
        return swp_certify_refuse(&c->judgement, certificate->place,
                                  "the certificate is for `%s`, not for `%s`", certificate->name,
                                  c->loop->name);
    if (certificate->interval != c->answer->interval)
        return swp_certify_refuse(
            &c->judgement, certificate->place,
            "the certificate is for the interval %lld, but the pipeline's is %lld",
            (long long)certificate->interval, (long long)c->answer->interval);
    return SWP_OK;
}

static swp_status judge_part_slots(check *c, const swp_loop_certificate_part *part)
{
    if (part->slot_count != c->loop->value_count)
        return swp_certify_refuse(&c->judgement, part->place,
                                  "slots of %zu values, but the loop has %zu", part->slot_count,
                                  c->loop->value_count);
    for (size_t v = 0; v < part->slot_count; v++) {
        const int slots = part->claim.slots[v];
        if (slots != 0 && (slots < c->least[v] || slots > c->most[v]))
            return swp_certify_refuse(&c->judgement, part->place,
                                      "%d slots of `%s`, which may have %d to %d", slots,
                                      c->loop->values[v].name, c->least[v], c->most[v]);
    }
    return SWP_OK;
}

static swp_status problem_of_part(swp_context *ctx, check *c, const swp_loop_certificate_part *part,
                                  swp_problem *out)
{
    const size_t shifts = swp_certify_shift_count(c->loop);
    if (part->shifts && part->shift_count != shifts)
        return swp_certify_refuse(&c->judgement, part->place,
                                  "%zu shifts of instances, but the loop has %zu",
                                  part->shift_count, shifts);
    SWP_TRY(swp_certify_problem_of_loop(ctx, c->loop, part->claim.slots, part->claim.stages, out));
    return part->shifts ? swp_certify_add_shifts(ctx, c->loop, part->shifts, out) : SWP_OK;
}

static swp_status judge_part(swp_context *ctx, check *c, const swp_loop_certificate_part *part)
{
    swp_problem problem;
    swp_steps_proof proof = {.bound = 1};
    SWP_TRY(judge_part_slots(c, part));
    SWP_TRY(problem_of_part(ctx, c, part, &problem));
    SWP_TRY(swp_problem_check(ctx, &problem));
    SWP_TRY(swp_certify_take_steps(ctx, &c->judgement, &problem, part->steps, part->step_count,
                                   c->report, &proof));
    if (proof.infeasible || proof.bound >= part->claim.bound)
        return SWP_OK;
    return swp_certify_refuse(&c->judgement, part->place,
                              "the bound of these slots is %lld, but the steps prove only %lld",
                              (long long)part->claim.bound, (long long)proof.bound);
}

static swp_status judge_parts(check *c)
{
    for (size_t i = 0; c->certificate && i < c->certificate->part_count; i++) {
        const swp_loop_certificate_part *part = &c->certificate->parts[i];
        swp_context scratch = *c->ctx;
        scratch.arena = swp_arena_new(&c->ctx->arena->allocator);
        if (!scratch.arena)
            return swp_out_of_memory(c->ctx);
        c->report->part = i + 1;
        const swp_status status = judge_part(&scratch, c, part);
        swp_arena_free(scratch.arena);
        SWP_TRY(status);
        c->report->steps += part->step_count;
    }
    c->report->part = 0;
    return SWP_OK;
}

/* What a cheaper or faster pipeline would have: bytes at most, stages at most (0: any), an interval below. */
typedef struct question {
    swp_slot_space space;
    int64_t stages;
    int64_t bound;
} question;

/* Whether a part holds for these shifts; NULL: for all. */
static bool holds_for(const swp_loop_certificate_part *part, const int64_t *shifts)
{
    for (size_t i = 0; part->shifts && shifts && i < part->shift_count; i++)
        if (part->shifts[i] != shifts[i])
            return false;
    return !part->shifts || shifts;
}

/* `*open` is a way to share slots out for which no part says that there is no such pipeline with these shifts. */
static swp_status find_open_of(check *c, const question *q, const int64_t *shifts, const int **open)
{
    swp_slot_pool pool = {0};
    for (size_t i = 0; c->certificate && i < c->certificate->part_count; i++) {
        const swp_loop_certificate_part *part = &c->certificate->parts[i];
        const swp_loop_refutation *r = &part->claim;
        const bool speaks = r->stages == 0 || (q->stages > 0 && q->stages <= r->stages);
        SWP_TRY(swp_certify_spend(&c->judgement, 1));
        if (speaks && r->bound >= q->bound && holds_for(part, shifts))
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

/* Where there are parts of some shifts, those of each shift have to leave nothing open, with those of all. */
static swp_status find_open(check *c, const question *q, const int **open)
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

static swp_status describe_way(check *c, const int *slots, char **out)
{
    swp_text text = {.ctx = c->ctx};
    for (size_t v = 0; v < c->loop->value_count; v++)
        swp_text_format(&text, "%s%d slot%s of `%s`", v == 0 ? "with " : ", ", slots[v],
                        slots[v] == 1 ? "" : "s", c->loop->values[v].name);
    return swp_text_end(&text, out, NULL);
}

static swp_place place_of(const check *c)
{
    return c->certificate ? c->certificate->place : nowhere;
}

/* A bound that is not reached is what a limit leaves; an interval that is said to be least is not. */
static swp_status judge_interval(check *c, const question *q)
{
    const int *open = NULL;
    char *way = NULL;
    SWP_TRY(find_open(c, q, &open));
    if (!open) {
        c->report->proven = q->bound;
        return SWP_OK;
    }
    SWP_TRY(describe_way(c, open, &way));
    if (q->bound == c->answer->interval)
        return swp_certify_refuse(&c->judgement, place_of(c),
                                  "the interval is said to be least, but nothing refutes %lld %s",
                                  (long long)q->bound - 1, way);
    c->report->verdict = SWP_CERTIFICATE_UNPROVEN;
    return swp_format(c->ctx, (char **)&c->report->why,
                      "the bound is %lld, but nothing refutes %lld %s", (long long)q->bound,
                      (long long)q->bound - 1, way);
}

/* One less of an objective than the pipeline has; false if there is no less. */
static bool ask_for_less(question *q, swp_objective objective, int64_t cost)
{
    const int64_t none = objective == SWP_LEAST_STAGES ? 1 : 0;
    if (cost == none)
        return false;
    if (objective == SWP_LEAST_STAGES)
        q->stages = cost - 1;
    else
        q->space.bytes[objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS] =
            cost - 1;
    return true;
}

/* The next objectives are asked about for pipelines that are no worse in this one. */
static void settle(question *q, swp_objective objective, int64_t cost)
{
    if (objective == SWP_LEAST_STAGES)
        q->stages = cost;
    else
        q->space.bytes[objective == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS] =
            cost;
}

static swp_status judge_objective(check *c, const question *before, swp_objective objective)
{
    question q = *before;
    const int *open = NULL;
    char *way = NULL;
    if (!c->answer->least[objective] || !ask_for_less(&q, objective, c->answer->costs[objective]))
        return SWP_OK;
    SWP_TRY(find_open(c, &q, &open));
    if (!open)
        return SWP_OK;
    SWP_TRY(describe_way(c, open, &way));
    return swp_certify_refuse(
        &c->judgement, place_of(c),
        "`%s` %lld is said to be least, but nothing refutes the interval %lld %s%s",
        swp_certify_claim_name(objective), (long long)c->answer->costs[objective],
        (long long)c->answer->interval, way,
        objective == SWP_LEAST_STAGES ? " and a stage less" : "");
}

static swp_status judge_claims(check *c)
{
    swp_certificate_claim *claims = NULL;
    question q = {.space = {c->loop, c->least, c->most, {-1, -1}}, .bound = c->answer->bound};
    for (swp_space space = SWP_SPACE_SHARED; space <= SWP_SPACE_REGISTERS; space++)
        q.space.bytes[space] = budget_of(c->loop, space);
    SWP_TRY(judge_interval(c, &q));
    q.bound = c->answer->interval + 1;
    SWP_TRY(SWP_TAKE(c->ctx, SWP_OBJECTIVE_COUNT, &claims));
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective objective = c->loop->objectives[i];
        const int64_t cost = c->answer->costs[objective];
        SWP_TRY(judge_objective(c, &q, objective));
        settle(&q, objective, cost);
        claims[i] = (swp_certificate_claim){swp_certify_claim_name(objective), cost,
                                            c->answer->least[objective]};
    }
    c->report->claims = claims;
    c->report->claim_count = SWP_OBJECTIVE_COUNT;
    return SWP_OK;
}

static swp_status judge(check *c)
{
    SWP_TRY(swp_certify_slot_range(c->ctx, c->loop, &c->least, &c->most));
    SWP_TRY(judge_pipeline(c));
    if (c->certificate)
        SWP_TRY(judge_header(c));
    SWP_TRY(judge_parts(c));
    return judge_claims(c);
}

swp_status swp_loop_certificate_check(swp_context *ctx, const swp_loop *loop,
                                      const swp_loop_answer *answer,
                                      const swp_loop_certificate *certificate,
                                      swp_certificate_report *report)
{
    SWP_REQUIRE(ctx, ctx && loop && answer && report);
    const bool least = answer->bound >= answer->interval;
    *report = (swp_certificate_report){.name = loop->name,
                                       .status = least ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_FEASIBLE,
                                       .value = answer->interval,
                                       .bound = answer->bound,
                                       .proven = 1,
                                       .parts = certificate ? certificate->part_count : 0};
    check c = {.ctx = ctx,
               .judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)},
               .loop = loop,
               .answer = answer,
               .certificate = certificate,
               .report = report};
    return swp_certify_conclude(&c.judgement, judge(&c), report);
}
