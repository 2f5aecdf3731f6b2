/* SPDX-License-Identifier: Apache-2.0 */
/* Random schedules of clusters of two work groups for the judges, and those a few edits away. */
#ifndef TEST_JUDGES_ROLES_CLUSTERS_H
#define TEST_JUDGES_ROLES_CLUSTERS_H

#include "roles_generator.h"

/*
 * One of random_roles_safe() for two work groups: its copies are multicasts, its arrivals go to both, and the cluster
 * meets at the end; or some of that. Edits are those of one work group and those of what reaches beyond it.
 */
random_roles random_roles_cluster(test_random *random);

/* Applies such edits to any legal schedule of a cluster. @return whether it is legal still */
bool random_roles_cluster_edit(random_roles *p, int edits, test_random *random);

#endif
