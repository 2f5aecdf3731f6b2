/* SPDX-License-Identifier: Apache-2.0 */
/* The work groups of a cluster in one run: which warps and which window of shared memory each has. */
#ifndef SWP_AUDIT_PTX_WINDOWS_H
#define SWP_AUDIT_PTX_WINDOWS_H

#include "audit/ptx/run.h"

/*
 * Shared memory has a window for each work group of the cluster, one behind the other. In an address the bits from this one on
 * say which is meant, as mapa has it; a variable's address has those of the own one.
 */
enum { SWP_PTX_RANK_SHIFT = 24, SWP_PTX_MOST_CLUSTER = 16 };

static inline int swp_ptx_cluster_size(const swp_ptx_kernel *kernel)
{
    return kernel->cluster[0] ? kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2] : 1;
}
/* The warps of a work group; in a cluster with as many that do nothing as make warp groups of them. */
static inline int swp_ptx_warps_of(const swp_ptx_kernel *kernel)
{
    const int threads = kernel->threads[0] * kernel->threads[1] * kernel->threads[2];
    const int warps = (threads + SWP_PTX_LANES - 1) / SWP_PTX_LANES;
    const int spare = swp_ptx_cluster_size(kernel) > 1 ? SWP_PTX_GROUP_WARPS - 1 : 0;
    return spare ? (warps + spare) / SWP_PTX_GROUP_WARPS * SWP_PTX_GROUP_WARPS : warps;
}

static inline int64_t swp_ptx_shared_end(const swp_ptx_run *run)
{
    return (int64_t)SWP_PTX_MOST_SHARED * run->cluster;
}
static inline int swp_ptx_shelves(const swp_ptx_run *run)
{
    return SWP_PTX_ALL_SHELVES * run->cluster;
}
static inline size_t swp_ptx_written_words(const swp_ptx_run *run)
{
    return (size_t)swp_ptx_shared_end(run) / SWP_PTX_COPY_UNIT / 32;
}
/* The work group of a warp. */
static inline int swp_ptx_rank(const swp_ptx_run *run, int warp)
{
    return warp / run->own_warps;
}
/* The number of its work group in a dimension of the cluster. */
static inline uint64_t swp_ptx_number_in_cluster(const swp_ptx_run *run, int warp, int dimension)
{
    const int *cluster = run->kernel->cluster;
    const int rank = swp_ptx_rank(run, warp);
    const int before = dimension == 0 ? 1 : dimension == 1 ? cluster[0] : cluster[0] * cluster[1];
    return (uint64_t)(rank / before % cluster[dimension]);
}
/* Where an address lies in the windows; behind all of them: in none. */
static inline int64_t swp_ptx_place(const swp_ptx_run *run, uint64_t address)
{
    const int64_t low = (int64_t)(address & UINT32_MAX);
    const int64_t rank = low >> SWP_PTX_RANK_SHIFT;
    const int64_t offset = low & ((INT64_C(1) << SWP_PTX_RANK_SHIFT) - 1);
    if (run->cluster == 1)
        return low;
    return rank < run->cluster && offset < SWP_PTX_MOST_SHARED ? rank * SWP_PTX_MOST_SHARED + offset
                                                               : swp_ptx_shared_end(run);
}
/* The work group in whose window a place lies. */
static inline int swp_ptx_owner(int64_t place)
{
    return (int)(place / SWP_PTX_MOST_SHARED);
}

#endif
