// SPDX-License-Identifier: Apache-2.0
// CUDA threads as contexts of one CPU thread, one block at a time. A warp runs until it waits: lanes
// meet at ldmatrix and mma.sync, warps at a barrier. Which warp goes on next, and when a copy lands, is
// up to the timing, so a schedule that only usually works has no luck here.
#include "emulator.h"

#include "emulated/cuda_bf16.h"
#include "emulated/ptx.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <ucontext.h>
#include <vector>

coordinates threadIdx, blockIdx;

namespace
{

enum { LANES = 32, STACK_BYTES = 256 * 1024, POISON = 0xff };

struct copy {
    uint32_t shared;
    char bytes[16];
};

struct thread {
    ucontext_t context;
    std::unique_ptr<char[]> stack{new char[STACK_BYTES]};
    bool done = false, waiting = false;
    int barriers = 0;
    std::vector<copy> open;               // copies of no group yet
    std::deque<std::vector<copy>> groups; // that have not retired
};

// What the lanes of a warp bring to an operation that they do together.
struct warp {
    int arrived = 0;
    int operations = 0;
    uint32_t address[LANES];
    uint32_t result[LANES][4];
    uint32_t a[LANES][4], b[LANES][2];
    float c[LANES][4];
};

copy_timing timing = copy_timing::late;
std::mt19937 random_bits;
ucontext_t scheduler;
std::vector<thread> threads;
std::vector<warp> warps;
std::vector<char> shared_memory;
const std::function<void()> *body;
int current;

thread &self()
{
    return threads[size_t(current)];
}

void yield()
{
    const int me = current;
    swapcontext(&self().context, &scheduler);
    current = me;
    threadIdx.x = unsigned(me);
}

// All lanes of a warp come here; the last one does the operation, and all go on after it.
template <class Operation> void together(Operation operation)
{
    warp &w = warps[size_t(current / LANES)];
    const int before = w.operations;
    if (++w.arrived == LANES) {
        w.arrived = 0;
        w.operations++;
        operation(w);
    }
    yield();
    if (w.operations == before)
        emulator_fail("the lanes of a warp part before ldmatrix or mma.sync");
}

void land(const std::vector<copy> &group)
{
    for (const copy &c : group)
        std::memcpy(shared_at(c.shared, sizeof c.bytes), c.bytes, sizeof c.bytes);
}

float element(uint32_t pair, int which)
{
    return __bfloat162float({uint16_t(which ? pair >> 16 : pair)});
}

void run_thread()
{
    (*body)();
    self().done = true;
    swapcontext(&self().context, &scheduler);
}

// Runs the lanes of a warp in turn until each has ended, stands at a barrier past `barriers` or waits for
// another warp. Whether any of them got on.
bool run_warp(int index, int barriers)
{
    bool got_on = false;
    for (bool moved = true; moved;) {
        moved = false;
        for (int lane = 0; lane < LANES; lane++) {
            thread &t = threads[size_t(index * LANES + lane)];
            if (t.done || t.barriers > barriers)
                continue;
            current = index * LANES + lane;
            threadIdx.x = unsigned(current);
            t.waiting = false;
            swapcontext(&scheduler, &t.context);
            moved |= !t.waiting;
        }
        got_on |= moved;
    }
    return got_on;
}

bool is_waiting()
{
    return std::any_of(threads.begin(), threads.end(), [](const thread &t) { return t.waiting; });
}

void run_block()
{
    std::vector<int> order(warps.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = int(i);
    for (int barriers = 0;; barriers++) {
        std::shuffle(order.begin(), order.end(), random_bits);
        do {
            bool moved = false;
            for (int index : order)
                moved |= run_warp(index, barriers);
            if (!moved && is_waiting())
                emulator_fail("a wait for copies that nobody issues");
        } while (is_waiting());
        const auto done =
            std::count_if(threads.begin(), threads.end(), [](const thread &t) { return t.done; });
        if (size_t(done) == threads.size())
            return;
        if (done != 0)
            emulator_fail("some warps wait at a barrier that others never reach");
    }
}

void start_thread(thread &t)
{
    t.done = t.waiting = false;
    t.barriers = 0;
    t.open.clear();
    t.groups.clear();
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.get();
    t.context.uc_stack.ss_size = STACK_BYTES;
    t.context.uc_link = nullptr;
    makecontext(&t.context, run_thread, 0);
}

} // namespace

void emulator_fail(const char *why)
{
    std::printf("emulator: %s\n", why);
    std::fflush(stdout);
    std::_Exit(1); // not exit(), which would free the stack that this runs on
}

void emulator_set(copy_timing when, unsigned seed)
{
    timing = when;
    random_bits.seed(seed);
}

void wait_for_others()
{
    self().waiting = true;
    yield();
}

bool lands_early()
{
    return timing == copy_timing::early ||
           (timing == copy_timing::random && random_bits() % 2 == 0);
}

char *shared_at(uint32_t address, size_t bytes)
{
    if (address + bytes > shared_memory.size())
        emulator_fail("an access beyond shared memory");
    return &shared_memory[address];
}

void block_barrier()
{
    self().barriers++;
    yield();
}

char *dynamic_shared()
{
    return shared_memory.data();
}

uint32_t shared_address(const void *generic)
{
    return uint32_t(static_cast<const char *>(generic) - shared_memory.data());
}

void copy_async(uint32_t shared, const void *global)
{
    copy_async(shared, global, 16);
}

void copy_async(uint32_t shared, const void *global, int bytes)
{
    copy c = {shared, {}};
    if (bytes < 0 || bytes > 16 || shared % 16 != 0 ||
        reinterpret_cast<uintptr_t>(global) % 16 != 0)
        emulator_fail("a copy of more than 16 bytes, or not aligned to them");
    std::memcpy(c.bytes, global, size_t(bytes));
    self().open.push_back(c);
}

void commit_group()
{
    thread &t = self();
    const bool early = lands_early();
    if (early)
        land(t.open);
    t.groups.push_back(early ? std::vector<copy>() : t.open);
    t.open.clear();
}

void wait_groups(int newest)
{
    thread &t = self();
    for (; t.groups.size() > size_t(newest); t.groups.pop_front())
        land(t.groups.front());
}

uint4 load_global(const void *global)
{
    uint4 chunk;
    std::memcpy(&chunk, global, sizeof chunk);
    return chunk;
}

uint16_t load_element(const void *global)
{
    uint16_t value;
    std::memcpy(&value, global, sizeof value);
    return value;
}

void store_shared(uint32_t shared, const uint4 &chunk)
{
    std::memcpy(shared_at(shared, sizeof chunk), &chunk, sizeof chunk);
}

// PTX ISA, "ldmatrix": lane l gets elements 2 (l % 4) and the next of row l / 4 of each matrix.
void load_matrices(uint32_t (&to)[4], uint32_t shared)
{
    const int lane = current % LANES;
    warps[size_t(current / LANES)].address[lane] = shared;
    together([](warp &w) {
        for (int l = 0; l < LANES; l++)
            for (int matrix = 0; matrix < 4; matrix++)
                std::memcpy(&w.result[l][matrix],
                            shared_at(w.address[matrix * 8 + l / 4] + uint32_t(l % 4 * 4), 4), 4);
    });
    std::memcpy(to, warps[size_t(current / LANES)].result[lane], sizeof to);
}

// PTX ISA, "Matrix fragments for mma.m16n8k16 with floating point type": with g = lane / 4 and
// t = lane % 4, a holds rows g and g + 8 of columns 2 t and 2 t + 8; b rows 2 t and 2 t + 8 of column
// g; c rows g and g + 8 of column 2 t; each with the next one.
void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
    const int lane = current % LANES;
    warp &mine = warps[size_t(current / LANES)];
    std::memcpy(mine.a[lane], a, sizeof a);
    std::memcpy(mine.c[lane], c, sizeof c);
    mine.b[lane][0] = b0;
    mine.b[lane][1] = b1;
    together([](warp &w) {
        float rows[16][16], columns[8][16];
        for (int l = 0; l < LANES; l++)
            for (int which = 0; which < 2; which++)
                for (int part = 0; part < 4; part++) {
                    const int k = part / 2 * 8 + l % 4 * 2 + which;
                    rows[part % 2 * 8 + l / 4][k] = element(w.a[l][part], which);
                    if (part % 2 == 0)
                        columns[l / 4][k] = element(w.b[l][part / 2], which);
                }
        for (int l = 0; l < LANES; l++)
            for (int part = 0; part < 4; part++)
                for (int k = 0; k < 16; k++)
                    w.c[l][part] +=
                        rows[part / 2 * 8 + l / 4][k] * columns[l % 4 * 2 + part % 2][k];
    });
    std::memcpy(c, mine.c[lane], sizeof c);
}

void run_grid(unsigned blocks, int thread_count, int shared_bytes, const std::function<void()> &run)
{
    body = &run;
    threads.resize(size_t(thread_count));
    warps.assign(size_t(thread_count / LANES), warp());
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        shared_memory.assign(size_t(shared_bytes), char(POISON)); // NaN in every element
        for (thread &t : threads)
            start_thread(t);
        run_block();
    }
}
