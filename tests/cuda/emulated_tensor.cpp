// SPDX-License-Identifier: Apache-2.0
// Tensor copies on a CPU. What is in flight belongs to a landing, an mbarrier: its phase ends when as many
// copies as it counts have landed.
#include "emulated/ptx_tensor.h"
#include "emulator.h"

#include <cstring>
#include <deque>
#include <map>
#include <vector>

namespace
{

enum { CHUNK = 16, CHUNK_ELEMENTS = CHUNK / sizeof(__nv_bfloat16), LANES = 32 };

struct box {
    uint32_t shared;
    int row_bytes;
    std::vector<__nv_bfloat16> elements;
};

struct landing {
    int copies = 0, landed = 0, phases = 0;
    std::deque<box> in_flight;
};

std::map<uint32_t, landing> landings;

// CUDA programming guide, "The swizzle modes": of an address in rows of 32, 64 or 128 bytes, bits 7 and
// up are added to bits 4 and up, 1, 2 or 3 of them.
uint32_t swizzle(uint32_t address, int row_bytes)
{
    return address ^ (address >> 7 & uint32_t(row_bytes / CHUNK - 1)) << 4;
}

void land_oldest(landing &l)
{
    const box &b = l.in_flight.front();
    const size_t chunks = b.elements.size() / CHUNK_ELEMENTS;
    for (size_t i = 0; i < chunks; i++)
        std::memcpy(shared_at(swizzle(b.shared + uint32_t(i) * CHUNK, b.row_bytes), CHUNK),
                    &b.elements[i * CHUNK_ELEMENTS], CHUNK);
    l.in_flight.pop_front();
    if (++l.landed == l.copies) {
        l.landed = 0;
        l.phases++;
    }
}

__nv_bfloat16 element(const tensor_map &map, int row, int column)
{
    if (row >= map.rows || column >= map.columns)
        return __nv_bfloat16{0};
    return map.matrix[size_t(row) * size_t(map.stride) + size_t(column)];
}

} // namespace

int warp_number()
{
    return int(threadIdx.x) / LANES;
}

void start_landings(uint32_t first, int count, int copies)
{
    landings.clear();
    for (int i = 0; i < count; i++)
        landings[first + uint32_t(i) * 8].copies = copies;
}

void copy_box(uint32_t shared, const tensor_map *map, int row, int column, uint32_t where,
              int bytes)
{
    if (threadIdx.x % LANES != 0) // one lane of the warp
        return;
    box b = {shared, map->box_columns * int(sizeof(__nv_bfloat16)), {}};
    if (shared % 128 != 0 || bytes != b.row_bytes * map->box_rows || !landings.count(where))
        emulator_fail(
            "a box that is not aligned to 128 bytes, of another size, or without a landing");
    for (int r = 0; r < map->box_rows; r++)
        for (int k = 0; k < map->box_columns; k++)
            b.elements.push_back(element(*map, row + r, column + k));
    landing &l = landings[where];
    if (l.landed + int(l.in_flight.size()) == l.copies)
        emulator_fail("a landing with more copies than it counts");
    l.in_flight.push_back(b);
    while (lands_early() && !l.in_flight.empty())
        land_oldest(l);
}

// PTX ISA, "mbarrier.test_wait": of the current phase, and of the one before, the parity says which.
void wait_landing(uint32_t where, uint32_t parity)
{
    landing &l = landings[where];
    while (uint32_t(l.phases) % 2 == parity)
        if (l.landed + int(l.in_flight.size()) < l.copies)
            wait_for_others();
        else
            land_oldest(l);
}
