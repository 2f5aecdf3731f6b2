/* SPDX-License-Identifier: Apache-2.0 */
/* The values of --n, --seeds, --timing and --waves: how `swp run` runs. */
#include "invocation.h"

#include "swp/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TILES = 4096, MOST_SEEDS = 1000000, MOST_WAVES = 64 };

#define DIGITS "0123456789"

/* A number from `least` to `most` that ends at `*end`; -1 if there is none. */
static int read_number(const char *text, int least, int most, const char **end)
{
    errno = 0;
    char *after = NULL;
    const unsigned long number = strtoul(text, &after, 10);
    *end = after;
    const bool is_number = strspn(text, DIGITS) > 0 && errno != ERANGE;
    return is_number && number >= (unsigned long)least && number <= (unsigned long)most
               ? (int)number
               : -1;
}

static int take_tiles(cli_invocation *invocation, const char *value)
{
    const char *end = NULL;
    swp_run_sweep *sweep = &invocation->sweep;
    sweep->least = sweep->most = read_number(value, 1, MOST_TILES, &end);
    if (sweep->least > 0 && !strncmp(end, "..", 2))
        sweep->most = read_number(end + 2, sweep->least, MOST_TILES, &end);
    if (sweep->least < 0 || sweep->most < 0 || *end)
        return option_reject(invocation, OPTION_N, value,
                             "give a number of K tiles such as 4, or several such as 2..12");
    return EXIT_DONE;
}

static int take_number(cli_invocation *invocation, cli_option option, const char *value, int most,
                       const char *hint, int *out)
{
    const char *end = NULL;
    *out = read_number(value, 1, most, &end);
    return *out < 0 || *end ? option_reject(invocation, option, value, hint) : EXIT_DONE;
}

static int take_timing(cli_invocation *invocation, const char *value)
{
    if (swp_timing_from_name(value, &invocation->sweep.timing))
        return EXIT_DONE;
    swp_suggestion near = swp_suggest_start(value);
    for (int timing = 0; timing < SWP_TIMING_COUNT; timing++)
        swp_suggest_offer(&near, swp_timing_name((swp_timing)timing));
    char hint[SWP_HINT_SIZE];
    return option_reject(invocation, OPTION_TIMING, value,
                         swp_suggest_hint(&near, "choose adversarial or random", hint));
}

int option_take_run(cli_invocation *invocation, cli_option option, const char *value)
{
    swp_run_sweep *sweep = &invocation->sweep;
    if (option == OPTION_N)
        return take_tiles(invocation, value);
    if (option == OPTION_TIMING)
        return take_timing(invocation, value);
    if (option == OPTION_WAVES)
        return take_number(invocation, option, value, MOST_WAVES,
                           "give waves of a warp group, from 1 to 64", &sweep->waves_per_group);
    return take_number(invocation, option, value, MOST_SEEDS,
                       "give a number of runs above 0, such as 64", &sweep->seeds);
}
