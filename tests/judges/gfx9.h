/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of gfx9's scalar and vector instructions, and waves that execute them: written from the
 * instructions' definitions (CDNA3 ISA, chapters 5, 6 and 12), and knowing nothing of the audit.
 */
#ifndef TEST_GFX9_H
#define TEST_GFX9_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WAVES = 4,
    LANES = 64,
    VCC = 106,
    EXEC = 126,
    SCALARS = 128,
    VECTORS = 6,
    COUNTER = 40, /* of the loop; no instruction writes it but its own */
    MOST_CODE = 160,
    MOST_TURNS = 8
};

typedef struct wave {
    uint32_t s[SCALARS];
    uint32_t v[VECTORS][LANES];
    bool scc;
} wave;

/* How operands of an instruction are chosen, written and read. */
typedef enum form {
    SCALAR_2, /* s, s, s; scc */
    SCALAR_1,
    SCALAR_K, /* s, a constant of 16 bits; changes s in place */
    COMPARE,  /* s, s; scc */
    CHOOSE,   /* s, s, s by scc */
    PAIR_2,   /* s[2], s[2], s[2]; scc */
    PAIR_1,
    CHOOSE_PAIR,
    SAVE_EXEC, /* s[2], s[2]; scc */
    VECTOR_1,
    VECTOR_2,
    VECTOR_3,
    VECTOR_COMPARE, /* s[2], v, v */
    SELECT,         /* v, v, v, s[2] */
    FIRST_LANE,     /* s, v */
    READ_LANE,      /* s, v, lane */
    WRITE_LANE,     /* v, s, lane */
    COUNT_LANES_LOW,
    COUNT_LANES_HIGH
} form;

typedef enum operand_kind { CONSTANT, SCALAR, PAIR, VECTOR } operand_kind;

typedef struct operand {
    operand_kind kind;
    int number; /* of the register, or the constant */
} operand;

typedef enum flow_kind { STRAIGHT, BRANCH, JUMP, LOOP_START, LOOP_END } flow_kind;

typedef struct line {
    flow_kind flow;
    int op;    /* of an instruction, or which branch */
    int label; /* line that it goes to */
    operand to;
    operand from[4];
} line;

typedef struct gfx9_program {
    line lines[MOST_CODE];
    int count;
    int turns; /* of the loop */
} gfx9_program;

/* The instructions that programs are made of, by number. */
int gfx9_op_count(void);
form gfx9_form(int op);
const char *gfx9_name(int op);

bool gfx9_is_wide(form f);

typedef struct gfx9_numbers {
    uint64_t a, b, c;
} gfx9_numbers;

/* The result, and scc afterwards from what it was before. */
uint64_t gfx9_compute(int op, gfx9_numbers n, bool *scc);

/* How many operands an instruction reads. */
int gfx9_sources(form f);

/* What a branch of a program asks, by number. */
enum { GFX9_BRANCHES = 6 };
const char *gfx9_branch_name(int branch);

/* One line of a program; returns the next. */
int gfx9_step(wave *w, const gfx9_program *p, int at);

uint64_t gfx9_pair(const wave *w, int first);
void gfx9_set_pair(wave *w, int first, uint64_t value);

#endif
