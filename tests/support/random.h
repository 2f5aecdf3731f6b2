/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers of property tests. SWP_SEED replays a run, SWP_CASES scales it, SWP_FULL makes it a campaign. */
#ifndef TEST_SUPPORT_RANDOM_H
#define TEST_SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

/* The seed of the run, printed: SWP_SEED, else `standard`. */
uint64_t random_seed(uint64_t standard);

/* The number of cases: SWP_CASES, else `standard`, and with SWP_FULL ten times that. */
size_t random_cases(size_t standard);

/*
 * The same for slow tests: a third of it, a debug build a twentieth, where sanitizers make everything several times as
 * slow. With SWP_FULL ten times the standard, a debug build the standard.
 */
size_t random_sample(size_t standard);

/* The generator of one case, so that a case can be replayed without those before it. */
test_random random_for_case(uint64_t seed, size_t index);

/* A number from `least` to `most`, both included. */
int random_int(test_random *random, int least, int most);

/* True in `percent` of a hundred cases. */
bool random_chance(test_random *random, int percent);

#endif
