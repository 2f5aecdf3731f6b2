/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of clusters: who is told, in which scope, and how the work groups begin (docs/c-header.md, "Clusters"). */
#include "fixture.h"
#include "safe_roles.h"

#include "emit/c/roles.h"
#include "swp/emit.h"

#include <string.h>

static const char *header_of(roles_program *p)
{
    const swp_c_header_options options = {.prefix = "X"};
    char *text = NULL;
    assert_ok(p->ctx, swp_emit_c_header(p->ctx, &p->schedule, &options, &text, NULL));
    return text;
}

static void assert_has(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("no `%s`", words);
}

static void assert_has_not(const char *text, const char *words)
{
    if (strstr(text, words))
        fail_msg("`%s`", words);
}

/* Who handed a slot back has retired its reads: nothing of them is to be released. */
static void asynchronous_reads_are_not_released_to_the_cluster(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    const char *text = header_of(&p);
    assert_has(text, "SWP_MBARRIER_ARRIVE_RANK(X_MBARRIER_EMPTY(ctx, SWP_SLOT((kb) + 0, 2)), 1);");
    assert_has(text, "mbarrier.arrive.release.cta.shared::cluster.b64");
    assert_has(text, "SWP_MBARRIER_WAIT(X_MBARRIER_EMPTY(");
    assert_has_not(text, "RELEASE_RANK");
    assert_has_not(text, "acquire.cluster");
    assert_has_not(text, "SWP_MBARRIER_ARRIVE(");
}

static void ordinary_reads_are_released_to_the_cluster(void **state)
{
    roles_program p;
    safe_cluster_readers(&p, *state);
    const char *text = header_of(&p);
    assert_has(text, "SWP_MBARRIER_RELEASE_RANK(X_MBARRIER_EMPTY(ctx, SWP_SLOT((kb) + 0, 2)), 1);");
    assert_has(text, "mbarrier.arrive.release.cluster.shared::cluster.b64");
    assert_has(text, "SWP_MBARRIER_WAIT_CLUSTER(X_MBARRIER_EMPTY(");
    assert_has(text, "mbarrier.try_wait.parity.acquire.cluster");
    assert_has(text, "SWP_MBARRIER_WAIT(X_MBARRIER_FULL(");
    assert_has_not(text, "ARRIVE_RANK");
}

static void a_multicast_has_a_mask(void **state)
{
    roles_program p;
    safe_cluster_readers(&p, *state);
    const char *text = header_of(&p);
    assert_has(text, "#define SWP_CLUSTER_RANK() ");
    assert_has(text, "#define X_CLUSTER 2\n#define X_CLUSTER_MASK 3\n");
    assert_has(text, "X_LOAD(ctx, SWP_TILE(kb, 0), SWP_SLOT((kb) + 0, 2), X_MBARRIER_FULL(ctx, "
                     "SWP_SLOT((kb) + 0, 2)), 32, X_CLUSTER_MASK);");
    assert_has(text, "X_LOAD_A(ctx, SWP_TILE(kb, 0), SWP_SLOT((kb) + 0, 2), X_MBARRIER_FULL(ctx, "
                     "SWP_SLOT((kb) + 0, 2)), 64);");
    assert_has(text, "X_LOAD(ctx, i, T, mbarrier, bytes, mask)\n");
}

/* All threads of all work groups, those beside the instances, too. */
static void work_groups_meet_when_their_mbarriers_are_there(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    const char *init = strstr(header_of(&p), "#define X_INIT(ctx)");
    assert_non_null(init);
    assert_has(init, "        } \\\n        SWP_CLUSTER_ARRIVE(); \\\n        SWP_CLUSTER_WAIT(); "
                     "\\\n    } while (0)\n");
    safe_ring(&p, *state);
    assert_has_not(header_of(&p), "CLUSTER");
}

static void output_tiles_have_their_clusters_too(void **state)
{
    roles_program p;
    safe_cluster_tiles(&p, *state);
    const char *drain = strstr(header_of(&p), "#define X_LAST_CONSUMER(");
    assert_non_null(drain);
    assert_has(drain, "        SWP_CLUSTER_ARRIVE(); \\\n        SWP_CLUSTER_WAIT(); \\\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(asynchronous_reads_are_not_released_to_the_cluster),
        CONTEXT_TEST(ordinary_reads_are_released_to_the_cluster),
        CONTEXT_TEST(a_multicast_has_a_mask),
        CONTEXT_TEST(work_groups_meet_when_their_mbarriers_are_there),
        CONTEXT_TEST(output_tiles_have_their_clusters_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
