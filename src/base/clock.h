/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks for limits: the time that passes, and what a thread has run. */
#ifndef SWP_BASE_CLOCK_H
#define SWP_BASE_CLOCK_H

/* Seconds since some moment, never 0; steady where the system has such a clock. */
double swp_clock(void);

/* Seconds that this thread has run, and 1: on a busy machine they pass more slowly. swp_clock() where there is no such clock. */
double swp_processor_clock(void);

#endif
