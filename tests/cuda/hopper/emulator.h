/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TEST_CUDA_HOPPER_EMULATOR_H
#define TEST_CUDA_HOPPER_EMULATOR_H

/* When copies and wgmmas take effect: as they are issued, not before a wait needs them, or either. */
enum class timing { early, late, random };

/* What the kernels are run without, to see whether that is noticed. */
enum class omission {
    none,
    remote_release,           /* arrivals at other work groups */
    remote_release_and_count, /* these, and mbarriers count on those of their own work group */
    multicast,                /* copies come to their own work group alone */
    last_cluster_barrier,     /* work groups end when they are done */
    first_cluster_barrier,    /* mbarriers are initialised for the own work group alone */
    init_fence,
    release,     /* arrivals at mbarriers of the own work group that bring no copies */
    phase_wait,  /* waits for phases */
    matrix_wait, /* waits for wgmmas */
    store_wait   /* waits for what stores read */
};

void emulator_omit(omission what);
void emulator_set(timing when, unsigned seed, int multiprocessors);

#endif
