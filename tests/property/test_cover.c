/* SPDX-License-Identifier: Apache-2.0 */
/* What makes mutants of a small program equivalent, worked out by hand. */
#include "fixture.h"

#include "cover.h"

enum { TILES = 8 };

/* Prologue 4 to 6: wait, wait, barrier. Kernel 0 to 3: fragments of A and B, wait, MMA. */
static program example(void)
{
    program p = program_double_buffer();
    program_read(&p, SWP_PROLOGUE, "A0.0:k0 B0.0:k0 A1.0:k1 B1.0:k1 v0 v0 |");
    program_read(&p, SWP_KERNEL,
                 "a0.0 b0.0 l0 m0.0 | A0.0:k0 B0.0:k0 a1.0 b1.0 m0.0 | A1.0:k1 B1.0:k1 v0 |");
    program_read(&p, SWP_EPILOGUE, "a0.0 b0.0 m0.0 a1.0 b1.0 m0.0");
    return p;
}

typedef struct question {
    mutant_kind kind;
    swp_phase phase;
    int entry;
    const swp_schedule *base;
    link_list links;
    int asked; /* mutants of the kind at the entry */
    cover answer;
} question;

static void answer(const mutant *m, void *user)
{
    question *q = user;
    if (m->kind != q->kind || m->phase != q->phase || m->entry != q->entry)
        return;
    link_list links = links_of(&m->program.schedule, TILES, m, q->base);
    q->answer = cover_of(&q->links, &links, m, q->base);
    q->asked++;
    links_free(&links);
}

static cover ask(mutant_kind kind, swp_phase phase, int entry)
{
    program p = example();
    question q = {.kind = kind, .phase = phase, .entry = entry, .base = &p.schedule};
    q.links = links_of(&p.schedule, TILES, NULL, &p.schedule);
    mutants_visit(&p.schedule, answer, &q);
    links_free(&q.links);
    program_free(&p);
    assert_int_equal(q.asked, 1);
    return q.answer;
}

static void expect_only(const cover *c, cover_reason reason)
{
    for (int r = 0; r < COVER_REASONS; r++)
        assert_int_equal(c->reasons[r], r == (int)reason);
}

static void one_of_two_waits_covers_the_other(void **state)
{
    (void)state;
    const cover c = ask(MUTANT_DELETE_WAIT, SWP_PROLOGUE, 4);
    expect_only(&c, COVER_WAIT);
    assert_int_equal(c.count, 2); /* for the load's own wave, and for another */
    for (int i = 0; i < 2; i++) {
        assert_int_equal(c.examples[i].before.retired.entry, 4);
        assert_int_equal(c.examples[i].after.retired.phase, SWP_PROLOGUE);
        assert_int_equal(c.examples[i].after.retired.entry, 5);
    }
}

static void a_second_wait_is_idle(void **state)
{
    (void)state;
    const cover deleted = ask(MUTANT_DELETE_WAIT, SWP_PROLOGUE, 5);
    const cover weaker = ask(MUTANT_WEAKEN_WAIT, SWP_PROLOGUE, 5);
    expect_only(&deleted, COVER_IDLE);
    expect_only(&weaker, COVER_IDLE);
}

/* A double-buffered kernel meets once more between prologue and loop. */
static void the_barrier_before_the_loop_covers_the_prologues(void **state)
{
    (void)state;
    const cover c = ask(MUTANT_DELETE_BARRIER, SWP_PROLOGUE, 6);
    expect_only(&c, COVER_BARRIER);
    assert_int_equal(c.examples[0].before.barriers[0].entry, 6);
    assert_int_equal(c.examples[0].after.barriers[0].entry, -1);
}

static void a_managed_register_covers_a_wait(void **state)
{
    (void)state;
    const cover c = ask(MUTANT_DELETE_WAIT, SWP_KERNEL, 2);
    expect_only(&c, COVER_REGISTER);
    assert_int_equal(c.examples[0].after.retired.entry, 3);
}

static void what_changes_nothing_is_told_apart(void **state)
{
    (void)state;
    const cover fragments = ask(MUTANT_SWAP, SWP_KERNEL, 0);
    expect_only(&fragments, COVER_UNTOUCHED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_of_two_waits_covers_the_other),
        cmocka_unit_test(a_second_wait_is_idle),
        cmocka_unit_test(the_barrier_before_the_loop_covers_the_prologues),
        cmocka_unit_test(a_managed_register_covers_a_wait),
        cmocka_unit_test(what_changes_nothing_is_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
