/* SPDX-License-Identifier: Apache-2.0 */
/* Judges a pipeline of a loop: its answer, each part of its certificate, and which claims these leave open. */
#include "swp/certify_loop.h"

#include "base/require.h"
#include "certify/answer.h"
#include "certify/loop_check.h"
#include "certify/loop_edges.h"
#include "certify/loop_instances.h"
#include "certify/loop_passes.h"
#include "certify/loop_roles.h"
#include "certify/names.h"
#include "certify/steps.h"

#include <string.h>

static const swp_place nowhere = {NULL, 0, 0};

static swp_status judge_slots(swp_loop_check *c)
{
    const swp_loop *loop = c->loop;
    if (c->answer->slot_count != loop->value_count)
        return swp_certify_refuse(&c->judgement, nowhere,
                                  "the pipeline has slots of %zu values, but the loop has %zu",
                                  c->answer->slot_count, loop->value_count);
    for (size_t v = 0; v < loop->value_count; v++)
        if (c->answer->slots[v] < c->least[v] || c->answer->slots[v] > c->most[v])
            return swp_certify_refuse(
                &c->judgement, nowhere, "`%s` has %d slots, but may have %d to %d",
                loop->values[v].name, c->answer->slots[v], c->least[v], c->most[v]);
    for (int v = 0; v < (int)loop->value_count; v++) {
        const int with = swp_certify_slots_with(loop, v);
        if (c->answer->slots[v] != c->answer->slots[with])
            return swp_certify_refuse(&c->judgement, nowhere,
                                      "`%s` has %d slots, but as many as `%s` are asked, which has "
                                      "%d",
                                      loop->values[v].name, c->answer->slots[v],
                                      loop->values[with].name, c->answer->slots[with]);
    }
    return SWP_OK;
}

static int64_t bytes_of(const swp_loop_check *c, swp_space space)
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

static swp_status judge_budget(swp_loop_check *c, swp_space space, int64_t bytes)
{
    const int64_t budget = swp_certify_budget_of(c->loop, space);
    if (budget < 0 || bytes <= budget)
        return SWP_OK;
    return swp_certify_refuse(
        &c->judgement, nowhere, "the pipeline takes %lld bytes of %s, but the budget is %lld",
        (long long)bytes, space == SWP_SPACE_SHARED ? "shared memory" : "registers",
        (long long)budget);
}

static swp_status judge_role_budgets(swp_loop_check *c)
{
    for (int role = 0; role < (int)c->loop->role_count; role++) {
        const int64_t budget = swp_certify_role_budget(c->loop, role);
        const int64_t bytes = swp_certify_role_bytes(c->loop, role, c->answer->slots);
        if (budget >= 0 && bytes > budget)
            return swp_certify_refuse(
                &c->judgement, nowhere, "role `%s` takes %lld bytes of registers, but has %lld",
                c->loop->roles[role].name, (long long)bytes, (long long)budget);
    }
    return SWP_OK;
}

static swp_status judge_costs(swp_loop_check *c)
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

/*
 * Takes the times of all instances. A list of the wrong length is passed on, and the judge of the
 * answer refuses it.
 */
static swp_status take_times(swp_loop_check *c, swp_answer *schedule)
{
    const swp_loop_answer *a = c->answer;
    const size_t shifts = swp_certify_shift_count(c->loop);
    if (a->shift_count != shifts)
        return swp_certify_refuse(&c->judgement, nowhere,
                                  "the pipeline has %zu shifts of instances, but the loop has %zu",
                                  a->shift_count, shifts);
    schedule->times = a->times;
    schedule->time_count = a->time_count;
    if (shifts == 0 || a->time_count != c->loop->op_count)
        return SWP_OK;
    schedule->time_count = (size_t)swp_certify_op_of_instance(c->loop, (int)c->loop->op_count, 0);
    return swp_certify_shift_times(c->ctx, c->loop, a->times, a->shifts, &schedule->times);
}

static swp_status judge_pipeline(swp_loop_check *c)
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

static swp_status judge_header(swp_loop_check *c)
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

static swp_status judge_part_slots(swp_loop_check *c, const swp_loop_certificate_part *part)
{
    if (part->slot_count != c->loop->value_count)
        return swp_certify_refuse(&c->judgement, part->place,
                                  "the part has slots of %zu values, but the loop has %zu",
                                  part->slot_count, c->loop->value_count);
    for (size_t v = 0; v < part->slot_count; v++) {
        const int slots = part->claim.slots[v];
        if (slots != 0 && (slots < c->least[v] || slots > c->most[v]))
            return swp_certify_refuse(&c->judgement, part->place,
                                      "`%s` has %d slots, but may have %d to %d",
                                      c->loop->values[v].name, slots, c->least[v], c->most[v]);
    }
    return SWP_OK;
}

/*
 * Sets `out` to the loop that a part is about. If the loop leaves roles open, that is the one with
 * the part's roles.
 */
static swp_status loop_of_part(swp_context *ctx, swp_loop_check *c,
                               const swp_loop_certificate_part *part, swp_loop *out)
{
    const bool open = swp_certify_has_open_roles(c->given);
    *out = *c->given;
    if (part->claim.roles ? !open || part->role_count != c->given->op_count ||
                                !swp_certify_may_have_roles(c->given, part->claim.roles)
                          : open)
        return swp_certify_refuse(&c->judgement, part->place,
                                  "its roles are not those that the ops of the loop may have");
    return open ? swp_certify_close_roles(ctx, c->given, part->claim.roles, out) : SWP_OK;
}

static swp_status problem_of_part(swp_context *ctx, swp_loop_check *c,
                                  const swp_loop_certificate_part *part, swp_problem *out)
{
    swp_loop loop;
    const size_t shifts = swp_certify_shift_count(c->loop);
    SWP_TRY(loop_of_part(ctx, c, part, &loop));
    if (part->shifts && part->shift_count != shifts)
        return swp_certify_refuse(&c->judgement, part->place,
                                  "the part has %zu shifts of instances, but the loop has %zu",
                                  part->shift_count, shifts);
    SWP_TRY(swp_certify_problem_of_loop(ctx, &loop, part->claim.slots, part->claim.stages, out));
    return part->shifts ? swp_certify_add_shifts(ctx, &loop, part->shifts, out) : SWP_OK;
}

static swp_status judge_part(swp_context *ctx, swp_loop_check *c,
                             const swp_loop_certificate_part *part)
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

static swp_status judge_parts(swp_loop_check *c)
{
    for (size_t i = 0; c->certificate && i < c->certificate->part_count; i++) {
        const swp_loop_certificate_part *part = &c->certificate->parts[i];
        swp_context scratch;
        SWP_TRY(swp_scope_open(c->ctx, &scratch));
        c->report->part = i + 1;
        const swp_status status = judge_part(&scratch, c, part);
        swp_scope_close(&scratch);
        SWP_TRY(status);
        c->report->steps += part->step_count;
    }
    c->report->part = 0;
    return SWP_OK;
}

/* From here on `c->loop` has the roles of the pipeline. */
static swp_status take_roles(swp_loop_check *c)
{
    swp_loop *loop = NULL;
    const int *roles = c->answer->roles;
    if (!swp_certify_has_open_roles(c->given))
        return SWP_OK;
    if (!roles || !swp_certify_may_have_roles(c->given, roles))
        return swp_certify_refuse(&c->judgement, nowhere,
                                  "the roles are not those that the ops of the loop may have");
    SWP_TRY(SWP_TAKE(c->ctx, 1, &loop));
    c->loop = loop;
    return swp_certify_close_roles(c->ctx, c->given, roles, loop);
}

static swp_status judge(swp_loop_check *c)
{
    SWP_TRY(take_roles(c));
    SWP_TRY(swp_certify_slot_range(c->ctx, c->loop, &c->least, &c->most));
    SWP_TRY(judge_pipeline(c));
    if (c->certificate)
        SWP_TRY(judge_header(c));
    SWP_TRY(judge_parts(c));
    return swp_certify_judge_claims(c);
}

swp_status swp_loop_certificate_check(swp_context *ctx, const swp_loop *loop,
                                      const swp_loop_answer *answer,
                                      const swp_loop_certificate *certificate,
                                      swp_certificate_report *report)
{
    SWP_REQUIRE(ctx, ctx && loop && answer && report);
    const bool least = answer->bound >= answer->interval;
    const swp_loop passes = swp_certify_passes_of(loop);
    *report = (swp_certificate_report){.name = loop->name,
                                       .status = least ? SWP_ANSWER_OPTIMAL : SWP_ANSWER_FEASIBLE,
                                       .value = answer->interval,
                                       .bound = answer->bound,
                                       .proven = 1,
                                       .parts = certificate ? certificate->part_count : 0};
    swp_loop_check c = {.ctx = ctx,
                        .judgement = swp_certify_begin(ctx),
                        .loop = &passes,
                        .given = &passes,
                        .answer = answer,
                        .certificate = certificate,
                        .report = report};
    return swp_certify_conclude(&c.judgement, judge(&c), report);
}
