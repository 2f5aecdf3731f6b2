/* SPDX-License-Identifier: Apache-2.0 */
/* The ops of attention that are alike on all machines. */
#ifndef ATTENTION_H
#define ATTENTION_H

#include "attention_math.h"

SHARED_VALUE(K, key_tile);
SHARED_VALUE(V, key_tile);
REGISTERS(S, scores);
REGISTERS(P, scores);
REGISTERS(alpha, row_figures);
REGISTERS(m, row_figures);
REGISTERS(l, row_figures);
REGISTERS(O, outputs);

static const op ROW_MAX = {"ROW_MAX", .writes = {&alpha}, .updates = {&m}, .reads = {&S},
                           .work = row_max};
static const op EXP = {"EXP", .writes = {&P}, .reads = {&S, &m}, .work = exponentials};
static const op ROW_SUM = {"ROW_SUM", .updates = {&l}, .reads = {&P, &alpha}, .work = row_sum};
static const op RESCALE = {"RESCALE", .updates = {&O}, .reads = {&alpha}, .work = rescale};

#define LOOP_LOAD_K(ctx, i, ...) TELL(LOAD_K, i, __VA_ARGS__)
#define LOOP_LOAD_V(ctx, i, ...) TELL(LOAD_V, i, __VA_ARGS__)
#define LOOP_QK(ctx, i, ...) TELL(QK, i, __VA_ARGS__)
#define LOOP_ROW_MAX(ctx, i, ...) TELL(ROW_MAX, i, __VA_ARGS__)
#define LOOP_EXP(ctx, i, ...) TELL(EXP, i, __VA_ARGS__)
#define LOOP_ROW_SUM(ctx, i, ...) TELL(ROW_SUM, i, __VA_ARGS__)
#define LOOP_RESCALE(ctx, i, ...) TELL(RESCALE, i, __VA_ARGS__)
#define LOOP_PV(ctx, i, ...) TELL(PV, i, __VA_ARGS__)

static void start(int wave)
{
    row_figures *most = last_version(&m, wave, 0);
    memset(last_version(&l, wave, 0), 0, l.bytes);
    memset(last_version(&O, wave, 0), 0, O.bytes);
    for (int row = 0; row < ROWS; row++)
        (*most)[row] = -INFINITY;
}

static bool is_right(int n, int wave)
{
    const row_figures *most = last_version(&m, wave, n);
    const row_figures *sum = last_version(&l, wave, n);
    const outputs *o = last_version(&O, wave, n);
    bool right = true;
    for (int row = 0; row < ROWS; row++)
        right = right && is_attention_row(wave, row, (*most)[row], (*sum)[row], (*o)[row]);
    return right;
}

#endif
