// SPDX-License-Identifier: Apache-2.0
// Blocks of threads of sm_90a as contexts of one CPU thread, one block at a time: mbarriers, named barriers, tensor
// copies, wgmmas, shuffles. Which warp goes on next, and when what is asynchronous takes effect, is up to
// the timing. It shows what the kernels compute; that their order is safe is for others to show.
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
work_group group;
std::map<const void *, uint32_t> mbarrier_addresses;
const std::function<void()> *body;

void run_thread()
{
    (*body)();
    self().done = true;
    swapcontext(&self().context, &scheduler);
}

bool run_warp(int index)
{
    bool moved = false;
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

void run_block()
{
    std::vector<int> order(group.warps.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = int(i);
    for (;;) {
        std::shuffle(order.begin(), order.end(), random_bits);
        bool moved = false, done = true;
        for (int index : order)
            moved |= run_warp(index);
        for (const thread &t : group.threads)
            done &= t.done;
        if (done)
            break;
        if (!moved)
            emulator_fail("all threads wait");
    }
    if (!group.copies.empty())
        emulator_fail("a block ends with copies in flight");
    for (const thread &t : group.threads)
        if (t.stores.size() > 1 || !t.stores.back().empty())
            emulator_fail("a block ends with stores that still read its shared memory");
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
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.get();
    t.context.uc_stack.ss_size = STACK_BYTES;
    t.context.uc_link = nullptr;
    makecontext(&t.context, run_thread, 0);
}

void start_block()
{
    std::memset(group.shared_memory, POISON, shared_bytes);
    group.mbarriers.clear();
    group.warps.assign(group.threads.size() / LANES, {});
    group.products.assign(group.threads.size() / GROUP, {});
    std::fill(std::begin(group.barriers), std::end(group.barriers), barrier());
    for (thread &t : group.threads)
        start_thread(t);
}

} // namespace

size_t shared_bytes;
int current;

work_group &own()
{
    return group;
}

thread &self()
{
    return group.threads[size_t(current)];
}

bool takes_effect_early()
{
    return when == timing::early || (when == timing::random && random_bits() % 2 == 0);
}

void wait_until(std::function<bool()> goes_on)
{
    if (goes_on())
        return;
    const int me = current;
    self().goes_on = std::move(goes_on);
    swapcontext(&self().context, &scheduler);
    current = me;
    threadIdx.x = unsigned(me);
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
    prepare(group, config.blockDim);
    gridDim.x = config.gridDim;
    for (blockIdx.x = 0; blockIdx.x < config.gridDim; blockIdx.x++) {
        start_block();
        run_block();
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
