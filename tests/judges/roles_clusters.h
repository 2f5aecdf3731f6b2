/* SPDX-License-Identifier: Apache-2.0 */
/* Random schedules of clusters of two work groups for the judges, and those a few edits away. */
#ifndef TEST_JUDGES_ROLES_CLUSTERS_H
#define TEST_JUDGES_ROLES_CLUSTERS_H

#include "roles_generator.h"

/*
 * One of random_roles_safe() for two work groups: its copies are multicasts, its arrivals go to both, and the cluster
 * meets at the end; or some of that. Else a safe one of safe_roles.h.
 */
random_roles random_roles_cluster(test_random *random);

/* One with as many edits as the dice say, of one work group and of what reaches beyond it, that is legal. */
random_roles random_roles_cluster_new(test_random *random);

#endif
