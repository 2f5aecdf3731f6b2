/* SPDX-License-Identifier: Apache-2.0 */
/* Provides clocks for limits: the time that passes, and the time that a thread has run. */
#ifndef SWP_BASE_CLOCK_H
#define SWP_BASE_CLOCK_H

/* Returns seconds since some moment, never 0. They are steady if the system has such a clock. */
double swp_clock(void);

/*
 * Returns 1 plus the seconds that this thread has run, which pass more slowly on a busy machine. It
 * is swp_clock() on systems without such a clock.
 */
double swp_processor_clock(void);

#endif
