/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that runs out at any allocation (faulty.h): of what reads, judges, runs, compares and writes. */
#include "faulty.h"
#include "fixture.h"

#include "swp/audit_schedule.h"
#include "swp/diff.h"
#include "swp/emit.h"
#include "swp/explain.h"
#include "swp/reference.h"
#include "swp/report.h"
#include "swp/run.h"

#include <stdio.h>
#include <string.h>

/* A file, read once. */
typedef struct file_text {
    char bytes[16 * 1024];
    size_t length;
} file_text;

static file_text gemm;     /* a schedule whose ops have the roles of a GEMM */
static file_text dataflow; /* one of a general loop */
static file_text code;     /* the kernel of `gemm` */

static void read_file(const char *path, file_text *out)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    out->length = fread(out->bytes, 1, sizeof out->bytes, file);
    assert_in_range(out->length, 1, sizeof out->bytes - 1);
    (void)fclose(file);
}

static int read_files(void **state)
{
    (void)state;
    read_file("tests/audit/two_stage.json", &gemm);
    read_file("tests/audit/two_stage.s", &code);
    read_file("tests/edited/sums.json", &dataflow);
    return 0;
}

static swp_status read_schedule(swp_context *ctx, const file_text *text, swp_schedule **out)
{
    const swp_status status = swp_schedule_read_json(ctx, text->bytes, text->length, "s.json", out);
    assert_int_equal(*out != NULL, status == SWP_OK);
    return status;
}

static swp_status write_in_every_format(swp_context *ctx, const file_text *from)
{
    static const char *const formats[] = {"text", "dot", "c", "json"};
    swp_schedule *schedule = NULL;
    char *text = NULL;
    size_t length = 0;
    swp_status status = read_schedule(ctx, from, &schedule);
    for (size_t i = 0; status == SWP_OK && i < COUNT_OF(formats); i++)
        status = swp_emit_format_find(formats[i])->emit(ctx, schedule, &text, &length);
    if (status == SWP_OK)
        status = swp_dump_phase(ctx, "kernel", &schedule->streams[0].kernel, NULL, &text);
    swp_schedule_free(schedule);
    return status;
}

static swp_status written(swp_context *ctx)
{
    return write_in_every_format(ctx, &gemm);
}

static swp_status written_dataflow(swp_context *ctx)
{
    return write_in_every_format(ctx, &dataflow);
}

static swp_status written_again(swp_context *ctx)
{
    swp_schedule *schedule = NULL;
    char *text = NULL;
    size_t length = 0;
    swp_status status = read_schedule(ctx, &gemm, &schedule);
    if (status == SWP_OK)
        status = swp_emit_format_find("json")->emit(ctx, schedule, &text, &length);
    swp_schedule_free(schedule);
    return status;
}

/* What is no schedule, and no JSON. */
static swp_status refused(swp_context *ctx)
{
    static const char *const texts[] = {
        "{\"swp\": 1, \"kernel\": [{\"tag\": 300, \"nam\": 1}], \"zebra\": 1}",
        "{\"swp\": 1, \"kernel\": [}"};
    swp_status status = SWP_INVALID;
    for (size_t i = 0; status == SWP_INVALID && i < COUNT_OF(texts); i++) {
        swp_schedule *schedule = NULL;
        status = swp_schedule_read_json(ctx, texts[i], strlen(texts[i]), "s.json", &schedule);
        assert_null(schedule);
    }
    return status == SWP_INVALID ? SWP_OK : status;
}

/* With itself less the last entry of its kernel phase. */
static swp_status compared(swp_context *ctx)
{
    swp_schedule *schedule = NULL;
    swp_diff diff;
    char *text = NULL;
    size_t length = 0;
    swp_status status = read_schedule(ctx, &gemm, &schedule);
    if (status != SWP_OK)
        return status;
    swp_schedule shorter = *schedule;
    shorter.streams[0].kernel.count--;
    status = swp_diff_schedules(ctx, schedule, &shorter, NULL, &diff);
    if (status == SWP_OK)
        status = swp_diff_text(ctx, &diff, &text, &length);
    if (status == SWP_OK)
        status = swp_diff_json(ctx, &diff, &text, &length);
    swp_schedule_free(schedule);
    return status;
}

static swp_status explained(swp_context *ctx)
{
    swp_schedule *schedule = NULL;
    swp_explanation_list all;
    swp_order_reason_list order;
    char *text = NULL;
    size_t length = 0;
    swp_status status = read_schedule(ctx, &gemm, &schedule);
    if (status == SWP_OK)
        status = swp_explain(ctx, schedule, &all);
    if (status == SWP_OK)
        status = swp_explain_order(ctx, schedule, &order);
    if (status == SWP_OK)
        status = swp_explanation_text(ctx, schedule, &all, &order, &text, &length);
    if (status == SWP_OK)
        status = swp_explanation_json(ctx, schedule, &all, &order, &text, &length);
    swp_schedule_free(schedule);
    return status;
}

static swp_status audited(swp_context *ctx)
{
    swp_schedule *schedule = NULL;
    swp_audit_report alone;
    swp_audit_report against;
    char *text = NULL;
    swp_status status = read_schedule(ctx, &gemm, &schedule);
    if (status == SWP_OK)
        status = swp_audit_advise(ctx, code.bytes, code.length, "two_stage.s", &alone);
    if (status == SWP_OK)
        status = swp_audit_schedule(ctx, code.bytes, code.length, "two_stage.s", schedule, NULL,
                                    &against);
    if (status == SWP_OK)
        status = swp_audit_text(ctx, &against, &text, NULL);
    if (status == SWP_OK)
        status = swp_audit_json(ctx, &alone, &text, NULL);
    swp_schedule_free(schedule);
    return status;
}

static swp_status show_first_hazard(swp_context *ctx, const swp_schedule *schedule)
{
    swp_verdict verdict;
    swp_counterexample found;
    swp_run_outcome outcome;
    char *text = NULL;
    swp_status status = swp_verify(ctx, schedule, NULL, 0, &verdict);
    if (status != SWP_OK)
        return status;
    assert_true(verdict.hazards.count > 0);
    status = swp_counterexample_find(ctx, schedule, &verdict.hazards.items[0], &found);
    if (status == SWP_OK)
        status = swp_counterexample_replay(ctx, schedule, &found, &outcome);
    if (status == SWP_OK)
        status = swp_run_outcome_json(ctx, &outcome, &text, NULL);
    return status == SWP_OK ? swp_counterexample_write(ctx, &found, &text, NULL) : status;
}

/* Runs it, and without its synchronisation shows how it goes wrong. */
static swp_status run_with_and_without(swp_context *ctx, const file_text *from)
{
    const swp_run_sweep sweep = {
        .least = 4, .most = 4, .seeds = 2, .timing = SWP_TIMING_ADVERSARIAL};
    swp_schedule *schedule = NULL;
    swp_run_summary summary;
    char *text = NULL;
    swp_status status = read_schedule(ctx, from, &schedule);
    if (status == SWP_OK)
        status = swp_run_many(ctx, schedule, &sweep, &summary);
    if (status == SWP_OK)
        status = swp_run_summary_text(ctx, schedule, &summary, &text, NULL);
    if (status == SWP_OK) {
        for (size_t i = 0; i < schedule->streams[0].kernel.count; i++)
            if (schedule->streams[0].kernel.items[i].op.role == SWP_SYNC)
                schedule->streams[0].kernel.items[i].op = swp_op_schedule_barrier();
        status = show_first_hazard(ctx, schedule);
    }
    swp_schedule_free(schedule);
    return status;
}

static swp_status executed(swp_context *ctx)
{
    return run_with_and_without(ctx, &gemm);
}

static swp_status executed_dataflow(swp_context *ctx)
{
    return run_with_and_without(ctx, &dataflow);
}

#define PATHS(X)                                                                                   \
    X(written)                                                                                     \
    X(written_dataflow)                                                                            \
    X(refused)                                                                                     \
    X(compared)                                                                                    \
    X(explained)                                                                                   \
    X(audited)                                                                                     \
    X(executed)                                                                                    \
    X(executed_dataflow)

#define PATH_TEST(path)                                                                            \
    static void every_allocation_of_##path##_may_fail(void **state)                                \
    {                                                                                              \
        (void)state;                                                                               \
        faulty_each(path, 4);                                                                      \
    }
PATHS(PATH_TEST)

/* Not of the dataflow: when jansson cannot keep a text that it reads, it may assert that it did. */
static void every_allocation_of_jansson_may_fail(void **state)
{
    static faulty_path *const paths[] = {written_again, refused, compared};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(paths); i++)
        faulty_each_of_jansson(paths[i]);
}

#define ROW(path) cmocka_unit_test(every_allocation_of_##path##_may_fail),
int main(void)
{
    const struct CMUnitTest tests[] = {PATHS(ROW) ROW(jansson)};
    return cmocka_run_group_tests(tests, read_files, NULL);
}
