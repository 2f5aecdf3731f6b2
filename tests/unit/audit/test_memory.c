/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of an audit and its reports fails once. */
#include "snippets.h"

#include "faulty.h"
#include "swp/emit.h"
#include "swp/report.h"

#include <stdlib.h>

/* Something of everything: branches, a loop, an unknown instruction, faults of both kinds. */
static const char text[] = KERNEL_HEAD "v_lshlrev_b32_e32 v1, 2, v0\n"
                                       "v_readfirstlane_b32 s4, v0\n"
                                       "s_cmp_lt_u32 s4, 0x80\n"
                                       "s_cbranch_scc1 loop\n"
                                       "s_barrier\n"
                                       "loop:\n"
                                       "ds_write_b32 v1, v5\n"
                                       "ds_read_b32 v6, v1 offset:256\n"
                                       "v_mov_b32_e32 v7, v6\n"
                                       "s_sendmsg 1\n"
                                       "s_cbranch_scc0 loop\n" KERNEL_TAIL(256);

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 16);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 1 << 16, file);
    (void)fclose(file);
    return bytes;
}

/* A kernel and its schedule. */
typedef struct pair {
    char *code;
    size_t length;
    swp_schedule *schedule;
} pair;

static swp_status do_everything(swp_context *ctx, const pair *p)
{
    swp_audit_report report;
    char *out = NULL;
    swp_status status = swp_audit(ctx, text, sizeof text - 1, "k.s", &report);
    if (status == SWP_OK)
        status = swp_audit_text(ctx, &report, &out, NULL);
    if (status == SWP_OK)
        status = swp_audit_json(ctx, &report, &out, NULL);
    if (status == SWP_OK)
        status = swp_audit_schedule(ctx, p->code, p->length, "two_stage.s", p->schedule, &report);
    if (status == SWP_OK)
        status = swp_audit_text(ctx, &report, &out, NULL);
    return status == SWP_OK ? swp_audit_json(ctx, &report, &out, NULL) : status;
}

static swp_status do_everything_within(faulty_memory *memory, const pair *p)
{
    const swp_allocator allocator = faulty_allocator(memory);
    swp_context *ctx = swp_context_new(&allocator);
    if (!ctx)
        return SWP_OUT_OF_MEMORY;
    const swp_status status = do_everything(ctx, p);
    if (status != SWP_OK)
        assert_true(has_diag(ctx, "E0001", NULL));
    swp_context_free(ctx);
    assert_int_equal(memory->live, 0);
    return status;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
    pair p = {0};
    size_t length = 0;
    faulty_memory enough = {0};
    char *json = read_file("tests/audit/two_stage.json", &length);
    assert_ok(*state, swp_schedule_read_json(*state, json, length, "two_stage", &p.schedule));
    p.code = read_file("tests/audit/two_stage.s", &p.length);
    assert_int_equal(do_everything_within(&enough, &p), SWP_OK);
    assert_true(enough.asked > 5); /* the arena asks for large pieces */
    for (size_t n = 1; n <= enough.asked; n++) {
        faulty_memory memory = {.fail_at = n, .fail_once = true};
        assert_int_equal(do_everything_within(&memory, &p), SWP_OUT_OF_MEMORY);
    }
    swp_schedule_free(p.schedule);
    free(p.code);
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
