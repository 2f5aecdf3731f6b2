/* SPDX-License-Identifier: Apache-2.0 */
/* Timing for the benchmarks: medians, and memory counted by an allocator. */
#ifndef SWP_BENCH_MEASURE_H
#define SWP_BENCH_MEASURE_H

#include "swp/swp.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double seconds_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Of this process on a processor, whatever else runs. */
static inline double processor_seconds_now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

/* Bytes asked for through counting_allocator(). */
static inline void *counted_allocate(void *user, size_t bytes)
{
    *(size_t *)user += bytes;
    return malloc(bytes);
}

static inline void counted_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static inline swp_allocator counting_allocator(size_t *bytes)
{
    return (swp_allocator){counted_allocate, counted_release, bytes};
}

static inline void stop_on(const char *what, swp_status status)
{
    if (status == SWP_OK)
        return;
    (void)fprintf(stderr, "%s: status %d\n", what, (int)status);
    exit(EXIT_FAILURE);
}

#endif
