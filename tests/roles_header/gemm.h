/* SPDX-License-Identifier: Apache-2.0 */
/* C = A B modulo 2^32: a producer copies tiles and consumers multiply them, each its own rows. */
#ifndef GEMM_H
#define GEMM_H

#include "cases.h"

/* What the macros of the header are. */
void load(int i, int slot, mbarrier *m, int bytes);
void multiply(int i, int slot);
void stage(int i, int slot);
void store(int i, int slot);
/* The same of the other half, through the same slot. */
void stage_other(int i, int slot);
void store_other(int i, int slot);

/* What a consumer does behind the loop. */
void look_at_sums(int n);

void clear_gemm(void);
bool are_stores_right(int teams, int n);
bool are_halves_right(int teams, int n);

#endif
