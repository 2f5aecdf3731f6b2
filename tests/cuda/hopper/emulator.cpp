// SPDX-License-Identifier: Apache-2.0
// Blocks of threads of sm_90a as contexts of one CPU thread, one cluster of blocks at a time: mbarriers, named barriers, tensor
// copies, wgmmas, shuffles. Which warp goes on next, and when what is asynchronous takes effect, is up to
// the timing. It shows what the kernels compute; that their order is safe is for others to show. Of clusters it shows that no block
// is touched by another one before its mbarriers are known there, or after its end.
//
// The only __shared__ variables are mbarriers. The emulation keeps these for each block, whatever the variable holds.
#include "emulator.h"
#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

coordinates threadIdx, blockIdx, gridDim;

namespace
{

enum { POISON = 0xff }; // NaN in every element

timing when = timing::late;
int multiprocessors = 1;
std::mt19937 random_bits;
ucontext_t scheduler;
std::map<const void *, uint32_t> mbarrier_addresses;
const std::function<void()> *body;

void run_thread()
{
    (*body)();
    self().done = true;
    own().running--;
    thread_ends();
    swapcontext(&self().context, &scheduler);
}

bool run_warp(work_group &group, int index)
{
    bool moved = false;
    rank = int(&group - cluster.data());
    blockIdx.x = group.block;
    for (int lane = 0; lane < LANES; lane++) {
        thread &t = group.threads[size_t(index * LANES + lane)];
        current = index * LANES + lane;
        if (t.done || (t.goes_on && !t.goes_on()))
            continue;
        t.goes_on = nullptr;
        threadIdx.x = unsigned(current);
        swapcontext(&scheduler, &t.context);
        moved = true;
    }
    return moved;
}

bool run_work_group(work_group &group)
{
    if (group.running == 0)
        return false;
    std::vector<int> order(group.warps.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = int(i);
    std::shuffle(order.begin(), order.end(), random_bits);
    bool moved = false;
    for (int index : order)
        moved |= run_warp(group, index);
    if (group.running == 0)
        work_group_ends(group);
    return moved;
}

// One goes on for as long as it can before the others do. So it is far ahead of them, or at random about as far as they are.
int choose_first()
{
    return when == timing::early ? 0 : int(cluster.size()) - 1;
}

bool run_some()
{
    if (when != timing::random && run_work_group(cluster[size_t(choose_first())]))
        return true;
    bool moved = false;
    for (work_group &group : cluster)
        moved |= run_work_group(group);
    return moved;
}

void run_cluster()
{
    const auto is_over = [] {
        return std::all_of(cluster.begin(), cluster.end(),
                           [](const work_group &group) { return group.running == 0; });
    };
    while (!is_over())
        if (!run_some())
            emulator_fail("all threads wait");
}

void prepare(work_group &of, unsigned threads)
{
    of.threads.resize(threads);
    of.memory.resize(shared_bytes + 1024);
    unsigned char *const begin = of.memory.data();
    of.shared_memory = begin + (1024 - reinterpret_cast<uintptr_t>(begin) % 1024) % 1024;
}

void start_thread(thread &t)
{
    t.done = false;
    t.goes_on = nullptr;
    t.products = 0;
    t.groups.clear();
    t.stores.assign(1, {});
    t.cluster_arrives = t.cluster_waits = 0;
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.get();
    t.context.uc_stack.ss_size = STACK_BYTES;
    t.context.uc_link = nullptr;
    makecontext(&t.context, run_thread, 0);
}

void start_work_group(work_group &group, unsigned block)
{
    group.block = block;
    group.running = int(group.threads.size());
    std::memset(group.shared_memory, POISON, shared_bytes);
    group.mbarriers.clear();
    group.warps.assign(group.threads.size() / LANES, {});
    group.products.assign(group.threads.size() / WARP_GROUP, {});
    std::fill(std::begin(group.barriers), std::end(group.barriers), barrier());
    for (thread &t : group.threads)
        start_thread(t);
}

} // namespace

size_t shared_bytes;
std::vector<work_group> cluster;
int rank, current;
omission omitted = omission::none;

// PTX ISA, "Cluster of Cooperative Thread Arrays": what others still do to its shared memory then is undefined.
void work_group_ends(const work_group &group)
{
    if (!group.copies.empty())
        emulator_fail("a block ends with copies in flight");
    for (const thread &t : group.threads)
        if (t.stores.size() > 1 || !t.stores.back().empty())
            emulator_fail("a block ends with stores that still read its shared memory");
    for (const auto &m : group.mbarriers)
        if (!m.second.remote.empty())
            emulator_fail("a block ends with arrivals of others that may be on their way to it");
}

work_group &own()
{
    return cluster[size_t(rank)];
}

thread &self()
{
    return own().threads[size_t(current)];
}

bool takes_effect_early()
{
    return when == timing::early || (when == timing::random && random_bits() % 2 == 0);
}

void wait_until(std::function<bool()> goes_on)
{
    if (goes_on())
        return;
    self().goes_on = std::move(goes_on);
    swapcontext(&self().context, &scheduler);
}

unsigned char *shared_at(work_group &of, uint32_t address, size_t bytes)
{
    if (address + bytes > shared_bytes)
        emulator_fail("an access beyond shared memory");
    return of.shared_memory + address;
}

// CUDA programming guide, "The swizzle modes": of rows of 64 or 128 bytes, bits 7 and up are added to bits 4
// and up, two or three of them.
uint32_t swizzle(uint32_t address, int row_bytes)
{
    return address ^ (address >> 7 & uint32_t(row_bytes / 16 - 1)) << 4;
}

void emulator_fail(const char *why)
{
    std::printf("emulator: %s (block %u, thread %u)\n", why, blockIdx.x, threadIdx.x);
    std::fflush(stdout);
    std::_Exit(1); // not exit(), which would free the stack that this runs on
}

void emulator_omit(omission what)
{
    omitted = what;
}

void emulator_set(timing chosen, unsigned seed, int of_device)
{
    when = chosen;
    random_bits.seed(seed);
    multiprocessors = of_device;
}

cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int)
{
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9 : multiprocessors;
    return cudaSuccess;
}

void run_grid(const cudaLaunchConfig_t &config, const std::function<void()> &kernel)
{
    body = &kernel;
    shared_bytes = config.dynamicSmemBytes;
    const size_t of_cluster = config.numAttrs > 0 ? config.attrs->val.clusterDim.x : 1;
    if (cluster.size() != of_cluster)
        cluster = std::vector<work_group>(of_cluster);
    if (config.gridDim % of_cluster != 0)
        emulator_fail("a grid that is no number of clusters");
    for (work_group &group : cluster)
        prepare(group, config.blockDim);
    gridDim.x = config.gridDim;
    for (unsigned block = 0; block < config.gridDim;) {
        for (work_group &group : cluster)
            start_work_group(group, block++);
        start_cluster_barrier();
        run_cluster();
    }
}

unsigned char *dynamic_shared()
{
    return own().shared_memory;
}

uint32_t shared_address(const void *generic)
{
    const size_t offset = size_t(static_cast<const unsigned char *>(generic) - own().shared_memory);
    if (offset <= shared_bytes)
        return uint32_t(offset);
    const uint32_t next = MBARRIERS + uint32_t(mbarrier_addresses.size());
    return mbarrier_addresses.try_emplace(generic, next).first->second;
}

uint32_t shuffle(uint32_t value, int from)
{
    warp &w = own().warps[size_t(current / LANES)];
    const int turn = w.turns;
    w.values[turn % 2][current % LANES] = value;
    if (++w.arrived == LANES) {
        w.arrived = 0;
        w.turns++;
    }
    wait_until([&w, turn] { return w.turns != turn; });
    return w.values[turn % 2][from];
}

float __shfl_xor_sync(unsigned, float value, int lanes)
{
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits = shuffle(bits, current % LANES ^ lanes);
    std::memcpy(&value, &bits, sizeof bits);
    return value;
}
