/* SPDX-License-Identifier: Apache-2.0 */
#include "small_programs.h"

#include <stdio.h>

#include "edits.h"
#include "unrolled.h"

enum { TILES = 4 }; /* two passes and more */

static bool is_safe(const program *p)
{
    judgement judged = unrolled_judge(&p->schedule, TILES);
    const bool safe = judged.count == 0;
    judgement_free(&judged);
    return safe;
}

static bool is_small(const program *p)
{
    int count = 0;
    for (size_t i = 0; i < p->schedule.streams[0].kernel.count; i++) {
        const swp_role role = p->schedule.streams[0].kernel.items[i].op.role;
        count += role != SWP_SYNC && role != SWP_FENCE;
    }
    return count <= SMALL_DATA_OPS;
}

/* Appends words of which `|` stands for as many barriers as a lag needs. */
static void read_words(program *p, swp_phase phase, const char *words)
{
    for (const char *at = words; *at; at++) {
        char word[32] = "";
        size_t length = 0;
        while (at[length] && at[length] != ' ' && length + 1 < sizeof(word)) {
            word[length] = at[length];
            length++;
        }
        program_read(p, phase, word);
        if (word[0] == '|' && p->schedule.machine.lag)
            program_read(p, phase, word);
        at += length;
        if (!*at)
            break;
    }
}

/* The explorer lets counters retire accesses in order, which a scoreboard does not. */
static void small_machine(program *p, test_random *random, size_t index)
{
    random_machine(p, random, index);
    if (p->schedule.machine.registers == SWP_REGISTERS_SCOREBOARD)
        p->schedule.machine.registers = SWP_REGISTERS_MANAGED;
}

static program make_single_buffer(test_random *random, size_t index)
{
    const bool two = random_chance(random, 50);
    program p = program_single_buffer();
    small_machine(&p, random, index);
    read_words(&p, SWP_PROLOGUE, "L v0 S l0 | L f0");
    read_words(&p, SWP_KERNEL, two ? "f1 l0 | v0 S L c0 c1 l0 | f0" : "l0 | v0 S L c0 l0 | f0");
    read_words(&p, SWP_EPILOGUE,
               two ? "f1 l0 | v0 S c0 c1 l0 | f0 f1 l0 c0 c1" : "l0 | v0 S c0 l0 | f0 l0 c0");
    return p;
}

/* One buffer of A and one of B: a pass reads a tile, then loads the next one. */
static program make_direct(test_random *random, size_t index)
{
    program p = program_double_buffer();
    small_machine(&p, random, index);
    p.schedule.loop.tiles_per_pass = p.schedule.loop.first_base = 1;
    p.schedule.loop.min_tiles = p.schedule.loop.multiple = 1;
    char loads[64];
    char reads[64];
    const bool swapped = random_chance(random, 50);
    const int accesses = random_int(random, 1, 4);
    (void)snprintf(loads, sizeof(loads), "%c0.0:k0*%d %c0.0:k0*%d", swapped ? 'B' : 'A', accesses,
                   swapped ? 'A' : 'B', random_int(random, 1, 4));
    (void)snprintf(reads, sizeof(reads), "a0.0*%d b0.0*%d l0", random_int(random, 0, 4),
                   random_int(random, 0, 4));
    read_words(&p, SWP_PROLOGUE, loads);
    read_words(&p, SWP_PROLOGUE, "v0 |");
    read_words(&p, SWP_KERNEL, reads);
    read_words(&p, SWP_KERNEL, "|");
    read_words(&p, SWP_KERNEL, loads);
    read_words(&p, SWP_KERNEL, "m0.0 v0 |");
    read_words(&p, SWP_EPILOGUE, reads);
    read_words(&p, SWP_EPILOGUE, "m0.0");
    return p;
}

/* A random entry moved within its phase. */
static void shuffle(program *p, test_random *random)
{
    const swp_phase phase = (swp_phase)random_int(random, SWP_PROLOGUE, SWP_EPILOGUE);
    const int last = (int)program_phase(p, phase)->count - 1;
    const int from = random_int(random, 0, last);
    const swp_op op = program_phase(p, phase)->items[from].op;
    program_delete(p, phase, from);
    program_insert(p, phase, random_int(random, 0, last), op);
}

static void relax(program *p, test_random *random)
{
    const swp_phase phase = (swp_phase)random_int(random, SWP_PROLOGUE, SWP_EPILOGUE);
    const int at = random_int(random, 0, (int)program_phase(p, phase)->count - 1);
    swp_op *op = &program_phase(p, phase)->items[at].op;
    if (op->role != SWP_SYNC)
        return;
    if (op->tag != SWP_TAG_BARRIER && random_chance(random, 40))
        op->wait_value += random_int(random, 1, 4);
    else
        program_delete(p, phase, at);
}

/* Moves operations, and takes synchronisation away, as long as the program stays safe. */
static void tighten(program *p, test_random *random)
{
    const int steps = random_int(random, 0, 12);
    for (int i = 0; i < steps; i++) {
        program other = program_copy(&p->schedule);
        (random_chance(random, 40) ? shuffle : relax)(&other, random);
        if (is_safe(&other)) {
            const program before = *p;
            *p = other;
            other = before;
        }
        program_free(&other);
    }
}

static program make_safe(test_random *random, size_t index)
{
    for (;;) {
        program p = random_chance(random, 50) ? make_single_buffer(random, index)
                                              : make_direct(random, index);
        p.schedule.machine.lag_prologue_index =
            random_int(random, 0, (int)p.schedule.streams[0].prologue.count);
        if (is_safe(&p)) {
            tighten(&p, random);
            return p;
        }
        program_free(&p);
    }
}

random_program small_program_new(uint64_t seed, size_t index)
{
    test_random random = random_for_case(seed, index);
    for (;;) {
        random_program out = {.program = make_safe(&random, index), .edit = "none"};
        const int dice = random_int(&random, 1, 100);
        out.edits = dice <= 25 ? 0 : dice <= 85 ? 1 : 2;
        for (int i = 0; i < out.edits; i++)
            out.edit = random_edit(&out.program, &random);
        if (is_small(&out.program))
            return out;
        program_free(&out.program);
    }
}
