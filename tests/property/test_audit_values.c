/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the audit takes registers to hold, against four waves that execute random programs: branches
 * that waves take alike or not, lanes that are off, a loop. Whatever is known must be so, and scalars
 * that are said not to differ between waves must not. The waves are of judges/gfx9.c, which knows nothing of
 * the audit.
 */
#include "fixture.h"
#include "gfx9_program.h"

#include "audit/flow/fixpoint.h"
#include "audit/languages.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct trial {
    const gfx9_program *program;
    const text *text;
    swp_flow flow;
    swp_fixpoint fixpoint;
    int known; /* registers that were known and right */
    int alike; /* scalars that were said to be alike, and are */
    char complaint[128];
    bool wrong; /* something is not so in the context that is being checked */
    wave states[MOST_CODE][MOST_TURNS][WAVES];
    bool there[MOST_CODE][MOST_TURNS][WAVES];
} trial;

/* Of some context all must be so; `complaint` is what is not in the last one. */
static void complain(trial *t, int at, const char *what, int number, int wave_number)
{
    char name[SWP_REG_NAME_SIZE];
    if (!t->wrong)
        (void)snprintf(t->complaint, sizeof t->complaint, "%s at L%d: %s, wave %d", what, at,
                       swp_code_reg_name(number, 1, name), wave_number);
    t->wrong = true;
}

static void check_vectors(trial *t, const swp_point *point, int at, const wave *w, int number)
{
    for (int v = 0; v < VECTORS; v++)
        for (int lane = 0; lane < LANES; lane++) {
            const int value = point->registers.values[SWP_REG_VECTOR + v];
            const swp_bits bits =
                swp_flow_values_bits(&t->fixpoint.values, value, number * LANES + lane);
            if ((bits.word ^ w->v[v][lane]) & ~bits.unknown)
                complain(t, at, "another value", SWP_REG_VECTOR + v, number);
            t->known += !bits.unknown;
        }
}

/* Threads that differ in bits of their number that a register does not depend on. */
static void check_vector_variation(trial *t, const swp_point *point, int at, int turn)
{
    for (int v = 0; v < VECTORS; v++)
        for (int bit = 1; bit < WAVES * LANES; bit <<= 1)
            for (int i = 0; i < WAVES * LANES; i++) {
                const int other = i ^ bit;
                if (point->registers.varying[SWP_REG_VECTOR + v] & bit ||
                    !t->there[at][turn][i / LANES] || !t->there[at][turn][other / LANES])
                    continue;
                if (t->states[at][turn][i / LANES].v[v][i % LANES] !=
                    t->states[at][turn][other / LANES].v[v][other % LANES])
                    complain(t, at, "threads differ", SWP_REG_VECTOR + v, i / LANES);
                t->alike++;
            }
}

static uint32_t scalar_of(const wave *w, int number)
{
    return number == SWP_REG_SCC ? w->scc : w->s[number];
}

static void check_scalar(trial *t, const swp_point *point, int at, int turn, int number)
{
    const uint32_t *words =
        swp_flow_registers_words(&t->fixpoint.values, &point->registers, number);
    int first = -1;
    for (int i = 0; i < WAVES; i++) {
        if (!t->there[at][turn][i])
            continue;
        const uint32_t word = scalar_of(&t->states[at][turn][i], number);
        const swp_bits bits =
            swp_flow_values_bits(&t->fixpoint.values, point->registers.values[number], i * LANES);
        if ((bits.word ^ word) & ~bits.unknown)
            complain(t, at, "another value", number, i);
        if (!point->registers.varying[number] && first >= 0 &&
            scalar_of(&t->states[at][turn][first], number) != word)
            complain(t, at, "waves differ", number, i);
        t->known += words != NULL;
        t->alike += first >= 0 && !point->registers.varying[number];
        first = i;
    }
}

static void check_turn(trial *t, const swp_point *point, int at, int turn)
{
    static const int others[] = {VCC, VCC + 1, EXEC, EXEC + 1, SWP_REG_SCC};
    for (int i = 0; i < WAVES; i++)
        if (t->there[at][turn][i])
            check_vectors(t, point, at, &t->states[at][turn][i], i);
    check_vector_variation(t, point, at, turn);
    for (int s = 0; s < 12; s++)
        check_scalar(t, point, at, turn, s);
    for (size_t i = 0; i < COUNT_OF(others); i++)
        check_scalar(t, point, at, turn, others[i]);
}

/* Waves that are at a line in one turn are there in one context. */
static void check_line(trial *t, const swp_point *points, int at)
{
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        bool any = false;
        bool right = false;
        for (int i = 0; i < WAVES; i++)
            any |= t->there[at][turn][i];
        (void)snprintf(t->complaint, sizeof t->complaint, "L%d is taken for unreached", at);
        for (int copy = 0; copy < t->fixpoint.copies && any && !right; copy++) {
            t->wrong = false;
            if (points[copy].reached)
                check_turn(t, &points[copy], at, turn);
            right = points[copy].reached && !t->wrong;
        }
        if (any && !right) {
            print_error("%s", t->text->bytes);
            fail_msg("%s", t->complaint);
        }
    }
}

/* The line of the program that an instruction begins, -1 if it begins none. */
static int line_at(const trial *t, int insn)
{
    const swp_code_label_list *labels = &t->flow.code->labels;
    for (size_t i = 0; i < labels->count; i++)
        if (labels->items[i].insn == insn && labels->items[i].name.start[0] == 'L')
            return atoi(labels->items[i].name.start + 1);
    return -1;
}

static void check_block(swp_context *ctx, trial *t, int block)
{
    const swp_block *b = &t->flow.blocks[block];
    swp_point points[SWP_MOST_CONTEXTS];
    for (int copy = 0; copy < t->fixpoint.copies; copy++) {
        assert_ok(ctx, swp_flow_point_new(&t->fixpoint, &points[copy]));
        swp_flow_point_copy(&t->fixpoint, &points[copy],
                            swp_flow_fixpoint_point(&t->fixpoint, block, copy));
    }
    for (int insn = b->first; insn < b->end; insn++) {
        const int at = line_at(t, insn);
        if (at >= 0)
            check_line(t, points, at);
        for (int copy = 0; copy < t->fixpoint.copies; copy++)
            if (points[copy].reached)
                swp_flow_fixpoint_transfer(&t->fixpoint, &points[copy], insn, copy);
    }
}

static wave start(test_random *random, const wave *like, int number)
{
    wave w = like ? *like : (wave){{0}, {{0}}, false};
    for (int s = 0; s < 12 && !like; s++)
        w.s[s] = random_int(random, 0, 1) ? (uint32_t)random_int(random, 0, 99)
                                          : gfx9_random_word(random);
    for (int v = 1; v < VECTORS; v++)
        for (int lane = 0; lane < LANES; lane++)
            w.v[v][lane] = gfx9_random_word(random);
    for (int lane = 0; lane < LANES; lane++)
        w.v[0][lane] = (uint32_t)(number * LANES + lane);
    gfx9_set_pair(&w, VCC, random_int(random, 0, 1) ? 0U : gfx9_random_word(random));
    gfx9_set_pair(&w, EXEC, UINT64_MAX);
    w.s[COUNTER] = 0;
    w.scc = random_int(random, 0, 1);
    return w;
}

/*
 * A wave from its start to its end, kept at every line as it was before, by turns of the loop: a wave
 * may leave out a line in some of them.
 */
static void run_wave(trial *t, wave w, int number)
{
    int turn = 0;
    int at = 0;
    w.s[COUNTER] = (uint32_t)t->program->turns;
    while (at < t->program->count) {
        turn += t->program->lines[at].flow == LOOP_START;
        t->states[at][turn][number] = w;
        t->there[at][turn][number] = true;
        at = gfx9_step(&w, t->program, at);
    }
}

static void compare(swp_context *ctx, test_random *random, trial *t)
{
    swp_machine_code code;
    const swp_slice slice = {t->text->bytes, t->text->length};
    assert_ok(ctx, swp_audit_read_code(ctx, slice, "random.s", &code));
    for (size_t i = 0; i < code.insns.count; i++)
        if (code.insns.items[i].unknown)
            fail_msg("unknown: %.*s", SWP_SLICE_FORMAT(code.insns.items[i].text));
    assert_ok(ctx, swp_flow_build(ctx, "random.s", &code, &code.functions.items[0], &t->flow));
    assert_ok(ctx, swp_flow_fixpoint_build(ctx, &t->flow, false, &t->fixpoint));
    const wave first = start(random, NULL, 0);
    for (int i = 0; i < WAVES; i++)
        run_wave(t, i ? start(random, &first, i) : first, i);
    for (int block = 0; block < t->flow.block_count; block++)
        check_block(ctx, t, block);
}

static void what_is_known_of_registers_is_so(void **state)
{
    enum { FEW = 150 };
    const size_t programs = random_sample(FEW);
    const uint64_t seed = random_seed(20260);
    size_t known = 0;
    size_t alike = 0;
    (void)state;
    for (size_t i = 0; i < programs; i++) {
        test_random random = random_for_case(seed, i);
        const gfx9_program p = gfx9_random_program(&random);
        text *t = calloc(1, sizeof *t);
        trial *run = calloc(1, sizeof *run);
        swp_context *ctx = swp_context_new(NULL);
        assert_true(t && run && ctx);
        gfx9_put_program(t, &p);
        run->program = &p;
        run->text = t;
        compare(ctx, &random, run);
        known += (size_t)run->known;
        alike += (size_t)run->alike;
        swp_context_free(ctx);
        free(run);
        free(t);
    }
    print_message("%zu programs: %zu words known, %zu scalars alike\n", programs, known, alike);
    assert_true(known > programs * 1000 && alike > programs * 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_known_of_registers_is_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
