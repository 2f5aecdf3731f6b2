/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel judged in several clusters, as neither its file nor the launch says in which it runs. */
#ifndef SWP_AUDIT_PTX_CLUSTER_TRIALS_H
#define SWP_AUDIT_PTX_CLUSTER_TRIALS_H

#include "audit/ptx/block_trials.h"

/*
 * Judges it in clusters of one work group, and of two in each of two dimensions. What is certainly wrong in one of them and right in
 * another is told, with both, and not certain; what is wrong in none that is certain, and right in one, is told with that. What is
 * wrong in one is certain if it is so in each: a cluster that the kernel cannot run in says nothing, and with one such nothing is
 * certain.
 */
swp_status swp_ptx_try_clusters(swp_ptx_exploration *t, swp_ptx_judgement *judge);

#endif
