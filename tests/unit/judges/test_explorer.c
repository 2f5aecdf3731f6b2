/* SPDX-License-Identifier: Apache-2.0 */
/* The explorer on programs whose hazards can be told by hand, one of each kind. */
#include "fixture.h"

#include "explorer.h"
#include "words.h"

#define SAFE_PROLOGUE "A0.0:k0 B0.0:k0 v0 |"
#define SAFE_KERNEL "a0.0 b0.0 l0 | A0.0:k0 B0.0:k0 m0.0 v0 |"
#define SAFE_EPILOGUE "a0.0 b0.0 l0 m0.0"

enum { MOST_EXPECTED = 6 };

typedef struct explorer_case {
    const char *prologue;
    const char *kernel;
    const char *epilogue;
    judged_hazard expected[MOST_EXPECTED];
    int count;
    bool raw_registers;
    bool lag;   /* without a barrier at the end */
    int vm_max; /* of a counter that wraps; 0: it stalls */
    int waves;
} explorer_case;

#define EXPECT(...) .expected = {__VA_ARGS__}, .count = COUNT_OF(((judged_hazard[]){__VA_ARGS__}))
#define AT(what, where, number, n)                                                                 \
    {                                                                                              \
        .kind = SWP_##what, .phase = SWP_##where, .entry = number, .smallest_n = n                 \
    }

#define LATE_B                                                                                     \
    EXPECT(AT(STALE_READ, KERNEL, 1, 2), AT(WRITE_RACE, KERNEL, 5, 2),                             \
           AT(STALE_READ, EPILOGUE, 1, 1))

static const explorer_case cases[] = {
    {SAFE_PROLOGUE, SAFE_KERNEL, SAFE_EPILOGUE, .count = 0},
    {SAFE_PROLOGUE, SAFE_KERNEL, SAFE_EPILOGUE, .count = 0, .raw_registers = true},
    /* B is in flight when it is read, and may still land on the next one. */
    {"A0.0:k0 B0.0:k0 v1 |", SAFE_KERNEL, SAFE_EPILOGUE, LATE_B},
    {SAFE_PROLOGUE, "a0.0 b0.0 l0 A0.0:k0 | B0.0:k0 m0.0 v0 |", SAFE_EPILOGUE,
     EXPECT(AT(OVERWRITTEN, KERNEL, 3, 2))},
    {"A0.0:k_prev A0.0:k0 B0.0:k0 v0 |", SAFE_KERNEL, SAFE_EPILOGUE,
     EXPECT(AT(OUT_OF_RANGE, PROLOGUE, 0, 1), AT(WRITE_RACE, PROLOGUE, 1, 1))},
    {SAFE_PROLOGUE, "a0.0 b0.0 l0 | A0.0:k0 m0.0 v0 |", SAFE_EPILOGUE,
     EXPECT(AT(WRONG_TILE, KERNEL, 5, 3), AT(WRONG_TILE, EPILOGUE, 3, 2))},
    {SAFE_PROLOGUE, SAFE_KERNEL, "a0.0 b0.0 l0", EXPECT(AT(MISSING_WORK, EPILOGUE, 3, 1))},
    {SAFE_PROLOGUE, SAFE_KERNEL, "a0.0 b0.0 l0 m0.0 m0.0", EXPECT(AT(DOUBLE_WORK, EPILOGUE, 4, 1))},
    {SAFE_PROLOGUE, SAFE_KERNEL, "a0.0 b0.0 l1 m0.0",
     EXPECT(AT(REGISTER_NOT_READY, EPILOGUE, 3, 1)), .raw_registers = true},
    {SAFE_PROLOGUE, SAFE_KERNEL, "a0.0 b0.0 l0 m0.0 A1.0:k0",
     EXPECT(AT(OUT_OF_RANGE, EPILOGUE, 4, 1))},
    /* Group 1 comes to its last barrier alone: the one after the prologue, or a pass's last. */
    {SAFE_PROLOGUE, "a0.0 b0.0 l0 | | A0.0:k0 B0.0:k0 m0.0 v0 | |", SAFE_EPILOGUE,
     EXPECT(AT(DEADLOCK, PROLOGUE, 4, 1), AT(DEADLOCK, KERNEL, 10, 2)), .lag = true},
    {SAFE_PROLOGUE, SAFE_KERNEL, SAFE_EPILOGUE,
     EXPECT(AT(COUNTER, PROLOGUE, 1, 1), AT(COUNTER, KERNEL, 5, 2)), .vm_max = 1},
    /* One wave needs no barrier. */
    {"A0.0:k0 B0.0:k0 v0", "a0.0 b0.0 l0 A0.0:k0 B0.0:k0 m0.0 v0", SAFE_EPILOGUE, .count = 0,
     .waves = 1},
    /* A wait for all but four accesses retires what four come after. */
    {"A0.0:k0 B0.0:k0 A1.0:k0*4 v4 |", SAFE_KERNEL, SAFE_EPILOGUE, .count = 0},
    {"A0.0:k0 B0.0:k0 A1.0:k0*3 v4 |", SAFE_KERNEL, SAFE_EPILOGUE, LATE_B},
    /* A count of 0 is not stated: the wait retires the read of A and leaves that of B. */
    {SAFE_PROLOGUE, "a0.0*0 b0.0*0 l1 | A0.0:k0 l0 | B0.0:k0 m0.0 v0 |", SAFE_EPILOGUE, .count = 0},
    {SAFE_PROLOGUE, "a0.0*0 b0.0*0 l1 | B0.0:k0 l0 | A0.0:k0 m0.0 v0 |", SAFE_EPILOGUE,
     EXPECT(AT(OVERWRITTEN, KERNEL, 4, 2))},
};

static program program_of(const explorer_case *c)
{
    program p = program_double_buffer();
    swp_machine *m = &p.schedule.machine;
    p.schedule.loop.tiles_per_pass = p.schedule.loop.first_base = 1;
    p.schedule.loop.min_tiles = p.schedule.loop.multiple = 1;
    m->registers = c->raw_registers ? SWP_REGISTERS_RAW : SWP_REGISTERS_MANAGED;
    m->waves_per_group = c->waves ? c->waves : 2;
    if (c->lag) {
        m->groups = 2;
        m->lag = 1;
        m->lag_end_barrier = false;
    }
    if (c->vm_max) {
        m->counter_full = SWP_COUNTER_WRAPS;
        m->vm_max = c->vm_max;
    }
    program_read(&p, SWP_PROLOGUE, c->prologue);
    program_read(&p, SWP_KERNEL, c->kernel);
    program_read(&p, SWP_EPILOGUE, c->epilogue);
    return p;
}

static void print_found(const program *p, const judgement *found)
{
    program_print(stdout, &p->schedule);
    for (size_t i = 0; i < found->count; i++)
        print_message("  %s at %s entry %d from N = %d\n", swp_hazard_name(found->items[i].kind),
                      swp_phase_name(found->items[i].phase), found->items[i].entry,
                      found->items[i].smallest_n);
}

static bool is_expected(const explorer_case *c, const exploration *found)
{
    int least = 0;
    for (int i = 0; i < c->count && i < (int)found->judged.count; i++) {
        const judged_hazard *a = &c->expected[i];
        const judged_hazard *b = &found->judged.items[i];
        if (a->kind != b->kind || a->phase != b->phase || a->entry != b->entry ||
            a->smallest_n != b->smallest_n)
            return false;
        least = least == 0 || a->smallest_n < least ? a->smallest_n : least;
    }
    return found->judged.count == (size_t)c->count && found->smallest_n == least && !found->too_big;
}

static void check(const explorer_case *c, bool at_once)
{
    const explorer_options options = {.most_tiles = 4, .most_states = 200000, .at_once = at_once};
    program p = program_of(c);
    exploration found = explorer_judge(&p.schedule, &options);
    if (!is_expected(c, &found)) {
        print_found(&p, &found.judged);
        fail_msg("case %d is told otherwise", (int)(c - cases));
    }
    judgement_free(&found.judged);
    program_free(&p);
}

static void each_kind_of_hazard_is_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(&cases[i], false);
}

static void each_kind_of_hazard_is_seen_in_one_exploration(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check(&cases[i], true);
}

static void an_exploration_that_is_too_big_says_so(void **state)
{
    (void)state;
    const explorer_options options = {
        .most_tiles = 4, .most_states = 10, .at_once = true, .every_order = true};
    program p = program_of(&cases[0]);
    exploration found = explorer_judge(&p.schedule, &options);
    assert_true(found.too_big);
    judgement_free(&found.judged);
    program_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_hazard_is_seen),
        cmocka_unit_test(each_kind_of_hazard_is_seen_in_one_exploration),
        cmocka_unit_test(an_exploration_that_is_too_big_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
