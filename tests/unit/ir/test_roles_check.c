/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of schedules with warp roles whose numbers have no meaning (docs/roles-reference.md). */
#include "fixture.h"
#include "safe_roles.h"

#include "ir/roles.h"

#include <limits.h>

static void expect_refused(roles_program *p, const char *words)
{
    assert_int_equal(swp_ir_check_roles(p->ctx, &p->schedule), SWP_INVALID);
    assert_diag(p->ctx, "E0705", words);
}

/* The proof counts one group more than any wait leaves. */
static void groups_that_a_wait_leaves(void **state)
{
    static const int refused[] = {-1, SWP_MOST_ACCESSES + 1, INT_MAX};
    roles_program p;
    safe_ring(&p, *state);
    swp_op *wait = roles_program_op(&p, CONSUMER, SWP_KERNEL, 3);
    wait->wait_value = SWP_MOST_ACCESSES;
    assert_ok(p.ctx, swp_ir_check_roles(p.ctx, &p.schedule));
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        wait->wait_value = refused[i];
        expect_refused(&p, "role consumer, kernel entry 3: a number is out of range");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(groups_that_a_wait_leaves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
