/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An interruption that comes at the n-th look, for n = 1, 2, 3, … in growing steps: whatever the library
 * is doing, it ends with SWP_STOPPED and an error that says so, or with the answer of an undisturbed run, or
 * with a best so far that is called one. Never with another answer, and nothing leaks.
 */
#include "base/budget.h"
#include "fixture.h"
#include "interruption.h"
#include "swp/audit.h"
#include "swp/certify.h"
#include "swp/describe.h"
#include "swp/diff.h"
#include "swp/emit.h"
#include "swp/explain.h"
#include "swp/report.h"
#include "swp/run.h"

#include <string.h>

/* What a job works on, made without limits. */
static swp_schedule *safe;
static swp_schedule *unsafe;
static char *safe_json;
static size_t safe_length;

/* Does something long; `text` is what it came to, in the context's memory. */
typedef swp_status (*job)(swp_context *ctx, char **text);

static swp_status compile(swp_context *ctx, const char *name, swp_schedule **out)
{
    swp_description *description = NULL;
    const swp_status status = swp_description_from_builtin(ctx, name, &description);
    return status == SWP_OK ? swp_description_compile(ctx, description, out) : status;
}

static swp_status compile_and_emit(swp_context *ctx, const char *name, char **text)
{
    size_t length = 0;
    swp_schedule *schedule = NULL;
    swp_status status = compile(ctx, name, &schedule);
    if (status == SWP_OK)
        status = swp_emit_format_find("json")->emit(ctx, schedule, text, &length);
    swp_schedule_free(schedule);
    return status;
}

static swp_status compile_body(swp_context *ctx, char **text)
{
    return compile_and_emit(ctx, "pingpong", text);
}

static swp_status compile_loop(swp_context *ctx, char **text)
{
    return compile_and_emit(ctx, "stencil", text);
}

static swp_status read_json(swp_context *ctx, char **text)
{
    size_t length = 0;
    swp_schedule *schedule = NULL;
    swp_status status = swp_schedule_read_json(ctx, safe_json, safe_length, "a.json", &schedule);
    if (status == SWP_OK)
        status = swp_emit_format_find("dot")->emit(ctx, schedule, text, &length);
    swp_schedule_free(schedule);
    return status;
}

static swp_status verify(swp_context *ctx, const swp_schedule *schedule, char **text)
{
    size_t length = 0;
    swp_verdict verdict;
    const swp_status status = swp_verify(ctx, schedule, NULL, 0, &verdict);
    return status == SWP_OK ? swp_verdict_json(ctx, schedule, &verdict, text, &length) : status;
}

static swp_status verify_safe(swp_context *ctx, char **text)
{
    return verify(ctx, safe, text);
}

static swp_status verify_unsafe(swp_context *ctx, char **text)
{
    return verify(ctx, unsafe, text);
}

static swp_status repair(swp_context *ctx, char **text)
{
    size_t length = 0;
    swp_verdict verdict;
    swp_status status = swp_verify(ctx, unsafe, NULL, 0, &verdict);
    if (status == SWP_OK)
        status = swp_verify_repairs(ctx, unsafe, &verdict);
    return status == SWP_OK ? swp_verdict_text(ctx, unsafe, &verdict, text, &length) : status;
}

static swp_status find_counterexample(swp_context *ctx, char **text)
{
    size_t length = 0;
    swp_verdict verdict;
    swp_counterexample found;
    swp_status status = swp_verify(ctx, unsafe, NULL, 0, &verdict);
    if (status == SWP_OK)
        status = swp_counterexample_find(ctx, unsafe, &verdict.hazards.items[0], &found);
    return status == SWP_OK ? swp_counterexample_write(ctx, &found, text, &length) : status;
}

static swp_status emit_c(swp_context *ctx, char **text)
{
    size_t length = 0;
    return swp_emit_format_find("c")->emit(ctx, safe, text, &length);
}

static swp_status simulate(swp_context *ctx, char **text)
{
    size_t length = 0;
    swp_simulation simulation;
    const swp_status status = swp_simulate(ctx, safe, NULL, &simulation);
    return status == SWP_OK ? swp_simulation_text(ctx, safe, &simulation, text, &length) : status;
}

static swp_status run(swp_context *ctx, char **text)
{
    size_t length = 0;
    swp_run_summary summary;
    const swp_run_sweep sweep = {.seeds = 2, .most = 6};
    const swp_status status = swp_run_many(ctx, safe, &sweep, &summary);
    return status == SWP_OK ? swp_run_summary_text(ctx, safe, &summary, text, &length) : status;
}

static swp_status explain(swp_context *ctx, char **text)
{
    size_t length = 0;
    swp_explanation_list explanations;
    swp_order_reason_list order;
    swp_status status = swp_explain(ctx, safe, &explanations);
    if (status == SWP_OK)
        status = swp_explain_order(ctx, safe, &order);
    return status == SWP_OK ? swp_explanation_text(ctx, safe, &explanations, &order, text, &length)
                            : status;
}

static swp_status compare(swp_context *ctx, char **text)
{
    size_t length = 0;
    swp_diff diff;
    const swp_status status = swp_diff_schedules(ctx, safe, unsafe, NULL, &diff);
    return status == SWP_OK ? swp_diff_text(ctx, &diff, text, &length) : status;
}

static swp_status audit_text(swp_context *ctx, const char *assembly, char **text)
{
    size_t length = 0;
    swp_audit_report report;
    const swp_status status = swp_audit(ctx, assembly, strlen(assembly), "k.s", &report);
    return status == SWP_OK ? swp_audit_text(ctx, &report, text, &length) : status;
}

static swp_status audit(swp_context *ctx, char **text)
{
    return audit_text(ctx,
                      "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\n"
                      "\t.type k,@function\n"
                      "k:\n"
                      "\tv_lshlrev_b32_e32 v1, 2, v0\n"
                      "\ts_mov_b32 s0, 8\n"
                      ".L1:\n"
                      "\tglobal_load_dword v2, v[4:5], off\n"
                      "\ts_waitcnt vmcnt(0)\n"
                      "\tds_write_b32 v1, v2\n"
                      "\ts_waitcnt lgkmcnt(0)\n"
                      "\ts_barrier\n"
                      "\tds_read_b32 v3, v1\n"
                      "\ts_sub_u32 s0, s0, 1\n"
                      "\ts_cmp_lg_u32 s0, 0\n"
                      "\ts_cbranch_scc1 .L1\n"
                      "\ts_endpgm\n"
                      ".Lend:\n"
                      "\t.size k, .Lend-k\n",
                      text);
}

/* Two waves of four on ways of their own. */
static swp_status audit_ways(swp_context *ctx, char **text)
{
    return audit_text(ctx,
                      "\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n"
                      "\t.type k,@function\n"
                      "k:\n"
                      "\tv_lshlrev_b32_e32 v1, 2, v0\n"
                      "\tv_xor_b32_e32 v2, 0x100, v1\n"
                      "\tds_write_b32 v1, v1\n"
                      "\tv_cmp_gt_u32_e32 vcc, 64, v0\n"
                      "\ts_cbranch_vccnz .La\n"
                      "\ts_barrier\n"
                      "\ts_branch .Le\n"
                      ".La:\n"
                      "\ts_waitcnt lgkmcnt(0)\n"
                      "\ts_barrier\n"
                      "\tds_read_b32 v3, v2\n"
                      ".Le:\n"
                      "\ts_endpgm\n"
                      "\t.amdhsa_kernel k\n"
                      "\t.amdhsa_group_segment_fixed_size 4096\n"
                      "\t.amdhsa_system_vgpr_workitem_id 0\n"
                      "\t.end_amdhsa_kernel\n"
                      "\t.amdgpu_metadata\n"
                      "amdhsa.kernels:\n"
                      "  - .max_flat_workgroup_size: 256\n"
                      "    .name: k\n"
                      "\t.end_amdgpu_metadata\n",
                      text);
}

/* One op of 10^12 cycles on a resource that has room for it: no slot takes a clause. */
static swp_status check_certificate(swp_context *ctx, char **text)
{
    static const char problem_text[] =
        "{\"swp\":1,\"name\":\"a\",\"problem\":\"makespan\",\"resources\":[{\"name\":\"r\","
        "\"capacity\":2}],\"ops\":[{\"name\":\"x\",\"latency\":5,\"uses\":[{\"resource\":\"r\","
        "\"amount\":1,\"cycles\":1000000000000}]}],\"edges\":[]}";
    static const char certificate_text[] =
        "{\"swp\":1,\"certificate\":\"a\",\"problem\":\"makespan\",\"status\":\"optimal\","
        "\"value\":5,\"steps\":1}\n"
        "{\"step\":\"refutation\",\"scope\":\"value\",\"value\":5,\"references\":[],\"fixed\":null,"
        "\"alike\":[],\"groups\":[[[0]]],\"variables\":0,\"clauses\":0,\"lines\":0}\n";
    static const int64_t times[] = {0};
    const swp_problem_text texts[] = {{problem_text, sizeof problem_text - 1, {"p", 1, 1}},
                                      {certificate_text, sizeof certificate_text - 1, {"c", 1, 1}}};
    const swp_answer answer = {
        .status = SWP_ANSWER_OPTIMAL, .value = 5, .bound = 5, .times = (int64_t *)times};
    swp_problem problem;
    swp_certificate certificate;
    swp_certificate_report report;
    size_t length = 0;
    swp_status status = swp_problem_read_json(ctx, &texts[0], &problem);
    if (status == SWP_OK)
        status = swp_certificate_read(ctx, &texts[1], &certificate);
    if (status == SWP_OK)
        status = swp_certificate_check(ctx, &problem, &answer, &certificate, &report);
    if (status != SWP_OK)
        return status;
    if (report.verdict == SWP_CERTIFICATE_STOPPED)
        return SWP_STOPPED;
    assert_int_equal(report.verdict, SWP_CERTIFICATE_REFUSED);
    return swp_certificate_text(ctx, &report, text, &length);
}

static bool is_best_so_far(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(diags[i].code, "W0401"))
            return true;
    return false;
}

/* One run; returns whether the interruption came. */
static bool interrupt_at(job work, size_t n, const char *undisturbed)
{
    swp_context *ctx = swp_context_new(NULL);
    interruption with = {.from = n};
    char *text = NULL;
    interrupt_with(ctx, &with);
    ctx->deadline->steps_look = 1;
    const swp_status status = work(ctx, &text);
    if (status == SWP_OK)
        assert_true(!strcmp(text, undisturbed) || is_best_so_far(ctx));
    else
        assert_int_equal(status, SWP_STOPPED);
    const bool came = with.asked >= n;
    assert_true(came || status == SWP_OK);
    swp_context_free(ctx);
    return came;
}

static void interrupt_each_of(job work)
{
    swp_context *ctx = swp_context_new(NULL);
    char *undisturbed = NULL;
    size_t runs = 0;
    assert_ok(ctx, work(ctx, &undisturbed));
    for (size_t n = 1; interrupt_at(work, n, undisturbed); n += 1 + n / 5)
        runs++;
    assert_true(runs > 10);
    swp_context_free(ctx);
}

#define INTERRUPTION_TEST(work)                                                                    \
    static void interrupted_##work(void **state)                                                   \
    {                                                                                              \
        (void)state;                                                                               \
        interrupt_each_of(work);                                                                   \
    }
#define JOBS(X)                                                                                    \
    X(compile_body)                                                                                \
    X(compile_loop)                                                                                \
    X(read_json)                                                                                   \
    X(verify_safe)                                                                                 \
    X(verify_unsafe)                                                                               \
    X(repair)                                                                                      \
    X(find_counterexample)                                                                         \
    X(emit_c)                                                                                      \
    X(simulate)                                                                                    \
    X(run)                                                                                         \
    X(explain)                                                                                     \
    X(compare)                                                                                     \
    X(audit)                                                                                       \
    X(audit_ways)                                                                                  \
    X(check_certificate)
JOBS(INTERRUPTION_TEST)

/* Time that is up is told from an interruption, and ends even what has a best so far. */
static void time_that_is_up_ends_all_work(void **state)
{
    swp_context *ctx = *state;
    const swp_limits limits = {.total_seconds = 1e-9};
    char *text = NULL;
    swp_context_set_limits(ctx, &limits);
    ctx->deadline->steps_look = 1;
    assert_int_equal(verify_safe(ctx, &text), SWP_STOPPED);
    assert_diag(ctx, "E0002", "time limit");
    swp_context_clear_diags(ctx);
    swp_context_set_limits(ctx, NULL);
    assert_ok(ctx, verify_safe(ctx, &text));
}

int main(void)
{
#define ROW(work) cmocka_unit_test(interrupted_##work),
    const struct CMUnitTest tests[] = {JOBS(ROW) CONTEXT_TEST(time_that_is_up_ends_all_work)};
    swp_context *ctx = swp_context_new(NULL);
    bool made = ctx && compile(ctx, "single_buffer", &safe) == SWP_OK &&
                compile(ctx, "fourwave", &unsafe) == SWP_OK &&
                swp_emit_format_find("json")->emit(ctx, safe, &safe_json, &safe_length) == SWP_OK;
    const int failed = made ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    swp_schedule_free(safe);
    swp_schedule_free(unsafe);
    swp_context_free(ctx);
    return failed;
}
