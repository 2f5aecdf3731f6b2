/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: largest NAME [SEED]
 *
 * Runs kernel NAME on the largest square product that fits in the GPU's free memory, A, B and C in bf16, once
 * with integers, whose results must match to the last bit, and once with reals. Every element of C must be
 * written; GRID x GRID of them, the corners among these, are compared with float64 products over all of K.
 */
#include "data.h"
#include "kernels.h"

#include <cmath>
#include <cstring>
#include <random>

namespace
{

constexpr int GRID = 64;                  /* sampled rows, and sampled columns */
constexpr size_t SPARE = size_t(1) << 28; /* bytes for samples and the run time */

struct samples {
    int rows[GRID], columns[GRID];
};

/* A random line out of each of GRID equal strips; of the first and last strip the outermost. */
void sample(int (&lines)[GRID], int size, std::mt19937 &random)
{
    for (int i = 0; i < GRID; i++) {
        const int64_t first = int64_t(size) * i / GRID, end = int64_t(size) * (i + 1) / GRID;
        lines[i] = int(first + int64_t(random() % uint64_t(end - first)));
    }
    lines[0] = 0;
    lines[GRID - 1] = size - 1;
}

/* One sampled element a block. */
__global__ void compare(gemm_problem p, const samples *at, data kind, tally *out)
{
    __shared__ double sums[THREADS];
    const int64_t row = at->rows[blockIdx.x], column = at->columns[blockIdx.y];
    double sum = 0;
    for (int k = int(threadIdx.x); k < p.k; k += int(THREADS))
        sum += double(float(p.a[row * p.lda + k])) * double(float(p.b[column * p.ldb + k]));
    sums[threadIdx.x] = sum;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x > 0)
        return;
    const bf16 found = p.c[row * p.ldc + column];
    const double off = double(float(found)) - sums[0];
    if (!is_right(found, sums[0], kind, p.k))
        atomicAdd(&out->wrong, 1ull);
    atomicAdd(&out->error, off * off);
    atomicAdd(&out->norm, sums[0] * sums[0]);
}

__global__ void count_unwritten(const bf16 *c, int64_t count, unsigned long long *unwritten)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    unsigned long long mine = 0;
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        mine += __bfloat16_as_ushort(c[i]) == POISON;
    if (mine)
        atomicAdd(unwritten, mine);
}

bf16 *new_matrix(int64_t size)
{
    bf16 *matrix = nullptr;
    TRY(cudaMalloc(&matrix, size_t(size * size) * sizeof(bf16)));
    return matrix;
}

/* The kernel's seconds. */
float run(const gemm_kernel &kernel, const gemm_problem &p)
{
    cudaEvent_t begin, end;
    float milliseconds = 0;
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    TRY(cudaEventRecord(begin));
    TRY(kernel.launch(&p, nullptr));
    TRY(cudaEventRecord(end));
    TRY(cudaEventSynchronize(end));
    TRY(cudaEventElapsedTime(&milliseconds, begin, end));
    return milliseconds / 1e3f;
}

bool check(const gemm_kernel &kernel, const gemm_problem &p, data kind, std::mt19937 &random)
{
    struct {
        samples at;
        tally found;
        unsigned long long unwritten;
    } host = {}, *device = nullptr;
    const int64_t count = int64_t(p.m) * p.m;
    const unsigned blocks = blocks_for(count);
    sample(host.at.rows, p.m, random);
    sample(host.at.columns, p.n, random);
    TRY(cudaMalloc(&device, sizeof *device));
    TRY(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice));
    const uint64_t seed = uint64_t(random()) << 20;
    fill<<<blocks, THREADS>>>(const_cast<bf16 *>(p.a), p.m, p.k, p.lda, kind, seed);
    fill<<<blocks, THREADS>>>(const_cast<bf16 *>(p.b), p.n, p.k, p.ldb, kind, seed + (1ull << 40));
    fill<<<blocks, THREADS>>>(p.c, p.m, 0, p.ldc, kind, 0);
    const float seconds = run(kernel, p);
    compare<<<dim3(GRID, GRID), THREADS>>>(p, &device->at, kind, &device->found);
    count_unwritten<<<blocks, THREADS>>>(p.c, count, &device->unwritten);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    TRY(cudaFree(device));
    const double error = std::sqrt(host.found.error / host.found.norm);
    const bool right = host.found.wrong == 0 && host.unwritten == 0 && error < ROUNDING;
    std::printf("%s, %s: %s; of %d elements %llu wrong, error %.2e; %llu not written; %.1f s, %.0f "
                "TFLOP/s\n",
                kernel.name, kind == INTEGERS ? "integers" : "reals", right ? "right" : "WRONG",
                GRID * GRID, host.found.wrong, error, host.unwritten, double(seconds),
                2e-12 * p.m * p.n * p.k / double(seconds));
    return right;
}

bool largest(const gemm_kernel &kernel, unsigned seed)
{
    size_t free = 0, all = 0;
    TRY(cudaMemGetInfo(&free, &all));
    const int size = int(std::sqrt(double(free - SPARE) / (3 * sizeof(bf16)))) / 8 * 8;
    const gemm_problem p = {
        new_matrix(size), new_matrix(size), new_matrix(size), size, size, size, size, size, size};
    std::printf(
        "seed %u; %d x %d x %d: A, B and C take %llu of the %llu bytes that are free, of %llu\n",
        seed, size, size, size, 3ull * sizeof(bf16) * uint64_t(size) * uint64_t(size),
        (unsigned long long)free, (unsigned long long)all);
    std::mt19937 random(seed);
    bool right = check(kernel, p, INTEGERS, random);
    right &= check(kernel, p, REALS, random);
    return right;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 2 || argc == 3)
        for (const gemm_kernel *kernel : kernels)
            if (std::strcmp(kernel->name, argv[1]) == 0)
                return largest(*kernel, argc == 3 ? unsigned(std::strtoul(argv[2], nullptr, 10))
                                                  : std::random_device()())
                           ? 0
                           : 1;
    std::printf("usage: largest NAME [SEED], with the name of a kernel\n");
    return 2;
}
