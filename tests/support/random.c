/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t from_environment(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : standard;
}

uint64_t random_seed(uint64_t standard)
{
    const uint64_t seed = from_environment("SWP_SEED", standard);
    printf("SWP_SEED=%" PRIu64 "\n", seed);
    return seed;
}

size_t random_cases(size_t standard)
{
    return (size_t)from_environment("SWP_CASES", getenv("SWP_FULL") ? 10 * standard : standard);
}

size_t random_sample(size_t standard)
{
#ifdef NDEBUG
    enum { PART = 3, PART_OF_CAMPAIGN = 1 };
#else
    enum { PART = 20, PART_OF_CAMPAIGN = 10 };
#endif
    const size_t part = getenv("SWP_FULL") ? PART_OF_CAMPAIGN : PART;
    return random_cases(standard < part ? 1 : standard / part);
}

/* splitmix64 */
static uint64_t next(test_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

test_random random_for_case(uint64_t seed, size_t index)
{
    test_random random = {seed ^ ((uint64_t)index << 32)};
    random.state = next(&random);
    return random;
}

int random_int(test_random *random, int least, int most)
{
    const uint64_t range = (uint64_t)((int64_t)most - least + 1);
    return (int)(least + (int64_t)(next(random) % range));
}

bool random_chance(test_random *random, int percent)
{
    return random_int(random, 1, 100) <= percent;
}
