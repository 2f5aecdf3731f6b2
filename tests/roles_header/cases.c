/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: CASES WAYS SEED: runs each case, for each number of tiles and in so many ways, and says for each which is the first that goes
 * wrong, and how.
 */
#include "cases.h"

#include <stdio.h>
#include <stdlib.h>

static void add_threads(program *p, thread t)
{
    if (t.weight > 0)
        p->threads[p->thread_count++] = t;
}

/* The elected one, one more of its warp, and one of the others. */
static void add_instance(program *p, int warp, int warps, int team)
{
    add_threads(p, (thread){warp, 1, true, team, 0});
    add_threads(p, (thread){warp, 31, false, team, 1});
    add_threads(p, (thread){warp + warps - 1, 32 * (warps - 1), true, team, 2});
}

static program program_of(const test_case *t)
{
    program p = {.run = t->run};
    const int producer = t->consumers;
    if (t->producer_warps > 0)
        add_instance(&p, t->producer_warp, t->producer_warps, producer);
    add_threads(&p, (thread){t->producer_warp + t->producer_warps, 32 * t->idle_warps, true,
                             producer + 1, 0});
    for (int i = 0; i < t->consumers; i++)
        add_instance(&p, t->consumer_warp + i * t->consumer_warps, t->consumer_warps, i);
    return p;
}

static void judge(const test_case *t, int ways, uint64_t seed)
{
    const program p = program_of(t);
    for (int n = 0; n <= MOST_TILES; n++)
        for (int way = 0; way < ways; way++) {
            t->clear();
            const char *wrong = carry_out(&p, n, seed + (uint64_t)way);
            if (!wrong && t->is_right && !t->is_right(t->consumers, n))
                wrong = "wrong numbers";
            if (wrong) {
                printf("%s\t%d\t%d\t%s\n", t->name, n, way, wrong);
                return;
            }
        }
    printf("%s\t-1\t-1\tright\n", t->name);
}

int main(int argc, char **argv)
{
    const int ways = argc > 1 ? atoi(argv[1]) : 40;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (int i = 0; i < case_count; i++) {
        judge(&cases[i], ways, seed);
        fflush(stdout);
    }
    return 0;
}
