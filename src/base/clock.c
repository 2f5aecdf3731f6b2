/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the monotonic clock of the system, or the time of day where there is none. */
#include "base/clock.h"

#include <time.h>

double swp_processor_clock(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
    struct timespec time = {0};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
        return 1.0 + (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
#endif
    return swp_clock();
}

double swp_clock(void)
{
    struct timespec time = {0};
#ifdef CLOCK_MONOTONIC
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
#else
    (void)timespec_get(&time, TIME_UTC);
#endif
    return 1.0 + (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
