/* SPDX-License-Identifier: Apache-2.0 */
/* The values of --n, --seeds, --timing and --waves: how `swp run` runs. */
#include "invocation.h"
#include "number.h"

#include "swp/suggest.h"

#include <string.h>

enum { MOST_TILES = 4096, MOST_SEEDS = 1000000, MOST_WAVES = 64 };

static int take_tiles(cli_invocation *invocation, const char *value)
{
    const char *end = NULL;
    uint64_t least = 0;
    uint64_t most = 0;
    bool good = number_read(value, 0, MOST_TILES, &end, &least);
    if (good && !strncmp(end, "..", 2))
        good = number_read(end + 2, least, MOST_TILES, NULL, &most);
    else
        good = good && !*end;
    if (!good)
        return option_reject(invocation, OPTION_N, value,
                             "give a number of K tiles such as 4, or several such as 2..12");
    invocation->sweep.exact = true;
    invocation->sweep.least = (int)least;
    invocation->sweep.most = (int)(most ? most : least);
    return EXIT_DONE;
}

static int take_number(cli_invocation *invocation, cli_option option, const char *value, int most,
                       const char *hint, int *out)
{
    uint64_t number = 0;
    if (!number_read(value, 1, (uint64_t)most, NULL, &number))
        return option_reject(invocation, option, value, hint);
    *out = (int)number;
    return EXIT_DONE;
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
