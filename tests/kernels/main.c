/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: KERNEL WAYS SEED: runs the kernel, and what is left of it without a site or with another slot.
 *
 * First it tells the sites of the header in their order, then of each edit in its input, `SITE OPERAND` as in program.h, the least N
 * that goes wrong in one of the ways and which one that is, or `right`.
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_SITES = 4096 };

static void tell_step(const step *s)
{
    static const char *const kinds[] = {"", "wait_vm", "wait_lgkm", "barrier"};
    printf("site %d %s %d", s->site, s->op ? s->op->name : kinds[s->kind], s->number);
    for (int i = 0; s->op && i < MOST_OPERANDS && operand_value(s->op, i); i++)
        printf(" %d", operand_value(s->op, i)->slots);
    puts("");
}

/* With how many slots each operand's value has. */
static void tell_sites(void)
{
    static step sites[MOST_SITES];
    static bool is_there[MOST_SITES];
    for (int n = 0; n <= MOST_TILES; n++) {
        const program *p = program_of(n, (edit){-1, LEFT_OUT});
        for (int i = 0; i < p->length; i++) {
            const int site = p->steps[i].site;
            if (site < MOST_SITES && !is_there[site])
                sites[site] = p->steps[i];
            is_there[site % MOST_SITES] = true;
        }
    }
    for (int i = 0; i < MOST_SITES; i++)
        if (is_there[i])
            tell_step(&sites[i]);
}

/* Each moment in each order that is not random; after that chance takes part. */
static way way_number(int number, uint64_t seed)
{
    if (number < AT_ANY_TIME * AT_RANDOM)
        return (way){ONE_MOMENT, (moment)(number / AT_RANDOM), (turns)(number % AT_RANDOM), seed};
    static const drawn draws[] = {ONE_MOMENT, FOR_EACH_ACCESS, FOR_EACH_OP};
    return (way){draws[number % 3], AT_ANY_TIME, (turns)(number / 3 % ORDERS),
                 seed + (uint64_t)number};
}

static bool goes_right(const program *p, int n, way w)
{
    bool right = carry_out(p, w);
    for (int i = 0; right && i < the_kernel.waves; i++)
        right = the_kernel.is_right(n, i);
    return right;
}

static void judge(edit e, int ways, uint64_t seed)
{
    for (int n = 0; n <= MOST_TILES; n++) {
        const program *p = program_of(n, e);
        for (int i = 0; i < ways; i++)
            if (!goes_right(p, n, way_number(i, seed + (uint64_t)n * 1000003u))) {
                printf("%d in way %d\n", n, i);
                return;
            }
    }
    puts("right");
}

int main(int argc, char **argv)
{
    const int ways = argc > 1 ? atoi(argv[1]) : 40;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    tell_sites();
    puts("end");
    edit e;
    while (scanf("%d %d", &e.site, &e.operand) == 2) {
        judge(e, ways, seed);
        fflush(stdout);
    }
    return 0;
}
