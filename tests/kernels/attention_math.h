/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ops of attention forward do with one tile of keys, by an online softmax; and the plain softmax that it is compared
 * with. Every wave has two rows of queries; a tile has two keys for each wave. The kernel says whether it is CAUSAL.
 */
#ifndef ATTENTION_MATH_H
#define ATTENTION_MATH_H

#include "kernel.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { ROWS = 2, KEYS = 2 * LOOP_WAVES, DIM = 3 };

typedef double key_tile[KEYS][DIM];
typedef double scores[ROWS][KEYS];
typedef double row_figures[ROWS];
typedef double outputs[ROWS][DIM];

/* How many there are: N. */
static int tiles;

/* An element of the queries, keys or values; the same in every run. */
static double input(int which, int number, int d)
{
    uint32_t x = (uint32_t)(which * 7919 + number * 31 + d + 1) * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return (double)(x >> 16) / 16384 - 2;
}

static double query(int wave, int row, int d)
{
    return input(0, wave * ROWS + row, d);
}

static double key(int number, int d)
{
    return input(1, number, d);
}

static double content(int number, int d)
{
    return input(2, number, d);
}

/* The rows of a causal kernel are the last ones of its sequence. */
static bool is_seen(int wave, int row, int number)
{
    return !CAUSAL || number <= (tiles - 1) * KEYS + wave * ROWS + row;
}

static void load(const task *t, int number, double (*element)(int number, int d))
{
    key_tile *tile = t->made[0];
    for (int k = 0; k < KEYS; k++)
        for (int d = 0; d < DIM; d++)
            (*tile)[k][d] = element(number * KEYS + k, d);
}

static void qk(const task *t)
{
    scores *s = t->made[0];
    const key_tile *k = t->read[0];
    for (int row = 0; row < ROWS; row++)
        for (int j = 0; j < KEYS; j++) {
            (*s)[row][j] = 0;
            for (int d = 0; d < DIM; d++)
                (*s)[row][j] += query(t->wave, row, d) * (*k)[j][d];
        }
}

/* Writes the factor for what was summed up before, and updates the maximum. */
static void row_max(const task *t)
{
    row_figures *factor = t->made[0];
    row_figures *most = t->made[1];
    const scores *s = t->read[0];
    for (int row = 0; row < ROWS; row++) {
        const double before = (*most)[row];
        for (int j = 0; j < KEYS; j++)
            (*most)[row] = fmax((*most)[row], (*s)[row][j]);
        (*factor)[row] = exp(before - (*most)[row]);
    }
}

static void exponentials(const task *t)
{
    scores *p = t->made[0];
    const scores *s = t->read[0];
    const row_figures *most = t->read[1];
    for (int row = 0; row < ROWS; row++)
        for (int j = 0; j < KEYS; j++)
            (*p)[row][j] = exp((*s)[row][j] - (*most)[row]);
}

static void row_sum(const task *t)
{
    row_figures *sum = t->made[0];
    const scores *p = t->read[0];
    const row_figures *factor = t->read[1];
    for (int row = 0; row < ROWS; row++) {
        (*sum)[row] *= (*factor)[row];
        for (int j = 0; j < KEYS; j++)
            (*sum)[row] += (*p)[row][j];
    }
}

static void rescale(const task *t)
{
    outputs *o = t->made[0];
    const row_figures *factor = t->read[0];
    for (int row = 0; row < ROWS; row++)
        for (int d = 0; d < DIM; d++)
            (*o)[row][d] *= (*factor)[row];
}

static void pv(const task *t)
{
    outputs *o = t->made[0];
    const scores *p = t->read[0];
    const key_tile *v = t->read[1];
    for (int row = 0; row < ROWS; row++)
        for (int d = 0; d < DIM; d++)
            for (int j = 0; j < KEYS; j++)
                (*o)[row][d] += (*p)[row][j] * (*v)[j][d];
}

static double score(int wave, int row, int number)
{
    double sum = 0;
    for (int d = 0; d < DIM; d++)
        sum += query(wave, row, d) * key(number, d);
    return sum;
}

/* One row of softmax(Q K^T) V, in two passes over all keys; returns its largest score. */
static double plain_row(int wave, int row, double *o)
{
    double most = -INFINITY;
    double sum = 0;
    for (int j = 0; j < tiles * KEYS; j++)
        if (is_seen(wave, row, j))
            most = fmax(most, score(wave, row, j));
    memset(o, 0, DIM * sizeof *o);
    for (int j = 0; j < tiles * KEYS; j++) {
        const double p = is_seen(wave, row, j) ? exp(score(wave, row, j) - most) : 0;
        sum += p;
        for (int d = 0; d < DIM; d++)
            o[d] += p * content(j, d);
    }
    for (int d = 0; d < DIM && tiles > 0; d++)
        o[d] /= sum;
    return most;
}

static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12;
}

/* The maximum is compared too, on which no output depends. */
static bool is_attention_row(int wave, int row, double most, double sum, const double *o)
{
    double plain[DIM];
    bool right = is_near(most, plain_row(wave, row, plain));
    for (int d = 0; d < DIM; d++)
        right = right && is_near(tiles == 0 ? o[d] : o[d] / sum, plain[d]);
    return right;
}

#endif
