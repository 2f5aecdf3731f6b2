/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <stdlib.h>

#include "aims.h"
#include "mutants.h"
#include "roles_clusters.h"
#include "roles_edits.h"
#include "roles_mutants.h"
#include "roles_programs.h"
#include "roles_tiles.h"
#include "small_programs.h"

/* A family has every tenth case; the modes of its machine follow its own count. */
enum { FAMILIES = 10, BUILT_INS = 40 };

static swp_context *new_context(void)
{
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        abort();
    return ctx;
}

static bool has_meaning(const swp_schedule *schedule)
{
    swp_context *ctx = new_context();
    const bool has = swp_schedule_check_loop(ctx, schedule) == SWP_OK;
    swp_context_free(ctx);
    return has;
}

/* --- Without roles --- */

/* Counts mutants, or takes the first one from a number on that has a meaning. */
typedef struct mutant_choice {
    size_t count;
    size_t wanted;
    program taken;
    bool is_taken;
} mutant_choice;

static void count_mutant(const mutant *m, void *user)
{
    (void)m;
    ((mutant_choice *)user)->count++;
}

static void take_mutant(const mutant *m, void *user)
{
    mutant_choice *choice = user;
    if (choice->count++ < choice->wanted || choice->is_taken || !has_meaning(&m->program.schedule))
        return;
    choice->taken = program_copy(&m->program.schedule);
    choice->is_taken = true;
}

static void become_mutant(program *p, test_random *random)
{
    mutant_choice choice = {0};
    mutants_visit(&p->schedule, count_mutant, &choice);
    if (choice.count == 0)
        return;
    choice.wanted = (size_t)random_int(random, 0, (int)choice.count - 1);
    choice.count = 0;
    mutants_visit(&p->schedule, take_mutant, &choice);
    if (!choice.is_taken)
        return;
    program_free(p);
    *p = choice.taken;
}

static void judge_body(program p, test_random *random, bool mutates, answers_judge *judge,
                       void *user)
{
    if (mutates)
        become_mutant(&p, random);
    else
        answers_aim_body(&p, random);
    judge(&p.schedule, user);
    program_free(&p);
}

/* The same for all cases of a number. */
static void derive_loop(answers_source *source, size_t number)
{
    test_random random = random_for_case(source->seed ^ 0xa3, number);
    if (source->has_loop && source->loop_number == number)
        return;
    if (source->has_loop)
        loop_program_free(&source->loop);
    while (!loop_program_derive(&source->loop, &random))
        loop_program_free(&source->loop);
    source->has_loop = true;
    source->loop_number = number;
}

static void judge_loop(answers_source *source, size_t number, test_random *random,
                       answers_judge *judge, void *user)
{
    derive_loop(source, number);
    loop_program varied = source->loop;
    varied.schedule = loop_program_copy(varied.ctx, varied.derived);
    loop_program_vary(&varied, random);
    answers_aim_loop(&varied, random);
    judge(&varied.schedule, user);
}

void answers_flat_case(answers_source *source, size_t index, answers_judge *judge, void *user)
{
    test_random random = random_for_case(source->seed ^ 0xa1, index);
    const size_t family = index % FAMILIES;
    const size_t number = index / FAMILIES;
    switch (family) {
    case 0:
    case 1:
    case 2:
        judge_body(random_program_new(&source->library, source->seed + family, number).program,
                   &random, family == 2, judge, user);
        return;
    case 3:
    case 4:
    case 5:
        judge_body(small_program_new(source->seed + family, number).program, &random, family == 5,
                   judge, user);
        return;
    default:
        judge_loop(source, number, &random, judge, user);
    }
}

void answers_source_open(answers_source *source, uint64_t seed)
{
    swp_context *ctx = new_context();
    *source = (answers_source){.seed = seed, .library = program_library_new(ctx, seed, BUILT_INS)};
    swp_context_free(ctx);
}

void answers_source_close(answers_source *source)
{
    program_library_free(&source->library);
    if (source->has_loop)
        loop_program_free(&source->loop);
}

/* --- With roles --- */

typedef struct role_choice {
    size_t count;
    size_t wanted;
    bool is_judged;
    answers_judge *judge;
    void *user;
} role_choice;

static void count_role_mutant(const role_mutant *m, void *user)
{
    (void)m;
    ((role_choice *)user)->count++;
}

static void judge_role_mutant(const role_mutant *m, void *user)
{
    role_choice *choice = user;
    if (choice->count++ < choice->wanted || choice->is_judged ||
        !random_roles_is_legal(m->schedule))
        return;
    choice->judge(m->schedule, choice->user);
    choice->is_judged = true;
}

static void judge_one_mutant(swp_schedule *schedule, test_random *random, answers_judge *judge,
                             void *user)
{
    role_choice choice = {.judge = judge, .user = user};
    role_mutants_visit(schedule, count_role_mutant, &choice);
    choice.wanted = choice.count > 0 ? (size_t)random_int(random, 0, (int)choice.count - 1) : 0;
    choice.count = 0;
    role_mutants_visit(schedule, judge_role_mutant, &choice);
    if (!choice.is_judged)
        judge(schedule, user);
}

static void judge_random(random_roles p, test_random *random, bool mutates, answers_judge *judge,
                         void *user)
{
    if (mutates)
        judge_one_mutant(&p.schedule, random, judge, user);
    else
        judge(&p.schedule, user);
    random_roles_free(&p);
}

static bool judge_tiles(test_random *random, answers_judge *judge, void *user)
{
    swp_context *ctx = new_context();
    const int edits = random_int(random, 0, 2);
    roles_program p;
    bool is_legal = true;
    roles_tiles_shape(random_int(random, 0, ROLES_TILES_SHAPES - 1), &p, ctx);
    for (int i = 0; i < edits && is_legal; i++) {
        const roles_tiles_edit edit = roles_tiles_draw(&p, random);
        is_legal = roles_tiles_make(&p, &edit);
    }
    p.schedule.machine.fence_reads = random_chance(random, 75);
    is_legal = is_legal && has_meaning(&p.schedule);
    if (is_legal)
        judge(&p.schedule, user);
    swp_context_free(ctx);
    return is_legal;
}

static bool judge_words(test_random *random, answers_judge *judge, void *user)
{
    swp_context *ctx = new_context();
    const int last = (int)roles_safe_program_count - 1;
    const int edits = random_int(random, 0, 2);
    role_program *p = role_program_read(ctx, roles_safe_programs[random_int(random, 0, last)]);
    bool is_legal = true;
    for (int i = 0; i < edits && is_legal; i++)
        is_legal = role_program_edit(ctx, p, random);
    is_legal = is_legal && has_meaning(&p->schedule);
    if (is_legal)
        judge(&p->schedule, user);
    role_program_free(p);
    swp_context_free(ctx);
    return is_legal;
}

void answers_roles_case(const answers_source *source, size_t index, answers_judge *judge,
                        void *user)
{
    test_random random = random_for_case(source->seed ^ 0xa2, index);
    switch (index % FAMILIES) {
    case 0:
    case 1:
        while (!judge_tiles(&random, judge, user))
            ;
        return;
    case 2:
        judge_random(random_roles_cluster_new(&random), &random, false, judge, user);
        return;
    case 3:
        judge_random(random_roles_cluster(&random), &random, true, judge, user);
        return;
    case 4:
        while (!judge_words(&random, judge, user))
            ;
        return;
    case 5:
    case 6:
        judge_random(random_roles_safe(&random), &random, true, judge, user);
        return;
    default:
        judge_random(random_roles_new(&random), &random, false, judge, user);
    }
}
