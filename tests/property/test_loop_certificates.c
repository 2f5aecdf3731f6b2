/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificates of the pipelines of small random loops: accepted as they are; with a change in the
 * certificate, the loop or the pipeline refused, or what they claim still holds by enumeration.
 */
#include "certify/loop_edges.h"
#include "fixture.h"
#include "ir/loop_dataflow.h"
#include "plain_problem.h"
#include "random_loop.h"
#include "swp/certificate.h"
#include "swp/certify_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const loop_shape shape = {
    .most_ops = 4, .most_values = 3, .most_cycles = 3, .most_slots = 3, .has_wgmmas = true};

enum { MOST_INTERVAL = 7, MOST_TRIED = 4 };

/* A loop whose pipeline is proven in all things, and its certificate. */
typedef struct sample {
    swp_context *ctx;
    swp_loop loop;
    swp_pipeline pipeline;
    swp_loop_answer answer;
    char *text;
} sample;

static char *written(swp_context *ctx, const swp_pipeline *pipeline)
{
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_ok(ctx, swp_loop_certificate_write(ctx, pipeline, stream));
    const long length = ftell(stream);
    char *text = calloc((size_t)length + 1, 1);
    assert_non_null(text);
    rewind(stream);
    assert_int_equal(fread(text, 1, (size_t)length, stream), length);
    (void)fclose(stream);
    return text;
}

static swp_loop_answer answer_of(const swp_pipeline *p)
{
    swp_loop_answer answer = {.interval = p->answer.value,
                              .bound = p->answer.bound,
                              .times = p->answer.times,
                              .time_count = p->loop->op_count,
                              .slots = p->slots,
                              .slot_count = p->loop->value_count};
    answer.costs[SWP_LEAST_SHARED] = p->bytes[SWP_SPACE_SHARED];
    answer.costs[SWP_LEAST_REGISTERS] = p->bytes[SWP_SPACE_REGISTERS];
    answer.costs[SWP_LEAST_STAGES] = p->stages;
    for (int o = 0; o < SWP_OBJECTIVE_COUNT; o++)
        answer.least[o] = p->proven[o];
    return answer;
}

/* Objectives in any order, and in half of the cases a budget that excludes the least bytes. */
static bool draw(sample *s, test_random *random)
{
    s->loop = random_loop(s->ctx, random, &shape);
    const int turn = random_int(random, 0, SWP_OBJECTIVE_COUNT - 1);
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++)
        s->loop.objectives[i] = (swp_objective)((i + turn) % SWP_OBJECTIVE_COUNT);
    if (swp_pipeline_loop(s->ctx, &s->loop, &s->pipeline) != SWP_OK)
        return false;
    const int64_t bytes = s->pipeline.bytes[SWP_SPACE_SHARED];
    if (bytes > 2 && random_chance(random, 50)) {
        s->loop.shared_budget = bytes - random_int(random, 0, 2);
        if (swp_pipeline_loop(s->ctx, &s->loop, &s->pipeline) != SWP_OK)
            return false;
    }
    const int64_t registers = s->pipeline.bytes[SWP_SPACE_REGISTERS] / 4;
    if (registers > 0 && random_chance(random, 30)) {
        s->loop.lanes = 1;
        s->loop.lane_registers = (int)registers;
        if (swp_pipeline_loop(s->ctx, &s->loop, &s->pipeline) != SWP_OK)
            return false;
    }
    for (int o = 0; o < SWP_OBJECTIVE_COUNT; o++)
        if (!s->pipeline.proven[o])
            return false;
    s->answer = answer_of(&s->pipeline);
    s->text = written(s->ctx, &s->pipeline);
    return s->pipeline.interval_proven;
}

/* SWP_CERTIFICATE_REFUSED for what cannot be read, too. */
static swp_certificate_verdict verdict_on(const swp_loop *loop, const swp_loop_answer *answer,
                                          const char *text, char why[256])
{
    swp_context *ctx = swp_context_new(NULL);
    const swp_problem_text whole = {text, strlen(text), {"certificate", 1, 1}};
    swp_loop_certificate certificate;
    swp_certificate_report report = {.verdict = SWP_CERTIFICATE_REFUSED};
    swp_status status = swp_loop_certificate_read(ctx, &whole, &certificate);
    if (status == SWP_OK)
        status = swp_loop_certificate_check(ctx, loop, answer, &certificate, &report);
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    assert_true(status == SWP_OK || status == SWP_INVALID);
    assert_true((status == SWP_OK) == (count == 0));
    if (status == SWP_OK)
        assert_true((report.verdict == SWP_CERTIFICATE_ACCEPTED) == (report.why == NULL));
    (void)snprintf(why, 256, "%s", count > 0 ? diags->message : report.why ? report.why : "");
    const swp_certificate_verdict verdict =
        status == SWP_OK ? report.verdict : SWP_CERTIFICATE_REFUSED;
    swp_context_free(ctx);
    return verdict;
}

static bool is_accepted(const swp_loop *loop, const swp_loop_answer *answer, const char *text)
{
    char why[256];
    return verdict_on(loop, answer, text, why) == SWP_CERTIFICATE_ACCEPTED;
}

/* ---- What is true, by enumeration ---- */

/* Whether there is a pipeline at the interval within bytes (-1: any) and stages (0: any). */
static bool exists(swp_context *ctx, const swp_loop *loop, int64_t interval, const int64_t bytes[2],
                   int stages)
{
    int slots[8] = {0};
    int choices = 1;
    for (size_t v = 0; v < loop->value_count; v++)
        choices *= MOST_TRIED;
    for (int choice = 0; choice < choices; choice++) {
        int64_t held[2] = {0, 0};
        bool legal = true;
        swp_loop_problem problem;
        for (int v = 0, rest = choice; v < (int)loop->value_count; v++, rest /= MOST_TRIED) {
            slots[v] = 1 + rest % MOST_TRIED;
            held[loop->values[v].space] += loop->values[v].bytes * slots[v];
            legal = legal && slots[v] >= swp_ir_loop_least_slots(loop, v) &&
                    slots[v] <= swp_ir_loop_most_slots(loop, v);
        }
        for (int s = 0; s < 2; s++)
            legal = legal && (bytes[s] < 0 || held[s] <= bytes[s]);
        if (loop->shared_budget > 0)
            legal = legal && held[SWP_SPACE_SHARED] <= loop->shared_budget;
        if (loop->lanes > 0)
            legal = legal && held[SWP_SPACE_REGISTERS] <= loop->lane_registers * 4 * loop->lanes;
        if (!legal)
            continue;
        assert_ok(ctx, swp_ir_loop_build_problem(ctx, loop, slots, stages, &problem));
        if (plain_has_schedule(&problem.problem, interval))
            return true;
    }
    return false;
}

/* No interval, and no objective in its order, is smaller than the answer says. */
static bool is_least(swp_context *ctx, const swp_loop *loop, const swp_loop_answer *answer)
{
    int64_t bytes[2] = {-1, -1};
    int stages = 0;
    if (answer->interval > 1 && exists(ctx, loop, answer->interval - 1, bytes, 0))
        return false;
    for (int i = 0; i < SWP_OBJECTIVE_COUNT; i++) {
        const swp_objective o = loop->objectives[i];
        const int64_t cost = answer->costs[o];
        if (o == SWP_LEAST_STAGES) {
            if (cost > 1 && exists(ctx, loop, answer->interval, bytes, (int)cost - 1))
                return false;
            stages = (int)cost;
            continue;
        }
        const swp_space space = o == SWP_LEAST_SHARED ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS;
        bytes[space] = cost - 1;
        if (cost > 0 && exists(ctx, loop, answer->interval, bytes, stages))
            return false;
        bytes[space] = cost;
    }
    return true;
}

/* Few enough slots and cycles that the enumeration above misses nothing. */
static bool is_small(const sample *s)
{
    for (int v = 0; v < (int)s->loop.value_count; v++) {
        const bool bounded = swp_ir_loop_most_slots(&s->loop, v) <= MOST_TRIED;
        if (s->pipeline.slots[v] > MOST_TRIED || (!bounded && s->loop.values[v].bytes == 0))
            return false;
    }
    return s->pipeline.answer.value <= MOST_INTERVAL;
}

/* ---- Changes ---- */

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static const char *line_at(const char *text, size_t index)
{
    for (; index > 0; index--)
        text = strchr(text, '\n') + 1;
    return text;
}

static bool begins_part(const char *line)
{
    return !strncmp(line, "{\"slots\"", 8);
}

/* Without the part that begins at a line, and with one part less in the header. */
static char *without_part(const char *text, size_t index)
{
    const char *from = line_at(text, index);
    const char *to = strchr(from, '\n') + 1;
    while (*to && !begins_part(to))
        to = strchr(to, '\n') + 1;
    char *out = calloc(strlen(text) + 32, 1);
    assert_non_null(out);
    const char *parts = strstr(text, "\"parts\":") + 8;
    const long count = strtol(parts, NULL, 10);
    const char *rest = strchr(parts, '}');
    (void)sprintf(out, "%.*s%ld%.*s%s", (int)(parts - text), text, count - 1, (int)(from - rest),
                  rest, to);
    return out;
}

/* One digit of a line changed. */
static char *with_other_digit(test_random *random, const char *text, size_t index)
{
    char *out = calloc(strlen(text) + 1, 1);
    assert_non_null(out);
    strcpy(out, text);
    char *line = out + (line_at(text, index) - text);
    const size_t length = (size_t)(strchr(line, '\n') - line);
    size_t place = length > 0 ? (size_t)random_int(random, 0, (int)length - 1) : 0;
    for (size_t tried = 0; tried < length && (line[place] < '0' || line[place] > '9'); tried++)
        place = (place + 1) % length;
    if (line[place] >= '0' && line[place] <= '9')
        line[place] = (char)('0' + (line[place] - '0' + random_int(random, 1, 9)) % 10);
    return out;
}

/* What each part of a readable certificate claims is true. */
static bool parts_hold(const sample *s, const char *text)
{
    swp_context *ctx = swp_context_new(NULL);
    const swp_problem_text whole = {text, strlen(text), {"certificate", 1, 1}};
    swp_loop_certificate c;
    bool hold = true;
    assert_ok(ctx, swp_loop_certificate_read(ctx, &whole, &c));
    for (size_t i = 0; i < c.part_count && hold; i++) {
        const swp_loop_refutation *claim = &c.parts[i].claim;
        swp_loop_problem problem;
        assert_ok(ctx,
                  swp_ir_loop_build_problem(ctx, &s->loop, claim->slots, claim->stages, &problem));
        hold = claim->bound == 1 || !plain_has_schedule(&problem.problem, claim->bound - 1);
    }
    swp_context_free(ctx);
    return hold;
}

typedef struct tally {
    size_t samples;
    size_t budgets;
    size_t accepted;
    size_t refused;
    size_t parts_dropped;
    size_t drops_refused;
} tally;

static void check_changed_certificate(const sample *s, test_random *random, size_t index, tally *t)
{
    const size_t lines = count_lines(s->text);
    for (int i = 0; i < 20; i++) {
        const size_t line = (size_t)random_int(random, 0, (int)lines - 1);
        const bool drops = begins_part(line_at(s->text, line)) && random_chance(random, 50);
        char *changed =
            drops ? without_part(s->text, line) : with_other_digit(random, s->text, line);
        const bool yes = is_accepted(&s->loop, &s->answer, changed);
        if (yes && !parts_hold(s, changed))
            fail_msg("case %zu: line %zu changed, and accepted\n%s", index, line + 1, changed);
        t->parts_dropped += drops;
        t->drops_refused += drops && !yes;
        t->accepted += yes;
        t->refused += !yes;
        free(changed);
    }
}

/* A pipeline that is right, but not the best: a slot, a cycle or a stage more than it takes. */
static void check_worse_pipeline(const sample *s, test_random *random, size_t index, tally *t)
{
    swp_loop_answer worse = s->answer;
    int slots[8];
    int64_t times[8];
    const int how = random_int(random, 0, 2);
    memcpy(slots, s->answer.slots, s->loop.value_count * sizeof *slots);
    memcpy(times, s->answer.times, s->loop.op_count * sizeof *times);
    worse.slots = slots;
    worse.times = times;
    if (how == 0) {
        const int v = random_int(random, 0, (int)s->loop.value_count - 1);
        const swp_objective cost =
            s->loop.values[v].space == SWP_SPACE_SHARED ? SWP_LEAST_SHARED : SWP_LEAST_REGISTERS;
        slots[v]++;
        worse.costs[cost] += s->loop.values[v].bytes;
        if (s->loop.values[v].bytes == 0)
            return;
    } else if (how == 1) {
        for (size_t o = 0; o < s->loop.op_count; o++)
            times[o] += times[o] / worse.interval;
        worse.interval++;
        worse.bound++;
    } else {
        for (size_t o = 0; o < s->loop.op_count; o++)
            times[o] += worse.interval;
        worse.costs[SWP_LEAST_STAGES]++;
    }
    if (is_accepted(&s->loop, &worse, s->text))
        fail_msg("case %zu: a worse pipeline (%d) is accepted as the best", index, how);
    t->refused++;
}

/* A number of the pipeline is not what it says. */
static void check_changed_pipeline(const sample *s, test_random *random, size_t index)
{
    swp_loop_answer changed = s->answer;
    int slots[8];
    int64_t times[8];
    const int by = random_chance(random, 50) ? 1 : -1;
    const int how = random_int(random, 0, 4);
    memcpy(slots, s->answer.slots, s->loop.value_count * sizeof *slots);
    memcpy(times, s->answer.times, s->loop.op_count * sizeof *times);
    changed.slots = slots;
    changed.times = times;
    if (how == 0)
        changed.costs[random_int(random, 0, SWP_OBJECTIVE_COUNT - 1)] += by;
    else if (how == 1)
        slots[random_int(random, 0, (int)s->loop.value_count - 1)] += by;
    else if (how == 2)
        changed.interval += by;
    else if (how == 3)
        changed.bound += 1;
    else
        times[random_int(random, 0, (int)s->loop.op_count - 1)] += by;
    /* A time may have room, and slots without bytes are no cost: then it is as good. */
    if (is_accepted(&s->loop, &changed, s->text) && (how == 0 || how == 2 || how == 3))
        fail_msg("case %zu: the pipeline changed (%d), and accepted", index, how);
}

/* A number of the loop changed: what is accepted has to be the best of the changed one. */
static void check_changed_loop(const sample *s, test_random *random, size_t index, tally *t)
{
    swp_loop changed = s->loop;
    swp_loop_op *ops = swp_context_take(s->ctx, changed.op_count * sizeof *ops);
    swp_loop_value *values = swp_context_take(s->ctx, changed.value_count * sizeof *values);
    memcpy(ops, changed.ops, changed.op_count * sizeof *ops);
    memcpy(values, changed.values, changed.value_count * sizeof *values);
    changed.ops = ops;
    changed.values = values;
    const int by = random_chance(random, 50) ? 1 : -1;
    swp_loop_op *op = &ops[random_int(random, 0, (int)changed.op_count - 1)];
    swp_loop_value *value = &values[random_int(random, 0, (int)changed.value_count - 1)];
    switch (random_int(random, 0, 5)) {
    case 0:
        op->latency += by;
        break;
    case 1:
        op->read_cycles += by;
        break;
    case 2:
        value->bytes += by;
        break;
    case 3:
        value->most_slots += by;
        break;
    case 4:
        changed.signal += by;
        break;
    default:
        changed.shared_budget += changed.shared_budget > 1 ? by : 0;
        break;
    }
    if (swp_check_loop(s->ctx, &changed) == SWP_OK) {
        const bool yes = is_accepted(&changed, &s->answer, s->text);
        if (yes && is_small(s) && !is_least(s->ctx, &changed, &s->answer))
            fail_msg("case %zu: the loop changed, and accepted\n%s", index, s->text);
        t->accepted += yes;
        t->refused += !yes;
    }
    swp_context_clear_diags(s->ctx);
}

static void check_sample(const sample *s, test_random *random, size_t index, tally *t)
{
    char why[256];
    if (verdict_on(&s->loop, &s->answer, s->text, why) != SWP_CERTIFICATE_ACCEPTED) {
        print_loop(&s->loop);
        fail_msg("case %zu: %s\n%s", index, why, s->text);
    }
    t->samples++;
    t->budgets += s->loop.shared_budget > 0;
    if (is_small(s))
        assert_true(is_least(s->ctx, &s->loop, &s->answer));
    check_changed_certificate(s, random, index, t);
    for (int i = 0; i < 5; i++) {
        check_worse_pipeline(s, random, index, t);
        check_changed_pipeline(s, random, index);
        check_changed_loop(s, random, index, t);
    }
}

static void pipelines_are_certified_and_changes_refused(void **state)
{
    const uint64_t seed = random_seed(21);
    const size_t cases = random_cases(250);
    tally t = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        sample s = {.ctx = swp_context_new(NULL)};
        if (draw(&s, &random))
            check_sample(&s, &random, i, &t);
        free(s.text);
        swp_context_free(s.ctx);
    }
    (void)printf("%zu certificates, %zu with a budget; changes: %zu accepted, %zu refused; parts "
                 "dropped: %zu, %zu refused\n",
                 t.samples, t.budgets, t.accepted, t.refused, t.parts_dropped, t.drops_refused);
    assert_true(t.samples > cases / 2 && t.budgets > cases / 20);
    assert_true(t.refused > 5 * t.samples && t.drops_refused > t.parts_dropped / 2);
}

/* Limits leave some of it open: then that is not claimed, and what is claimed is proven. */
static void what_a_limit_leaves_open_is_not_claimed(void **state)
{
    static const loop_shape larger = {
        .most_ops = 7, .most_values = 5, .most_cycles = 6, .most_slots = 4, .has_wgmmas = true};
    const uint64_t seed = random_seed(22);
    const size_t cases = random_sample(150);
    size_t open = 0;
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        const swp_limits limits = {.work = (uint64_t)random_int(&random, 1, 60)};
        const swp_loop loop = random_loop(ctx, &random, &larger);
        swp_pipeline p;
        swp_context_set_limits(ctx, &limits);
        if (swp_pipeline_loop(ctx, &loop, &p) == SWP_OK) {
            char why[256];
            char *text = written(ctx, &p);
            const swp_loop_answer answer = answer_of(&p);
            if (verdict_on(&loop, &answer, text, why) != SWP_CERTIFICATE_ACCEPTED) {
                print_loop(&loop);
                fail_msg("case %zu: %s\n%s", i, why, text);
            }
            open += !p.interval_proven || !p.proven[SWP_LEAST_SHARED] ||
                    !p.proven[SWP_LEAST_REGISTERS] || !p.proven[SWP_LEAST_STAGES];
            free(text);
        }
        swp_context_free(ctx);
    }
    (void)printf("%zu of %zu left open\n", open, cases);
    assert_true(open > 0);
}

/* With two slots the accumulator would wait for itself; it may have one, in which wgmmas follow each other. */
static void a_part_has_no_more_slots_than_the_loop(void **state)
{
    static const char text[] =
        "{\"swp\":1,\"certificate\":\"sum\",\"problem\":\"loop\",\"interval\":7,\"parts\":1}\n"
        "{\"slots\":[%d],\"stages\":null,\"bound\":7,\"steps\":1}\n"
        "{\"step\":\"cycle\",\"edges\":[0]}\n";
    swp_context *ctx = swp_context_new(NULL);
    (void)state;
    for (int most = 1; most <= 2; most++) {
        swp_loop_builder *l = swp_loop_new(ctx, "sum");
        const int c = swp_value(l, "c", .space = SWP_SPACE_REGISTERS, .most_slots = most);
        const int64_t at = 0;
        const int one = 1;
        char written_out[sizeof text];
        char why[256];
        swp_loop loop;
        swp_work(l, "MMA", .latency = 7, .completion = SWP_COMPLETION_MATRIX_GROUP, .updates = {c});
        assert_ok(ctx, swp_loop_done(l, &loop));
        const swp_loop_answer answer = {.interval = 7,
                                        .bound = 7,
                                        .times = &at,
                                        .time_count = 1,
                                        .slots = &one,
                                        .slot_count = 1,
                                        .costs = {[SWP_LEAST_STAGES] = 1}};
        (void)snprintf(written_out, sizeof written_out, text, 2);
        assert_int_equal(verdict_on(&loop, &answer, written_out, why),
                         most == 1 ? SWP_CERTIFICATE_REFUSED : SWP_CERTIFICATE_ACCEPTED);
    }
    swp_context_free(ctx);
}

/* The two derivations of a loop's edges, which share no code, in the order that docs/certificates.md states. */
static void both_derive_the_same_edges(void **state)
{
    static const loop_shape larger = {
        .most_ops = 7, .most_values = 5, .most_cycles = 6, .most_slots = 4, .has_wgmmas = true};
    const uint64_t seed = random_seed(23);
    const size_t cases = random_sample(1000);
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        const swp_loop loop = random_loop(ctx, &random, &larger);
        const int stages = random_int(&random, 0, 3);
        int slots[8];
        int *least = NULL;
        int *most = NULL;
        swp_loop_problem one;
        swp_problem other;
        assert_ok(ctx, swp_certify_slot_range(ctx, &loop, &least, &most));
        for (int v = 0; v < (int)loop.value_count; v++) {
            assert_int_equal(least[v], swp_ir_loop_least_slots(&loop, v));
            assert_int_equal(most[v], swp_ir_loop_most_slots(&loop, v));
            slots[v] = random_chance(&random, 20) ? 0 : random_int(&random, least[v], least[v] + 2);
        }
        assert_ok(ctx, swp_ir_loop_build_problem(ctx, &loop, slots, stages, &one));
        assert_ok(ctx, swp_certify_problem_of_loop(ctx, &loop, slots, stages, &other));
        assert_int_equal(one.problem.op_count, other.op_count);
        assert_int_equal(one.problem.edge_count, other.edge_count);
        for (size_t e = 0; e < other.edge_count; e++) {
            const swp_problem_edge *a = &one.problem.edges[e];
            const swp_problem_edge *b = &other.edges[e];
            assert_true(a->producer == b->producer && a->consumer == b->consumer &&
                        a->distance == b->distance && a->delay == b->delay);
        }
        swp_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipelines_are_certified_and_changes_refused),
        cmocka_unit_test(what_a_limit_leaves_open_is_not_claimed),
        cmocka_unit_test(a_part_has_no_more_slots_than_the_loop),
        cmocka_unit_test(both_derive_the_same_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
