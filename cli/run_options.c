/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the values of --n, --tiles, --seeds, --timing and --waves, which say how `swp run` runs. */
#include "invocation.h"
#include "number.h"

#include "swp/suggest.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TILES = 4096, MOST_SEEDS = 1000000, MOST_WAVES = 64 };

int option_set_tiles(cli_invocation *invocation, cli_option option, const char *value)
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
        return option_reject(invocation, option, value,
                             "give a number of K tiles such as 4, or several such as 2..12");
    invocation->sweep.exact = true;
    invocation->sweep.least = (int)least;
    invocation->sweep.most = (int)(most ? most : least);
    return EXIT_DONE;
}

/* Counts the numbers of a list. */
static size_t numbers_in(const char *list)
{
    size_t count = 1;
    if (!strcmp(list, "none"))
        return 0;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

static bool read_tile_list(const char *value, int *tiles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t number = 0;
        if (!number_read(value, 0, MOST_TILES, &value, &number) ||
            *value != (i + 1 < count ? ',' : '\0'))
            return false;
        tiles[i] = (int)number;
        value++;
    }
    return true;
}

int option_set_tile_list(cli_invocation *invocation, cli_option option, const char *value)
{
    const size_t count = numbers_in(value);
    int *tiles = calloc(count + 1, sizeof *tiles);
    if (!tiles)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    free((int *)invocation->sweep.tiles);
    invocation->sweep.tiles = tiles;
    invocation->sweep.tile_count = (int)count;
    if (count == 0 || (count <= MOST_TILES && read_tile_list(value, tiles, count)))
        return EXIT_DONE;
    return option_reject(invocation, option, value,
                         "give the iterations of each output tile, such as 3,0,4, or none");
}

int option_set_timing(cli_invocation *invocation, cli_option option, const char *value)
{
    if (swp_timing_from_name(value, &invocation->sweep.timing))
        return EXIT_DONE;
    swp_suggestion near = swp_suggest_start(value);
    for (int timing = 0; timing < SWP_TIMING_COUNT; timing++)
        swp_suggest_offer(&near, swp_timing_name((swp_timing)timing));
    char hint[SWP_HINT_SIZE];
    return option_reject(invocation, option, value,
                         swp_suggest_hint(&near, "choose adversarial or random", hint));
}

int option_set_waves(cli_invocation *invocation, cli_option option, const char *value)
{
    return option_set_number(invocation, option, value, 1, MOST_WAVES,
                             "give waves of a warp group, from 1 to 64");
}

int option_set_seeds(cli_invocation *invocation, cli_option option, const char *value)
{
    return option_set_number(invocation, option, value, 1, MOST_SEEDS,
                             "give a number of runs above 0, such as 64");
}
