/* SPDX-License-Identifier: Apache-2.0 */
/* What must come before what in small general loops, and what that comes to. */
#include "../run/small_dataflow.h"

#include "swp/simulate.h"
#include "swp/sync.h"
#include "swp/verify.h"

/* The kernel with its synchronisation, as small_dataflow() reads it. */
static const char *derived(swp_context *ctx, void (*describe)(swp_loop_builder *l),
                           const char *kernel)
{
    static char text[256];
    swp_schedule s = small_dataflow(ctx, loop_of(ctx, describe), one_slot, kernel);
    swp_sync_result result = {0};
    swp_simulation simulation = {0};
    assert_ok(ctx, swp_derive_sync(ctx, &s, SWP_SYNC_BARRIERS, false, &result));
    assert_ok(ctx, swp_simulate(ctx, &s, NULL, &simulation));
    assert_int_equal(simulation.cycles * result.passes, result.cycles * simulation.passes);
    text[0] = '\0';
    for (size_t i = 0; i < s.streams[0].kernel.count; i++) {
        const swp_op *op = &s.streams[0].kernel.items[i].op;
        const size_t length = strlen(text);
        char *at = text + length;
        const size_t room = sizeof text - length;
        if (op->tag == SWP_TAG_BARRIER)
            (void)snprintf(at, room, "bar ");
        else if (op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM)
            (void)snprintf(at, room, "%s%d ", op->tag == SWP_TAG_WAIT_VM ? "vm" : "lgkm",
                           op->wait_value);
        else
            (void)snprintf(at, room, "%s%d ", s.op_names[op->tag], op->iteration);
    }
    return text;
}

static void a_load_is_waited_for_and_met_at_a_barrier(void **state)
{
    /* Managed registers: U waits for R, which so has been read when L comes again. */
    assert_string_equal(derived(*state, load_read_use, "L0 R0 U0"), "bar L0 vm0 bar R0 U0 ");
}

static void synchronous_ops_meet_without_a_wait(void **state)
{
    assert_string_equal(derived(*state, write_read, "W0 R0"), "bar W0 bar R0 ");
}

static void a_load_that_nobody_reads_needs_nothing(void **state)
{
    assert_string_equal(derived(*state, load_only, "L0"), "L0 ");
}

static void registers_need_nothing_where_they_are_managed(void **state)
{
    assert_string_equal(derived(*state, update_store, "U0 T0"), "U0 T0 ");
}

static void an_order_that_reads_too_early_is_refused(void **state)
{
    swp_context *ctx = *state;
    swp_schedule s = small_dataflow(ctx, loop_of(ctx, write_read), one_slot, "R0 W0");
    swp_sync_result result;
    assert_int_equal(swp_derive_sync(ctx, &s, SWP_SYNC_CYCLES, false, &result), SWP_INVALID);
    assert_diag(ctx, "E0730", "R (iteration +0) reads A before it is made");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_load_is_waited_for_and_met_at_a_barrier),
        CONTEXT_TEST(synchronous_ops_meet_without_a_wait),
        CONTEXT_TEST(a_load_that_nobody_reads_needs_nothing),
        CONTEXT_TEST(registers_need_nothing_where_they_are_managed),
        CONTEXT_TEST(an_order_that_reads_too_early_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
