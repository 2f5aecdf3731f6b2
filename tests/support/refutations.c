/* SPDX-License-Identifier: Apache-2.0 */
/* open_memstream() */
#define _POSIX_C_SOURCE 200809L

#include "refutations.h"

#include "cadical.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_OPS = 16 };

/* What can be reached along edges of at most this distance. */
static void reach(const swp_problem *problem, int64_t most_distance, bool out[MOST_OPS][MOST_OPS])
{
    for (int i = 0; i < MOST_OPS; i++)
        for (int j = 0; j < MOST_OPS; j++)
            out[i][j] = i == j;
    for (size_t e = 0; e < problem->edge_count; e++)
        if (problem->edges[e].distance <= most_distance)
            out[problem->edges[e].producer][problem->edges[e].consumer] = true;
    for (int k = 0; k < MOST_OPS; k++)
        for (int i = 0; i < MOST_OPS; i++)
            for (int j = 0; j < MOST_OPS; j++)
                out[i][j] = out[i][j] || (out[i][k] && out[k][j]);
}

static int *take_numbers(swp_context *ctx, size_t count)
{
    return swp_context_take(ctx, (count + 1) * sizeof(int));
}

/* One op of each component, at random. */
static void choose_references(swp_context *ctx, test_random *random, const swp_problem *problem,
                              bool reached[MOST_OPS][MOST_OPS], swp_certificate_step *step)
{
    const int ops = (int)problem->op_count;
    int *chosen = take_numbers(ctx, problem->op_count);
    size_t count = 0;
    for (int o = 0; o < ops; o++) {
        bool first = true;
        for (int p = 0; p < o; p++)
            first = first && !(reached[o][p] && reached[p][o]);
        if (!first)
            continue;
        int reference = random_int(random, o, ops - 1);
        while (!reached[o][reference] || !reached[reference][o])
            reference = random_int(random, o, ops - 1);
        chosen[count++] = reference;
    }
    step->references = (swp_index_list){chosen, count};
    step->fixed =
        count && random_chance(random, 70) ? chosen[random_int(random, 0, (int)count - 1)] : -1;
}

/* Two ops that may change places, if the first references that could happen to be alike are. */
static void choose_alike(swp_context *ctx, const swp_problem *problem,
                         bool reached[MOST_OPS][MOST_OPS], swp_certificate_step *step)
{
    int *pair = take_numbers(ctx, 2);
    size_t count = 0;
    for (size_t i = 0; i < step->references.count && count < 2; i++) {
        const int op = step->references.items[i];
        bool alone = op != step->fixed && problem->ops[op].use_count == 1;
        for (int o = 0; o < (int)problem->op_count; o++)
            alone = alone && (o == op || !reached[o][op] || !reached[op][o]);
        const swp_problem_use *use = problem->ops[op].uses;
        const swp_problem_use *other = count ? problem->ops[pair[0]].uses : use;
        if (alone && use->resource == other->resource && use->amount == other->amount &&
            use->cycles == other->cycles)
            pair[count++] = op;
    }
    swp_index_list *lists = swp_context_take(ctx, sizeof *lists);
    *lists = (swp_index_list){pair, 2};
    step->alike = (swp_index_lists){lists, count == 2};
}

static void choose_groups(swp_context *ctx, test_random *random, const swp_problem *problem,
                          const bool *encoded, refutation_groups how, swp_certificate_step *step)
{
    swp_index_lists *all = swp_context_take(ctx, (problem->resource_count + 1) * sizeof *all);
    for (size_t r = 0; r < problem->resource_count; r++) {
        swp_index_list *groups = swp_context_take(ctx, 64 * sizeof *groups);
        size_t count = 0;
        int number = 0;
        for (size_t o = 0; o < problem->op_count; o++) {
            for (size_t u = 0; u < problem->ops[o].use_count; u++, number++) {
                const swp_problem_use *use = &problem->ops[o].uses[u];
                if (!encoded[o] || use->resource != (int)r || use->cycles == 0 ||
                    (how == GROUPS_RANDOM && random_chance(random, 10)))
                    continue;
                const bool joins = how == GROUPS_RANDOM && count && random_chance(random, 40);
                if (!joins)
                    groups[count++] = (swp_index_list){take_numbers(ctx, 64), 0};
                swp_index_list *group =
                    &groups[joins ? (size_t)random_int(random, 0, (int)count - 1) : count - 1];
                ((int *)group->items)[group->count++] = number;
            }
        }
        all[r] = (swp_index_lists){groups, count};
    }
    step->groups = all;
    step->group_count = problem->resource_count;
}

swp_certificate_step random_refutation(swp_context *ctx, test_random *random,
                                       const swp_problem *problem, int64_t value,
                                       refutation_groups groups)
{
    bool reached[MOST_OPS][MOST_OPS];
    bool encoded[MOST_OPS];
    swp_certificate_step step = {.kind = SWP_CERTIFICATE_REFUTATION,
                                 .scope = SWP_REFUTED_VALUE,
                                 .value = value,
                                 .fixed = -1,
                                 .variables = INT32_MAX / 2};
    reach(problem, INT64_MAX, reached);
    for (int o = 0; o < MOST_OPS; o++)
        encoded[o] = true;
    if (problem->kind == SWP_PROBLEM_MODULO) {
        choose_references(ctx, random, problem, reached, &step);
        choose_alike(ctx, problem, reached, &step);
    }
    choose_groups(ctx, random, problem, encoded, groups, &step);
    return step;
}

swp_certificate_step component_refutation(swp_context *ctx, const swp_problem *problem, int op)
{
    bool reached[MOST_OPS][MOST_OPS];
    bool encoded[MOST_OPS];
    swp_certificate_step step = {.kind = SWP_CERTIFICATE_REFUTATION,
                                 .scope = SWP_REFUTED_COMPONENT,
                                 .fixed = op,
                                 .variables = INT32_MAX / 2};
    int *reference = take_numbers(ctx, 1);
    *reference = op;
    step.references = (swp_index_list){reference, 1};
    reach(problem, 0, reached);
    for (int o = 0; o < MOST_OPS; o++)
        encoded[o] = reached[o][op] && reached[op][o];
    choose_groups(ctx, NULL, problem, encoded, GROUPS_EXACT, &step);
    return step;
}

swp_status formula_of_step(swp_context *ctx, swp_judgement *judgement, const swp_problem *problem,
                           const swp_certificate_step *step, swp_certify_formula *formula)
{
    swp_frame frame;
    swp_sink sink = swp_certify_sink_open(ctx, judgement, step);
    SWP_TRY(swp_certify_frame_new(ctx, judgement, problem, step, &frame));
    SWP_TRY(swp_certify_encode(ctx, &frame, &sink));
    *formula = sink.formula;
    return SWP_OK;
}

static void put_list(FILE *stream, const swp_index_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        (void)fprintf(stream, "%s%d", i ? "," : "[", list->items[i]);
    (void)fputs(list->count ? "]" : "[]", stream);
}

static void put_lists(FILE *stream, const swp_index_lists *lists)
{
    (void)fputc('[', stream);
    for (size_t i = 0; i < lists->count; i++) {
        (void)fputs(i ? "," : "", stream);
        put_list(stream, &lists->items[i]);
    }
    (void)fputc(']', stream);
}

static void put_step(FILE *stream, const swp_certificate_step *step,
                     const swp_certify_formula *formula, const char *proof)
{
    size_t lines = 0;
    for (const char *at = proof; *at; at++)
        lines += *at == '\n';
    (void)fprintf(stream, "{\"step\":\"refutation\",\"scope\":\"value\",\"value\":%lld,",
                  (long long)step->value);
    (void)fputs("\"references\":", stream);
    put_list(stream, &step->references);
    if (step->fixed < 0)
        (void)fputs(",\"fixed\":null,\"alike\":", stream);
    else
        (void)fprintf(stream, ",\"fixed\":%d,\"alike\":", step->fixed);
    put_lists(stream, &step->alike);
    (void)fputs(",\"groups\":[", stream);
    for (size_t r = 0; r < step->group_count; r++) {
        (void)fputs(r ? "," : "", stream);
        put_lists(stream, &step->groups[r]);
    }
    (void)fprintf(stream, "],\"variables\":%d,\"clauses\":%zu,\"lines\":%zu}\n", formula->variables,
                  formula->clauses, lines);
    for (size_t i = 0; i < formula->literals.count; i++)
        (void)fprintf(stream, formula->literals.items[i] ? "%d " : "%d\n",
                      formula->literals.items[i]);
    (void)fputs(proof, stream);
}

static bool put_refutation(FILE *stream, swp_context *ctx, test_random *random,
                           const swp_problem *problem, int64_t value)
{
    const swp_certificate_step step = random_refutation(ctx, random, problem, value, GROUPS_EXACT);
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    swp_certify_formula formula = {0};
    size_t length = 0;
    if (formula_of_step(ctx, &judgement, problem, &step, &formula) != SWP_OK)
        return false;
    char *proof = cadical_proof(formula.literals.items, formula.literals.count, formula.variables,
                                false, &length);
    if (proof)
        put_step(stream, &step, &formula, proof);
    free(proof);
    return proof != NULL;
}

char *certificate_of(swp_context *ctx, test_random *random, const swp_problem *problem,
                     int64_t first, int64_t value)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        abort();
    (void)fprintf(stream,
                  "{\"swp\":1,\"certificate\":\"%s\",\"problem\":\"%s\",\"status\":\"optimal\","
                  "\"value\":%lld,\"steps\":%lld}\n",
                  problem->name, problem->kind == SWP_PROBLEM_MODULO ? "modulo" : "makespan",
                  (long long)value, (long long)(value - first));
    bool all = true;
    for (int64_t v = first; v < value && all; v++)
        all = put_refutation(stream, ctx, random, problem, v);
    (void)fclose(stream);
    if (all)
        return text;
    free(text);
    return NULL;
}
