// SPDX-License-Identifier: Apache-2.0
// Blocks of threads of sm_90a as contexts of one CPU thread, one block at a time: mbarriers, named barriers, tensor
// copies, wgmmas, shuffles. Which warp goes on next, and when what is asynchronous takes effect, is up to
// the timing. It shows what the kernels compute; that their order is safe is for others to show.
#include "emulator.h"

#include <tensor_copies.h>
#include <wgmma.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <ucontext.h>
#include <vector>

coordinates threadIdx, blockIdx, gridDim;

namespace
{

enum { LANES = 32, GROUP = 128, STACK_BYTES = 256 * 1024, POISON = 0xff, MOST_BARRIERS = 16 };
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
    std::vector<int> groups;       // how many of these each of its groups ends with
    int barriers[MOST_BARRIERS] = {};
    std::deque<std::vector<box>> stores{
        1}; // its groups of them that are not read yet, the open one last
};

struct warp {
    int arrived = 0, turns = 0;
    uint32_t values[2][LANES];
};

struct wgmma_of_group {
    int issued = 0;
    product of_thread[GROUP];
    bool done = false;
};

struct barrier {
    int arrived = 0, meetings = 0;
};

struct mbarrier {
    int arrivals = 0, pending = 0, phases = 0;
    long bytes = 0;
};

timing when = timing::late;
int multiprocessors = 1;
std::mt19937 random_bits;
ucontext_t scheduler;
std::vector<thread> threads;
std::vector<warp> warps;
std::vector<std::deque<wgmma_of_group>> groups; // of each warp group, in order
barrier barriers[MOST_BARRIERS];
std::vector<mbarrier> mbarriers;
std::map<const void *, uint32_t> mbarrier_numbers;
std::deque<copy> copies;
std::vector<unsigned char> memory;
unsigned char *shared_memory; // aligned as the swizzle needs it
size_t shared_bytes;
const std::function<void()> *body;
int current;

thread &self()
{
    return threads[size_t(current)];
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

unsigned char *shared_at(uint32_t address, size_t bytes)
{
    if (address + bytes > shared_bytes)
        emulator_fail("an access beyond shared memory");
    return shared_memory + address;
}

// CUDA programming guide, "The swizzle modes": of rows of 64 or 128 bytes, bits 7 and up are added to bits 4
// and up, two or three of them.
uint32_t swizzle(uint32_t address, int row_bytes)
{
    return address ^ (address >> 7 & uint32_t(row_bytes / 16 - 1)) << 4;
}

void complete(mbarrier &m)
{
    if (m.pending == 0 && m.bytes == 0) {
        m.pending = m.arrivals;
        m.phases++;
    }
}

// Where each element of a box is in shared memory, and in the tensor, if it is of it.
template <class MOVE> void move_box(const box &b, MOVE move)
{
    const CUtensorMap &m = *b.map;
    const int columns = m.row_bytes / m.element_bytes;
    for (int row = 0; row < m.rows; row++)
        for (int column = 0; column < columns; column++) {
            const int64_t at[] = {b.first[0] + column, b.first[1] + row, b.first[2], b.first[3]};
            bool inside = true;
            int64_t offset = 0;
            for (int i = 0; i < m.of.dimensions; i++) {
                inside &= at[i] >= 0 && uint64_t(at[i]) < m.of.sizes[i];
                offset += at[i] * int64_t(m.of.strides[i]);
            }
            const uint32_t linear =
                b.shared + uint32_t(row * m.row_bytes + column * m.element_bytes);
            char *tensor = static_cast<char *>(const_cast<void *>(m.of.at));
            move(shared_at(swizzle(linear, m.row_bytes), size_t(m.element_bytes)),
                 inside ? tensor + offset * m.element_bytes : nullptr, size_t(m.element_bytes));
        }
}

void land(const copy &c)
{
    move_box(c.of, [](unsigned char *shared, const char *tensor, size_t bytes) {
        if (tensor)
            std::memcpy(shared, tensor, bytes);
        else
            std::memset(shared, 0, bytes);
    });
    mbarrier &landing = mbarriers[c.landing - MBARRIERS];
    landing.bytes -= long(c.of.map->rows) * c.of.map->row_bytes;
    complete(landing);
}

void store(const box &b)
{
    move_box(b, [](const unsigned char *shared, char *tensor, size_t bytes) {
        if (tensor)
            std::memcpy(tensor, shared, bytes);
    });
}

// One of the copies for an mbarrier, if there is one in flight.
bool land_one(uint32_t landing)
{
    for (auto c = copies.begin(); c != copies.end(); ++c)
        if (c->landing == landing) {
            const copy landed = *c;
            copies.erase(c);
            land(landed);
            return true;
        }
    return false;
}

float element(const unsigned char *at, bool is_fp8)
{
    if (is_fp8)
        return float_of(__nv_fp8_e4m3{*at});
    __nv_bfloat16 value;
    std::memcpy(&value, at, sizeof value);
    return float_of(value);
}

// PTX ISA, "Shared memory matrix layout": rows of the tile that the product sums over…
float along_k(const product &p, const place_of_tile &t, int row, int k)
{
    const int bytes = p.is_fp8 ? 1 : 2;
    return element(
        shared_at(swizzle(t.shared + uint32_t(row * t.row_bytes + k * bytes), t.row_bytes),
                  size_t(bytes)),
        p.is_fp8);
}
// …and of the other kind, 64 columns at a time, `leading` bytes from one such part to the next.
float across_k(const place_of_tile &t, int column, int k)
{
    const uint32_t at = t.shared + uint32_t(column / 64) * t.leading + uint32_t(k * t.row_bytes) +
                        uint32_t(column % 64 * 2);
    return element(shared_at(swizzle(at, t.row_bytes), 2), false);
}

float of_registers(const product &p, int half, int k)
{
    const uint32_t pair = p.a_registers[k / 8 * 2 + half];
    return float_of(__nv_bfloat16{uint16_t(k % 2 ? pair >> 16 : pair)});
}

// PTX ISA, "Register fragments for wgmma": thread t has rows t / 32 * 16 + t % 32 / 4 and 8 more, and of each
// eight columns t % 4 * 2 and the next; of A in registers as many of each eight of k.
void carry_out(wgmma_of_group &w)
{
    const product &any = w.of_thread[0];
    const int depth = any.is_fp8 ? 32 : 16, columns = any.columns;
    std::vector<float> a(size_t(64 * depth)), b(size_t(columns * depth));
    for (int k = 0; k < depth; k++) {
        for (int row = 0; row < 64; row++) {
            const int owner = row / 16 * LANES + row % 8 * 4 + k % 8 / 2;
            a[size_t(row * depth + k)] = any.a_registers
                                             ? of_registers(w.of_thread[owner], row % 16 / 8, k)
                                             : along_k(any, any.a, row, k);
        }
        for (int column = 0; column < columns; column++)
            b[size_t(column * depth + k)] =
                any.a_registers ? across_k(any.b, column, k) : along_k(any, any.b, column, k);
    }
    for (int t = 0; t < GROUP; t++) {
        const product &p = w.of_thread[t];
        for (int i = 0; i < columns / 2; i++) {
            const int row = t / LANES * 16 + t % LANES / 4 + i % 4 / 2 * 8;
            const int column = i / 4 * 8 + t % 4 * 2 + i % 2;
            float sum = p.add ? p.sums[i] : 0;
            for (int k = 0; k < depth; k++)
                sum += a[size_t(row * depth + k)] * b[size_t(column * depth + k)];
            p.sums[i] = sum;
        }
    }
    w.done = true;
}

// The first `count` wgmmas of a warp group; false: not all threads have issued them yet.
bool carry_out_first(std::deque<wgmma_of_group> &of, int count)
{
    for (int i = 0; i < count; i++) {
        wgmma_of_group &w = of[size_t(i)];
        if (w.issued < GROUP)
            return false;
        if (!w.done)
            carry_out(w);
    }
    return true;
}

std::deque<wgmma_of_group> &own_group()
{
    return groups[size_t(current / GROUP)];
}

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
        thread &t = threads[size_t(index * LANES + lane)];
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
    std::vector<int> order(warps.size());
    for (size_t i = 0; i < order.size(); i++)
        order[i] = int(i);
    for (;;) {
        std::shuffle(order.begin(), order.end(), random_bits);
        bool moved = false, done = true;
        for (int index : order)
            moved |= run_warp(index);
        for (const thread &t : threads)
            done &= t.done;
        if (done)
            break;
        if (!moved)
            emulator_fail("all threads wait");
    }
    if (!copies.empty())
        emulator_fail("a block ends with copies in flight");
    for (const thread &t : threads)
        if (t.stores.size() > 1 || !t.stores.back().empty())
            emulator_fail("a block ends with stores that still read its shared memory");
}

void start_thread(thread &t)
{
    t.done = false;
    t.goes_on = nullptr;
    t.products = 0;
    t.groups.clear();
    std::fill(std::begin(t.barriers), std::end(t.barriers), 0);
    t.stores.assign(1, {});
    getcontext(&t.context);
    t.context.uc_stack.ss_sp = t.stack.get();
    t.context.uc_stack.ss_size = STACK_BYTES;
    t.context.uc_link = nullptr;
    makecontext(&t.context, run_thread, 0);
}

void start_block()
{
    std::memset(shared_memory, POISON, shared_bytes); // NaN in every element
    mbarriers.clear();
    mbarrier_numbers.clear();
    warps.assign(warps.size(), warp());
    groups.assign(threads.size() / GROUP, {});
    std::fill(std::begin(barriers), std::end(barriers), barrier());
    for (thread &t : threads)
        start_thread(t);
}

} // namespace

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
    threads.resize(config.blockDim);
    warps.resize(config.blockDim / LANES);
    shared_bytes = config.dynamicSmemBytes;
    memory.resize(shared_bytes + 1024);
    shared_memory =
        memory.data() + (1024 - reinterpret_cast<uintptr_t>(memory.data()) % 1024) % 1024;
    gridDim.x = config.gridDim;
    for (blockIdx.x = 0; blockIdx.x < config.gridDim; blockIdx.x++) {
        start_block();
        run_block();
    }
}

unsigned char *dynamic_shared()
{
    return shared_memory;
}

uint32_t shared_address(const void *generic)
{
    const auto number = mbarrier_numbers.find(generic);
    if (number != mbarrier_numbers.end())
        return number->second;
    return uint32_t(static_cast<const unsigned char *>(generic) - shared_memory);
}

uint32_t shuffle(uint32_t value, int from)
{
    warp &w = warps[size_t(current / LANES)];
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

void named_sync(int id, int count)
{
    barrier &b = barriers[id];
    const int meeting = b.meetings;
    if (++b.arrived == count) {
        b.arrived = 0;
        b.meetings++;
    }
    wait_until([&b, meeting] { return b.meetings != meeting; });
}

void mbarrier_init(unsigned long long *at, int arrivals)
{
    mbarrier_numbers[at] = MBARRIERS + uint32_t(mbarriers.size());
    mbarriers.push_back({arrivals, arrivals, 0, 0});
}

void mbarrier_arrive(unsigned long long *at, int bytes)
{
    mbarrier &m = mbarriers[shared_address(at) - MBARRIERS];
    if (m.pending == 0)
        emulator_fail("an arrival more than the phase has");
    m.bytes += bytes;
    m.pending--;
    complete(m);
}

// PTX ISA, "mbarrier.test_wait": of the current phase, and of the one before, the parity says which.
void mbarrier_wait(unsigned long long *at, int parity)
{
    const uint32_t number = shared_address(at);
    wait_until([number, parity] {
        while (mbarriers[number - MBARRIERS].phases % 2 == parity)
            if (!land_one(number))
                return false;
        return true;
    });
}

void start_copy(uint32_t shared, const CUtensorMap *map, const int (&first)[4], uint32_t landing)
{
    if (landing < MBARRIERS || shared % 128 != 0)
        emulator_fail("a copy without an mbarrier, or not aligned to 128 bytes");
    copies.push_back({{shared, map, {first[0], first[1], first[2], first[3]}}, landing});
    while (!copies.empty() && takes_effect_early()) {
        const copy c = copies.front();
        copies.pop_front();
        land(c);
    }
}

void start_store(const CUtensorMap *map, const int (&first)[4], uint32_t shared)
{
    if (shared % 128 != 0)
        emulator_fail("a store that is not aligned to 128 bytes");
    const box b = {shared, map, {first[0], first[1], first[2], first[3]}};
    if (takes_effect_early())
        store(b);
    else
        self().stores.back().push_back(b);
}

void store_commit()
{
    self().stores.emplace_back();
}

void store_wait_read(int newest)
{
    std::deque<std::vector<box>> &groups = self().stores;
    while (int(groups.size()) - 1 > newest) {
        for (const box &b : groups.front())
            store(b);
        groups.pop_front();
    }
}

void store_word(uint32_t shared, uint32_t word)
{
    std::memcpy(shared_at(shared, sizeof word), &word, sizeof word);
}

void start_product(const product &p)
{
    std::deque<wgmma_of_group> &own = own_group();
    const size_t index = size_t(self().products++);
    if (index == own.size())
        own.emplace_back();
    wgmma_of_group &w = own[index];
    w.of_thread[current % GROUP] = p;
    if (++w.issued == GROUP && takes_effect_early())
        carry_out_first(own, int(index) + 1);
}

void matrix_commit()
{
    self().groups.push_back(self().products);
}

void matrix_wait(int newest)
{
    const std::vector<int> &ends = self().groups;
    if (int(ends.size()) <= newest)
        return;
    const int count = ends[ends.size() - 1 - size_t(newest)];
    std::deque<wgmma_of_group> &own = own_group();
    wait_until([&own, count] { return carry_out_first(own, count); });
}
