/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles of keys and values, and the registers of the rows. */
#include "attention.h"

#include <math.h>
#include <string.h>

enum { KEYS = 4, HEAD = 4, ROWS = 3, MOST_SLOTS = 16 };

/* Which ordinary instruction touched a wgmma's register last: how many fences stand before it; -1: none. */
typedef struct touches {
    int s[MOST_SLOTS], p[MOST_SLOTS], out[MOST_SLOTS];
} touches;

typedef enum softmax_op { MASK, MAXIMUM, EXPONENTIALS, SUM, RESCALE, SOFTMAX_OPS } softmax_op;

/* Of a thread, by slots. */
typedef struct row {
    double s[MOST_SLOTS][KEYS];
    double p[MOST_SLOTS][KEYS];
    double scale[MOST_SLOTS], top[MOST_SLOTS], sum[MOST_SLOTS];
    double out[MOST_SLOTS][HEAD];
    touches touched;
    int done[SOFTMAX_OPS]; /* iterations */
    double maxima; /* those of the tiles, added up: the softmax comes to the same with others */
} row;

static double keys[MOST_SLOTS][KEYS][HEAD], values[MOST_SLOTS][KEYS][HEAD];
static row rows[MOST_TEAMS][ROWS];

static double element(int number, int k, int of)
{
    return sin(0.7 * number + 1.3 * k + of);
}

static double query(int team, int part, int k)
{
    return 2 * element(team * ROWS + part, k, 0);
}

static row *own(void)
{
    return &rows[this_thread()->team][this_thread()->part];
}

static void touch(int *register_touched)
{
    *register_touched = fences_of_registers();
}

/* By a wgmma, before which a fence has to stand. */
static void take(int *register_touched)
{
    if (*register_touched == fences_of_registers())
        is_wrong("a wgmma without a fence");
    *register_touched = -1;
}

/* ---- Copies: the first keys of a tile, then the others ---- */

/* The keys of a part of a tile. */
static int first_key(int part)
{
    return part * KEYS / 2;
}

static void copy_keys(const work *w, int part)
{
    for (int key = first_key(part); key < first_key(part + 1); key++)
        for (int k = 0; k < HEAD; k++)
            keys[w->slot][key][k] = element(w->iteration * KEYS + key, k, 1);
}

static void copy_values(const work *w, int part)
{
    for (int key = first_key(part); key < first_key(part + 1); key++)
        for (int k = 0; k < HEAD; k++)
            values[w->slot][key][k] = element(w->iteration * KEYS + key, k, 2);
}

void load_keys(int i, int k, mbarrier *m, int bytes)
{
    start_copy((work){.part = copy_keys, .parts = 2, .iteration = i, .slot = k}, m, bytes);
}

void load_values(int i, int v, mbarrier *m, int bytes)
{
    start_copy((work){.part = copy_values, .parts = 2, .iteration = i, .slot = v}, m, bytes);
}

/* ---- Products: of each row the first half, then the second ---- */

static void multiply_row_by_keys(const work *w, int part)
{
    const int half = part % 2;
    double *s = rows[w->team][w->owner].s[w->made];
    for (int key = 0; key < KEYS; key++) {
        s[key] = half ? s[key] : 0;
        for (int k = half * HEAD / 2; k < (half + 1) * HEAD / 2; k++)
            s[key] += query(w->team, w->owner, k) * keys[w->slot][key][k];
    }
}

static void multiply_row_by_values(const work *w, int part)
{
    const int half = part % 2;
    row *r = &rows[w->team][w->owner];
    for (int key = first_key(half); key < first_key(half + 1); key++)
        for (int k = 0; k < HEAD; k++)
            r->out[w->made][k] += r->p[w->read][key] * values[w->slot][key][k];
}

static void start_product(work w)
{
    w.team = this_thread()->team;
    w.shares = 2;
    w.parts = ROWS * w.shares;
    start_matrix(w);
}

void multiply_keys(int i, int s, int k)
{
    take(&own()->touched.s[s]);
    start_product((work){.part = multiply_row_by_keys, .iteration = i, .slot = k, .made = s});
}

void multiply_values(int i, int out, int p, int v)
{
    take(&own()->touched.out[out]);
    take(&own()->touched.p[p]);
    start_product(
        (work){.part = multiply_row_by_values, .iteration = i, .slot = v, .made = out, .read = p});
}

/* ---- The softmax of a thread's row ---- */

/* Each op of it is for each iteration, one after the other. */
static row *begin(softmax_op op, int i)
{
    row *r = own();
    if (r->done[op]++ != i)
        is_wrong("an op for another iteration");
    return r;
}

/* Of each tile some keys. */
static bool is_masked(int number, int part)
{
    return (number + part) % 3 == 0;
}

static void mask_keys(row *r, int i, int s)
{
    touch(&r->touched.s[s]);
    for (int key = 0; key < KEYS; key++)
        if (is_masked(i * KEYS + key, this_thread()->part))
            r->s[s][key] = -INFINITY;
}

void mask(int i, int s)
{
    mask_keys(begin(MASK, i), i, s);
}

bool is_asked_for(int i)
{
    return i % 3 == 1;
}

void mask_some(int i, int s)
{
    mask_keys(own(), i, s);
}

void find_maximum(int i, int scale, int top, int s)
{
    row *r = begin(MAXIMUM, i);
    double most = -INFINITY;
    touch(&r->touched.s[s]);
    for (int key = 0; key < KEYS; key++)
        most = fmax(most, r->s[s][key]);
    r->maxima += most;
    most = fmax(most, r->top[top]);
    r->scale[scale] = exp(r->top[top] - most);
    r->top[top] = most;
}

void exponentiate(int i, int p, int s, int top)
{
    row *r = begin(EXPONENTIALS, i);
    touch(&r->touched.s[s]);
    touch(&r->touched.p[p]);
    for (int key = 0; key < KEYS; key++)
        r->p[p][key] = exp(r->s[s][key] - r->top[top]);
}

void sum_up(int i, int sum, int p, int scale)
{
    row *r = begin(SUM, i);
    touch(&r->touched.p[p]);
    r->sum[sum] *= r->scale[scale];
    for (int key = 0; key < KEYS; key++)
        r->sum[sum] += r->p[p][key];
}

void rescale(int i, int out, int scale)
{
    row *r = begin(RESCALE, i);
    touch(&r->touched.out[out]);
    for (int k = 0; k < HEAD; k++)
        r->out[out][k] *= r->scale[scale];
}

/* ---- What it comes to ---- */

static double score_of(const thread *t, int key)
{
    double score = 0;
    for (int k = 0; k < HEAD; k++)
        score += query(t->team, t->part, k) * element(key, k, 1);
    return score;
}

/* Which of n tiles are masked. */
typedef bool masked_tile(int i, int n);

static void look_at_row(const row *r, int n, masked_tile *masked)
{
    const thread *t = this_thread();
    double weights = 0, maxima = 0, sums[HEAD] = {0};
    for (int i = 0; i < n; i++) {
        double most = -INFINITY;
        for (int key = i * KEYS; key < (i + 1) * KEYS; key++) {
            if (masked(i, n) && is_masked(key, t->part))
                continue;
            most = fmax(most, score_of(t, key));
            weights += exp(score_of(t, key));
            for (int k = 0; k < HEAD; k++)
                sums[k] += exp(score_of(t, key)) * element(key, k, 2);
        }
        maxima += most;
    }
    if (!(fabs(r->maxima - maxima) < 1e-9))
        is_wrong("wrong numbers");
    for (int k = 0; k < HEAD && n > 0; k++)
        if (!(fabs(r->out[0][k] / r->sum[0] - sums[k] / weights) < 1e-9))
            is_wrong("wrong numbers");
}

static bool is_none(int i, int n)
{
    (void)i;
    return n < 0;
}

static bool is_any(int i, int n)
{
    return i < n;
}

static bool is_third(int i, int n)
{
    (void)n;
    return is_asked_for(i);
}

static bool is_last(int i, int n)
{
    return i == n - 1;
}

void look_at_rows(int n)
{
    look_at_row(own(), n, is_none);
}

void look_at_masked_rows(int n)
{
    look_at_row(own(), n, is_any);
}

void look_at_rows_with_thirds_masked(int n)
{
    look_at_row(own(), n, is_third);
}

void look_at_rows_with_last_masked(int n)
{
    look_at_row(own(), n, is_last);
}

/* What is there before the first iteration comes to nothing by its scale. */
static void clear_row(row *r, int slot)
{
    r->top[slot] = -INFINITY;
    r->sum[slot] = 1;
    for (int k = 0; k < HEAD; k++)
        r->out[slot][k] = 1;
}

void clear_attention(void)
{
    memset(keys, 0x5a, sizeof keys);
    memset(values, 0x5a, sizeof values);
    memset(rows, 0, sizeof rows);
    for (int team = 0; team < MOST_TEAMS; team++)
        for (int part = 0; part < ROWS; part++)
            for (int slot = 0; slot < MOST_SLOTS; slot++)
                clear_row(&rows[team][part], slot);
}
