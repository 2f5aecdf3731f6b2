// SPDX-License-Identifier: Apache-2.0
// The wgmmas of a warp group: carried out once all of its threads have issued them, at once or not before a wait.
#include "machine.h"

#include <cstring>

namespace
{

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
        shared_at(own(), swizzle(t.shared + uint32_t(row * t.row_bytes + k * bytes), t.row_bytes),
                  size_t(bytes)),
        p.is_fp8);
}

// …and of the other kind, 64 columns at a time, `leading` bytes from one such part to the next.
float across_k(const place_of_tile &t, int column, int k)
{
    const uint32_t at = t.shared + uint32_t(column / 64) * t.leading + uint32_t(k * t.row_bytes) +
                        uint32_t(column % 64 * 2);
    return element(shared_at(own(), swizzle(at, t.row_bytes), 2), false);
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
    for (int t = 0; t < WARP_GROUP; t++) {
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
        if (w.issued < WARP_GROUP)
            return false;
        if (!w.done)
            carry_out(w);
    }
    return true;
}

std::deque<wgmma_of_group> &own_group()
{
    return own().products[size_t(current / WARP_GROUP)];
}

} // namespace

void start_product(const product &p)
{
    std::deque<wgmma_of_group> &own = own_group();
    const size_t index = size_t(self().products++);
    if (index == own.size())
        own.emplace_back();
    wgmma_of_group &w = own[index];
    w.of_thread[current % WARP_GROUP] = p;
    if (++w.issued == WARP_GROUP && takes_effect_early())
        carry_out_first(own, int(index) + 1);
}

void matrix_commit()
{
    self().groups.push_back(self().products);
}

void matrix_wait(int newest)
{
    const std::vector<int> &ends = self().groups;
    if (int(ends.size()) <= newest || omitted == omission::matrix_wait)
        return;
    const int count = ends[ends.size() - 1 - size_t(newest)];
    std::deque<wgmma_of_group> &own = own_group();
    wait_until([&own, count] { return carry_out_first(own, count); });
}
