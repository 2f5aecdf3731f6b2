/* SPDX-License-Identifier: Apache-2.0 */
/*
 * No certificate proves what is false: three ops that exclude one another for two cycles each end at 6
 * at the earliest, and a loop whose least interval is 2 has none at 3. And no DRAT proof refutes a
 * formula with a model.
 */
#include "certify/drat.h"
#include "swp/certify_loop.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const swp_problem_resource resources[] = {{"r", 3}};
static const swp_problem_use uses[] = {{0, 2, 2}};
static const swp_problem_op ops[] = {{"a", 2, uses, 1}, {"b", 2, uses, 1}, {"c", 2, uses, 1}};
static const swp_problem_edge edges[] = {{0, 1, 0, 1}, {1, 2, 0, -1}};

static const swp_problem problem = {.name = "p",
                                    .kind = SWP_PROBLEM_MAKESPAN,
                                    .resources = resources,
                                    .resource_count = 1,
                                    .ops = ops,
                                    .op_count = 3,
                                    .edges = edges,
                                    .edge_count = 2};

static swp_context *new_context(void)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        abort();
    swp_context_set_limits(ctx, &(swp_limits){.work = 1 << 20});
    return ctx;
}

static void check(const char *text, size_t size, int64_t value)
{
    const int64_t times[] = {0, 2, value - 2};
    const swp_answer answer = {.status = SWP_ANSWER_OPTIMAL,
                               .value = value,
                               .bound = value,
                               .times = times,
                               .time_count = 3};
    swp_context *ctx = new_context();
    swp_certificate_parts parts = {0};
    swp_certificate certificate;
    swp_certificate_report report;
    (void)swp_certificate_split(ctx, text, size, "input", &parts);
    for (size_t i = 0; i < parts.count; i++) {
        if (swp_certificate_read(ctx, &parts.items[i].text, &certificate) != SWP_OK)
            abort();
        const swp_status status =
            swp_certificate_check(ctx, &problem, &answer, &certificate, &report);
        if (status == SWP_OK && report.verdict == SWP_CERTIFICATE_ACCEPTED && value > 6)
            abort();
    }
    swp_context_free(ctx);
}

/* Loads of 2 cycles, and 5 from a load to the end of its use: 3 slots at the interval 2, and 2 at 3. */
static void check_loop(const char *text, size_t size, int64_t interval, int slots)
{
    static const swp_problem_use use = {0, 3, 2};
    static const swp_loop_read read = {0, 0, 0};
    static const int write = 0;
    static const swp_loop_value value = {
        .name = "v", .space = SWP_SPACE_SHARED, .bytes = 1, .least_slots = 1};
    static const swp_loop_op loads_and_uses[] = {{.name = "load",
                                                  .latency = 4,
                                                  .completion = SWP_COMPLETION_COUNTER,
                                                  .uses = &use,
                                                  .use_count = 1,
                                                  .writes = &write,
                                                  .write_count = 1},
                                                 {.name = "use",
                                                  .latency = 1,
                                                  .completion = SWP_COMPLETION_COUNTER,
                                                  .reads = &read,
                                                  .read_count = 1}};
    const swp_loop loop = {.name = "p",
                           .units = resources,
                           .unit_count = 1,
                           .values = &value,
                           .value_count = 1,
                           .ops = loads_and_uses,
                           .op_count = 2,
                           .objectives = {SWP_LEAST_SHARED, SWP_LEAST_REGISTERS, SWP_LEAST_STAGES}};
    const int64_t times[] = {0, 4};
    const swp_loop_answer answer = {.interval = interval,
                                    .bound = interval,
                                    .times = times,
                                    .time_count = 2,
                                    .slots = &slots,
                                    .slot_count = 1,
                                    .costs = {slots, 0, 4 / interval + 1},
                                    .least = {true, true, false}};
    const swp_problem_text whole = {text, size, {"input", 1, 1}};
    const bool is_best = interval == 2 && slots == 3;
    swp_context *ctx = new_context();
    swp_loop_certificate certificate;
    swp_certificate_report report;
    if (swp_loop_certificate_read(ctx, &whole, &certificate) == SWP_OK &&
        swp_loop_certificate_check(ctx, &loop, &answer, &certificate, &report) == SWP_OK &&
        report.verdict == SWP_CERTIFICATE_ACCEPTED && !is_best)
        abort();
    swp_context_free(ctx);
}

/* (1 or 2) and (not 1 or 3): 1 and 3 are a model. */
static void prove(const char *bytes, size_t size, swp_drat_format format)
{
    static int literals[] = {1, 2, 0, -1, 3, 0, -2, 3, 4, 0};
    const swp_certify_formula formula = {
        .variables = 4, .clauses = 3, .literals = {literals, 10, 10}};
    const swp_drat_proof proof = {bytes, size, format, {"input", 1, 0}};
    swp_context *ctx = new_context();
    swp_budget budget = swp_budget_start(ctx, 0);
    swp_drat_report report;
    if (swp_certify_drat_check(ctx, &formula, &proof, &budget, &report) == SWP_OK &&
        report.answer == SWP_DRAT_REFUTED)
        abort();
    swp_context_free(ctx);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    check(text, size, 6);
    check(text, size, 7);
    check_loop(text, size, 2, 3);
    check_loop(text, size, 2, 4);
    check_loop(text, size, 3, 2);
    prove(text, size, SWP_DRAT_TEXT);
    prove(text, size, SWP_DRAT_BINARY);
    return 0;
}
