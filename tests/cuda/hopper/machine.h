/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the emulated work groups of a cluster, and what the parts of the emulation ask of each other. */
#ifndef TEST_CUDA_HOPPER_MACHINE_H
#define TEST_CUDA_HOPPER_MACHINE_H

#include "emulator.h"

#include <tensor_copies.h>
#include <wgmma.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <ucontext.h>
#include <vector>

enum { LANES = 32, WARP_GROUP = 128, STACK_BYTES = 256 * 1024, MOST_BARRIERS = 16 };
constexpr uint32_t MBARRIERS = 0x80000000; // their addresses, from here on

struct box {
    uint32_t shared;
    const CUtensorMap *map;
    int first[4];
};

struct copy {
    box of;
    uint32_t landing;
};

struct thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[STACK_BYTES]};
    bool done = false;
    std::function<bool()> goes_on; // empty: at once
    int products = 0;              // wgmmas that it has issued
    std::vector<int> groups;       // how many of these each of its committed groups ends with
    // Groups of its bulk stores that have not been read yet, the open one last.
    std::deque<std::vector<box>> stores{1};
    int cluster_arrives = 0, cluster_waits = 0;
};

struct warp {
    int arrived = 0, turns = 0;
    uint32_t values[2][LANES];
};

struct wgmma_of_group {
    int issued = 0;
    product of_thread[WARP_GROUP];
    bool done = false;
};

struct barrier {
    int arrived = 0, generations = 0;
};

// An arrival of another work group: for a phase, by a thread that had arrived so often at the cluster's barrier.
struct remote_arrival {
    int phase, generation;
};

struct mbarrier {
    int arrivals = 0, pending = 0, phases = 0;
    long bytes = 0;
    const thread *initialised_by = nullptr;
    int known_from = 0; // the generation of the cluster's barrier behind which others know it
    bool fenced = false;
    // May still be on their way, for all that this work group knows.
    std::vector<remote_arrival> remote;
};

struct work_group {
    unsigned block = 0;
    int running = 0; // threads that have not ended
    std::vector<thread> threads;
    std::vector<warp> warps;
    std::vector<std::deque<wgmma_of_group>> products; // of each warp group, in order
    barrier barriers[MOST_BARRIERS];
    std::map<uint32_t, mbarrier> mbarriers; // by address
    std::deque<copy> copies;                // in flight
    std::vector<unsigned char> memory;
    unsigned char *shared_memory; // in `memory`, aligned as the swizzle needs it
};

extern size_t shared_bytes;
extern std::vector<work_group> cluster;
extern int rank, current; // the work group and the thread of it that runs
extern omission omitted;

work_group &own();
thread &self();
bool takes_effect_early();
void wait_until(std::function<bool()> goes_on);
unsigned char *shared_at(work_group &group, uint32_t address, size_t bytes);
uint32_t swizzle(uint32_t address, int row_bytes);
mbarrier &mbarrier_at(work_group &group, uint32_t address);
mbarrier &mbarrier_of_rank(int of, uint32_t address);
void start_cluster_barrier();
void thread_ends();
void work_group_ends(const work_group &group);
void complete(mbarrier &m);
bool land_one(work_group &group, uint32_t landing);

#endif
