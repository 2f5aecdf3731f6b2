/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the kernel for every number of tiles up to a dozen, and compares with three plain loops. */
#include "workgroup.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TILES = 12, MOST_WAVES = 64 };

static pthread_barrier_t meeting;

void barrier(void)
{
    (void)pthread_barrier_wait(&meeting);
}

void wait_vm(wave *w, int outstanding)
{
    int landed = 0;
    while (landed < w->queued && w->outstanding > outstanding) {
        the_kernel.land(w, &w->queue[landed]);
        w->outstanding -= w->queue[landed].accesses;
        landed++;
    }
    w->queued -= landed;
    memmove(w->queue, w->queue + landed, (size_t)w->queued * sizeof w->queue[0]);
}

void issue(wave *w, transfer t)
{
    wait_vm(w, COUNTER_MAX - t.accesses);
    w->queue[w->queued++] = t;
    w->outstanding += t.accesses;
}

/* A thread takes its wave, and N from the problem. */
static void *run_wave(void *argument)
{
    wave *w = argument;
    the_kernel.run(w, w->problem->k / the_kernel.block_k);
    return NULL;
}

static bool run_workgroup(const problem *p)
{
    static wave waves[MOST_WAVES];
    pthread_t threads[MOST_WAVES];
    if (pthread_barrier_init(&meeting, NULL, (unsigned)the_kernel.waves) != 0)
        return false;
    for (int i = 0; i < the_kernel.waves; i++) {
        waves[i] = (wave){.index = i, .group = i / the_kernel.waves_per_group, .problem = p};
        if (pthread_create(&threads[i], NULL, run_wave, &waves[i]) != 0)
            exit(2); /* the others wait for it for ever */
    }
    for (int i = 0; i < the_kernel.waves; i++)
        (void)pthread_join(threads[i], NULL);
    return pthread_barrier_destroy(&meeting) == 0;
}

/* Small numbers, the same ones in every run. */
static int32_t *random_matrix(int rows, int columns)
{
    static uint32_t state = 1;
    int32_t *matrix = malloc((size_t)rows * (size_t)columns * sizeof *matrix);
    for (int i = 0; matrix && i < rows * columns; i++) {
        state = state * 1664525u + 1013904223u;
        matrix[i] = (int32_t)(state >> 24) - 128;
    }
    return matrix;
}

static int wrong_elements(const problem *p)
{
    int wrong = 0;
    for (int row = 0; row < p->m; row++)
        for (int column = 0; column < p->n; column++) {
            int32_t sum = 0;
            for (int k = 0; k < p->k; k++)
                sum += p->a[row * p->k + k] * p->b[k * p->n + column];
            wrong += p->c[row * p->n + column] != sum;
        }
    return wrong;
}

static bool is_right(int n_tiles)
{
    problem p = {
        .m = the_kernel.block_m, .n = the_kernel.block_n, .k = n_tiles * the_kernel.block_k};
    int32_t *a = random_matrix(p.m, p.k);
    int32_t *b = random_matrix(p.k, p.n);
    int32_t *c = random_matrix(p.m, p.n);
    p.a = a;
    p.b = b;
    p.c = c;
    const bool ran = a && b && c && run_workgroup(&p);
    const int wrong = ran ? wrong_elements(&p) : p.m * p.n;
    if (wrong)
        printf("%s: %d of %d elements are wrong after %d tiles\n", the_kernel.name, wrong,
               p.m * p.n, n_tiles);
    free(a);
    free(b);
    free(c);
    return wrong == 0;
}

int main(void)
{
    int runs = 0;
    int right = 0;
    for (int n = the_kernel.min_tiles; n <= MOST_TILES; n += the_kernel.tile_multiple) {
        runs++;
        right += is_right(n);
    }
    printf("%s: %d waves, %dx%dx%d: %d of %d numbers of tiles are right\n", the_kernel.name,
           the_kernel.waves, the_kernel.block_m, the_kernel.block_n, the_kernel.block_k, right,
           runs);
    return runs > 0 && right == runs ? 0 : 1;
}
