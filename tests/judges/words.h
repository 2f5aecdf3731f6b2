/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs of a schedule as short text, to write tests by hand and to print what a test found.
 *
 *   A1.0:k0   load of A to stage 1, subtile 0 (k0, k1, k_next, k_prev)     B1.0:k0  of B
 *   a1.0      fragment load of A from stage 1, subtile 0                    b1.0     of B
 *   m0.1      MMA of row 0, column 1
 *   L  S      load of the next tile to registers, store to LDS (single buffer)
 *   f0  c0    fragment load and COMPUTE of k-slice 0 (single buffer)
 *   |  v4  l0  barrier, wait_vm(4), wait_lgkm(0)
 *
 * `*4` after a load, store or fragment load: four counted accesses instead of one.
 */
#ifndef TEST_JUDGES_WORDS_H
#define TEST_JUDGES_WORDS_H

#include <stdio.h>

#include "swp/compile.h"

/* A schedule of which only name, machine, loop and phases matter. It owns its entries. */
typedef struct program {
    swp_schedule schedule;
} program;

/* No entries; a double buffer of 1x1 MMAs, or a single buffer; one group of four waves. */
program program_double_buffer(void);
program program_single_buffer(void);

program program_copy(const swp_schedule *schedule);
void program_free(program *p);

swp_entry_list *program_phase(program *p, swp_phase phase);
void program_insert(program *p, swp_phase phase, int at, swp_op op);
void program_delete(program *p, swp_phase phase, int at);

/* Appends the entries of a text; stops the test program at a word that is none. */
void program_read(program *p, swp_phase phase, const char *words);

/* Machine, loop and phases. */
void program_print(FILE *out, const swp_schedule *schedule);

#endif
