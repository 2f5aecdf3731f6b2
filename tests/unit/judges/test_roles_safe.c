/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules with warp roles that are safe: no interleaving breaks a rule, and the hardware goes right. */
#include "fixture.h"

#include <stdio.h>

#include "roles_explorer.h"
#include "roles_programs.h"
#include "roles_words.h"
#include "swp/emit.h"

static void assert_safe(const swp_schedule *schedule, int n)
{
    roles_exploration found = roles_explore(schedule, n, NULL);
    const roles_outcome o = roles_explore_hardware(schedule, n, NULL);
    assert_int_equal(found.count, 0);
    assert_false(found.undecided || o.undecided);
    assert_false(o.wrong || o.stuck || o.undefined || o.parted);
    assert_int_equal(found.no_run, swp_schedule_form_of(schedule, n) < 0);
    roles_exploration_free(&found);
}

static void safe_programs_are_safe(void **state)
{
    for (size_t i = 0; i < roles_safe_program_count; i++) {
        role_program *p = role_program_read(*state, roles_safe_programs[i]);
        for (int n = 0; n <= 4; n++)
            assert_safe(&p->schedule, n);
        role_program_free(p);
    }
}

static swp_schedule *read_schedule(swp_context *ctx, const char *path)
{
    static char text[65536];
    swp_schedule *schedule = NULL;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    assert_in_range(length, 1, sizeof text - 1);
    assert_ok(ctx, swp_schedule_read_json(ctx, text, length, path, &schedule));
    return schedule;
}

static void a_ring_of_four_slots_is_safe(void **state)
{
    swp_schedule *schedule = read_schedule(*state, "tests/roles/gemm_ring.json");
    for (int n = 0; n <= 6; n++)
        assert_safe(schedule, n);
    swp_schedule_free(schedule);
}

/* Of one or two slots and consumers. */
static void rings_of_all_sizes_are_safe(void **state)
{
    for (int size = 0; size < 4; size++) {
        const int slots = 1 + size % 2;
        const int consumers = 1 + size / 2;
        role_program *p = role_program_read(*state, roles_ring);
        p->slots[0] = p->objects[0].slots = p->objects[1].slots = slots;
        p->objects[1].arrivals = p->schedule.streams[1].instances = consumers;
        p->schedule.streams[0].kernel.items[0].op.iteration = -slots;
        for (int n = 0; n <= 4; n++)
            assert_safe(&p->schedule, n);
        role_program_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(safe_programs_are_safe),
        CONTEXT_TEST(rings_of_all_sizes_are_safe),
        CONTEXT_TEST(a_ring_of_four_slots_is_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
