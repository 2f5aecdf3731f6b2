/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attention forward, each thread of a consumer with a row of queries of its own: a producer copies keys and values, consumers have the
 * products and a running softmax.
 */
#ifndef ATTENTION_H
#define ATTENTION_H

#include "cases.h"

/* What the macros of the header are; slots as they name them. */
void load_keys(int i, int k, mbarrier *m, int bytes);
void load_values(int i, int v, mbarrier *m, int bytes);
void multiply_keys(int i, int s, int k);
void mask(int i, int s);
void mask_some(int i, int s); /* of the tiles that are asked for, or of the last one */
void find_maximum(int i, int scale, int top, int s);
void exponentiate(int i, int p, int s, int top);
void sum_up(int i, int sum, int p, int scale);
void rescale(int i, int out, int scale);
void multiply_values(int i, int out, int p, int v);

/* What a consumer does behind the loop. */
void look_at_rows(int n);
void look_at_masked_rows(int n);
void look_at_rows_with_thirds_masked(int n);
void look_at_rows_with_last_masked(int n);

/* A condition of the kernel's own. */
bool is_asked_for(int i);

void clear_attention(void);

#endif
