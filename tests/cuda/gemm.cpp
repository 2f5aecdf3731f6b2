// SPDX-License-Identifier: Apache-2.0
// usage: gemm [--wrong] [SEED]
//
// Runs the kernel KERNEL of kernels/cuda on the emulator: shapes of a tile and its multiples, one more
// and one less, too few tiles of K, rows with padding; small integers, so every sum is exact. --wrong:
// its schedule is unsafe, and some product must come out wrong.
#include "../../kernels/cuda/gemm.h"
#include "emulator.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

extern const gemm_kernel KERNEL;

namespace
{

enum { PADDING = 8, ALIGNMENT = 8, LARGEST = 2 };
const __nv_bfloat16 POISON = {0x7fff}; // NaN

struct matrix {
    int rows, columns, stride;
    std::vector<__nv_bfloat16> storage;
    __nv_bfloat16 *data; // aligned as cp.async needs it

    matrix(int rows, int columns)
        : rows(rows), columns(columns),
          stride((columns + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + PADDING),
          storage(size_t(rows) * size_t(stride) + ALIGNMENT, POISON)
    {
        const uintptr_t address = reinterpret_cast<uintptr_t>(storage.data());
        data = storage.data() + (16 - address % 16) % 16 / sizeof *data;
    }
    __nv_bfloat16 &at(int row, int column)
    {
        return data[size_t(row) * size_t(stride) + size_t(column)];
    }
};

void fill(matrix &m, std::mt19937 &random)
{
    std::uniform_int_distribution<int> small(-LARGEST, LARGEST);
    for (int row = 0; row < m.rows; row++)
        for (int column = 0; column < m.columns; column++)
            m.at(row, column) = __float2bfloat16_rn(float(small(random)));
}

bool is_right(matrix &a, matrix &b, matrix &c, int row, int column)
{
    if (column >= b.rows) // beyond C's columns nothing may be written
        return std::memcmp(&c.at(row, column), &POISON, sizeof POISON) == 0;
    float sum = 0;
    for (int k = 0; k < a.columns; k++)
        sum += __bfloat162float(a.at(row, k)) * __bfloat162float(b.at(column, k));
    const __nv_bfloat16 expected = __float2bfloat16_rn(sum);
    return __bfloat162float(expected) == __bfloat162float(c.at(row, column));
}

long wrong_elements(int m, int n, int k, std::mt19937 &random)
{
    matrix a(m, k), b(n, k), c(m, n);
    fill(a, random);
    fill(b, random);
    const gemm_problem problem = {a.data, b.data, c.data, m, n, k, a.stride, b.stride, c.stride};
    if (KERNEL.launch(&problem, nullptr) != cudaSuccess) {
        std::printf("%s: refuses %d x %d x %d\n", KERNEL.name, m, n, k);
        std::exit(1);
    }
    long wrong = 0;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < c.stride; column++)
            wrong += !is_right(a, b, c, row, column);
    return wrong;
}

long check(int m, int n, int k, copy_timing timing, unsigned seed)
{
    std::mt19937 random(seed);
    emulator_set(timing, seed);
    const long wrong = wrong_elements(m, n, k, random);
    if (wrong)
        std::printf("%s: %ld wrong elements of C at %d x %d x %d, copies land %s, seed %u\n",
                    KERNEL.name, wrong, m, n, k,
                    timing == copy_timing::early  ? "early"
                    : timing == copy_timing::late ? "late"
                                                  : "at random",
                    seed);
    return wrong;
}

bool refuses_what_it_must()
{
    matrix a(8, 8), b(8, 8), c(8, 8);
    gemm_problem p = {a.data, b.data, c.data, 8, 8, 8, a.stride, b.stride, c.stride};
    p.k = 0;
    bool refuses = KERNEL.launch(&p, nullptr) != cudaSuccess;
    p.k = 8, p.lda = 12;
    refuses &= KERNEL.launch(&p, nullptr) != cudaSuccess;
    if (!refuses)
        std::printf("%s: takes k = 0 or a stride of 12\n", KERNEL.name);
    return refuses;
}

} // namespace

int main(int argc, char **argv)
{
    const bool wrong_expected = argc > 1 && std::strcmp(argv[1], "--wrong") == 0;
    const char *seed_text = argv[argc - 1];
    const unsigned seed = argc > (wrong_expected ? 2 : 1) ? unsigned(std::atol(seed_text)) : 1;
    const int m = KERNEL.block_m, n = KERNEL.block_n, k = KERNEL.block_k;
    const int shapes[][3] = {
        {m, n, k * KERNEL.min_tiles},                           // no kernel pass, nothing masked
        {m, n, k * (KERNEL.min_tiles + 2 * KERNEL.tile_multiple)}, // two passes
        {1, 1, 1},                                              // tiles of padding
        {m - 1, n + 8, k * KERNEL.min_tiles - 3},               // both edges, a torn chunk of K
        {m + 1, 40, k * (KERNEL.min_tiles + 1) + 1},            // passes that end in padding
    };
    std::printf("%s, seed %u\n", KERNEL.name, seed);
    long wrong = 0;
    for (const auto &shape : shapes)
        for (const copy_timing timing : {copy_timing::early, copy_timing::late, copy_timing::random})
            wrong += check(shape[0], shape[1], shape[2], timing, seed);
    return (wrong != 0) == wrong_expected && refuses_what_it_must() ? 0 : 1;
}
