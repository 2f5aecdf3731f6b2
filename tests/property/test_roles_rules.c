/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each rule of the proof of warp roles is needed: taken away, the proof says something else of some program than the
 * unrolled judge. The programs are random ones, until all rules are shown. SWP_SEED replays a run. That a phase is
 * complete before the slot's next one, and unobserved_phase, follow from the rule about arrivals (docs/roles-reference.md).
 */
#include "fixture.h"

#include "agree.h"
#include "roles_clusters.h"
#include "roles_generator.h"
#include "roles_unrolled.h"

#include "verify/roles_prove.h"

enum { MOST_PROGRAMS = 10000 };

/* Rules, in a row, and the programs that show them. */
typedef struct rule_range {
    swp_happens_rule before; /* the one before the first */
    swp_happens_rule behind;
    random_roles (*program)(test_random *random);
    const size_t *known; /* programs of the standard seed that are tried first */
    size_t known_count;
} rule_range;

/* Programs of the standard seed that show a rule which none before them does. */
static const size_t known[] = {0,  1,  2,  3,  4,  6,  7,   8,   10,  11,  13,  15,  17,   19,  20,
                               21, 25, 40, 52, 67, 96, 112, 136, 171, 187, 216, 251, 1185, 1441};

static const size_t known_clusters[] = {0, 6, 31, 530};

/* With a wrong rule the proof may not come to an end either. */
static bool differs(const random_roles *p, const judgement *judged, swp_happens_rule rule)
{
    swp_verdict verdict = {0};
    if (swp_verify_roles_without(p->ctx, &p->schedule, -1, rule, &verdict) != SWP_OK)
        return true;
    return roles_differences(&verdict, judged, roles_most_n(&p->schedule), NULL) > 0;
}

/* @return how many rules it shows for the first time */
static int try_program(const random_roles *p, size_t number, const rule_range *range,
                       bool shown[SWP_HAPPENS_ALL_RULES])
{
    int count = 0;
    judgement judged;
    roles_unrolled_judge(&p->schedule, roles_most_n(&p->schedule), &judged);
    assert_false(differs(p, &judged, SWP_HAPPENS_NO_RULE));
    for (int rule = (int)range->before + 1; rule < (int)range->behind; rule++) {
        if (shown[rule] || !differs(p, &judged, (swp_happens_rule)rule))
            continue;
        shown[rule] = true;
        count++;
        print_message("  program %4zu, without \"%s\"\n", number,
                      swp_happens_rule_meaning((swp_happens_rule)rule));
    }
    judgement_free(&judged);
    return count;
}

static void show_rules(const rule_range *range, uint64_t standard_seed)
{
    bool shown[SWP_HAPPENS_ALL_RULES] = {false};
    const uint64_t seed = random_seed(standard_seed);
    int missing = (int)range->behind - (int)range->before - 1;
    for (size_t i = 0; i < range->known_count + MOST_PROGRAMS && missing > 0; i++) {
        const size_t number = i < range->known_count ? range->known[i] : i - range->known_count;
        test_random random = random_for_case(seed, number);
        random_roles p = range->program(&random);
        missing -= try_program(&p, number, range, shown);
        random_roles_free(&p);
    }
    for (int rule = (int)range->before + 1; rule < (int)range->behind; rule++)
        if (!shown[rule])
            print_message("  NO PROGRAM needs \"%s\"\n",
                          swp_happens_rule_meaning((swp_happens_rule)rule));
    assert_int_equal(missing, 0);
}

static void every_rule_is_needed(void **state)
{
    (void)state;
    show_rules(&(rule_range){SWP_HAPPENS_NO_RULE, SWP_HAPPENS_RULE_COUNT, random_roles_new, known,
                             COUNT_OF(known)},
               41);
}

static void every_rule_of_clusters_is_needed(void **state)
{
    (void)state;
    show_rules(&(rule_range){SWP_HAPPENS_BEFORE_CLUSTERS, SWP_HAPPENS_BEHIND_CLUSTERS,
                             random_roles_cluster_new, known_clusters, COUNT_OF(known_clusters)},
               44);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_is_needed),
        cmocka_unit_test(every_rule_of_clusters_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
