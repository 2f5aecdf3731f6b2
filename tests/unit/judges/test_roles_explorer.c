/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer of warp roles on programs whose hazards can be told by hand: each rule both ways. */
#include "fixture.h"

#include "roles_explorer.h"
#include "roles_words.h"
#include <stdio.h>

static const char ring[] = "value T shared 2\n"
                           "value C registers 1\n"
                           "op LOAD copy_mbarrier writes T\n"
                           "op MMA matrix_group reads T updates C\n"
                           "mbarrier full 2 1\n"
                           "mbarrier empty 2 2\n"
                           "role producer 1 1\n"
                           "wait_phase empty -2 one\n"
                           "arrive_expect full 0 bytes 64\n"
                           "LOAD full 0 bytes 64\n"
                           "role consumer 4 2\n"
                           "wait_phase full 0\n"
                           "matrix_fence\n"
                           "MMA 0\n"
                           "matrix_commit\n"
                           "matrix_wait 0\n"
                           "arrive empty 0 one\n";

static void a_ring(void **state)
{
    for (int n = 0; n <= 4; n++) {
        role_program *p = role_program_read(*state, ring);
        roles_exploration x = roles_explore(&p->schedule, n, NULL);
        roles_outcome h = roles_explore_hardware(&p->schedule, n, NULL);
        printf("n %d states %zu hazards %zu undecided %d; hw %d %d %d %d states %zu\n", n, x.states,
               x.count, x.undecided, h.wrong, h.stuck, h.undefined, h.parted, h.states);
        for (size_t i = 0; i < x.count; i++)
            printf("  %s %d %d %d\n", swp_hazard_name(x.items[i].kind), x.items[i].stream,
                   x.items[i].phase, x.items[i].entry);
        roles_exploration_free(&x);
        role_program_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
