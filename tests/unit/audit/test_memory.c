/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of an audit and its reports fails once. */
#include "snippets.h"

#include "faulty.h"
#include "swp/report.h"

/* Something of everything: branches, a loop, a stranger, faults of both kinds. */
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

static swp_status do_everything_within(faulty_memory *memory)
{
    const swp_allocator allocator = faulty_allocator(memory);
    swp_audit_report report;
    char *out = NULL;
    swp_context *ctx = swp_context_new(&allocator);
    if (!ctx)
        return SWP_OUT_OF_MEMORY;
    swp_status status = swp_audit(ctx, text, sizeof text - 1, "k.s", &report);
    if (status == SWP_OK)
        status = swp_audit_text(ctx, &report, &out, NULL);
    if (status == SWP_OK)
        status = swp_audit_json(ctx, &report, &out, NULL);
    if (status != SWP_OK)
        assert_true(has_diag(ctx, "E0001", NULL));
    swp_context_free(ctx);
    assert_int_equal(memory->live, 0);
    return status;
}

static void running_out_of_memory_anywhere_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    faulty_memory enough = {0};
    assert_int_equal(do_everything_within(&enough), SWP_OK);
    assert_true(enough.asked > 3); /* the arena asks for large pieces */
    for (size_t n = 1; n <= enough.asked; n++) {
        faulty_memory memory = {.fail_at = n, .fail_once = true};
        assert_int_equal(do_everything_within(&memory), SWP_OUT_OF_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
