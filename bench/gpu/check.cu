/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: check [--seed SEED] small | correct | stress RUNS | launch M N K NAME
 *
 * small    a few shapes around one block, for compute-sanitizer too
 * correct  those, every number of K tiles up to 9, odd sizes, large ones, and the largest
 * stress   RUNS runs of each kernel on small shapes while other work disturbs the memory's timing;
 *          counts the runs with a wrong element
 * launch   one run of one kernel, for a profiler; without gaps between the rows
 *
 * Inputs are fresh random data for each shape, from the seed that is printed first: small integers, whose
 * results are exact and must match to the last bit, and reals, compared with a float64 reference. C is
 * poisoned before each run, and what lies between its rows must stay so. Exit status 1 if something is
 * wrong.
 */
#include "data.h"
#include "kernels.h"

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace
{

/* Row r of the reference is row r * row_step of C. */
__global__ void multiply_float64(gemm_problem p, int row_step, int rows, double *out)
{
    __shared__ double a[16][17], b[16][17];
    const int x = int(threadIdx.x), y = int(threadIdx.y);
    const int64_t row = int64_t(blockIdx.y) * 16 + y, column = int64_t(blockIdx.x) * 16 + x;
    const int64_t b_row = int64_t(blockIdx.x) * 16 + y;
    double sum = 0;
    for (int k = 0; k < p.k; k += 16) {
        const bool in_k = k + x < p.k;
        a[y][x] = row < rows && in_k ? double(float(p.a[row * row_step * p.lda + k + x])) : 0;
        b[y][x] = b_row < p.n && in_k ? double(float(p.b[b_row * p.ldb + k + x])) : 0;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += a[y][i] * b[x][i];
        __syncthreads();
    }
    if (row < rows && column < p.n)
        out[row * p.n + column] = sum;
}

__global__ void compare(gemm_problem p, int row_step, int rows, const double *expected, data kind,
                        tally *out)
{
    const int64_t step = int64_t(gridDim.x) * blockDim.x;
    unsigned long long wrong = 0;
    double error = 0, norm = 0;
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < int64_t(rows) * p.ldc;
         i += step) {
        const int64_t row = i / p.ldc, column = i % p.ldc;
        const bf16 found = p.c[row * row_step * p.ldc + column];
        if (column >= p.n) {
            wrong += __bfloat16_as_ushort(found) != POISON;
            continue;
        }
        const double value = expected[row * p.n + column], off = double(float(found)) - value;
        wrong += !is_right(found, value, kind, p.k);
        error += off * off;
        norm += value * value;
    }
    if (wrong)
        atomicAdd(&out->wrong, wrong);
    atomicAdd(&out->error, error);
    atomicAdd(&out->norm, norm);
}

int64_t padded(int columns)
{
    return (columns + 7) / 8 * 8 + 8;
}

int64_t dense(int columns)
{
    return (columns + 7) / 8 * 8;
}

/* One problem on the device, with its reference. */
class problem
{
  public:
    problem(int m, int n, int k, data kind, uint64_t seed, int most_rows,
            int64_t (*pitch)(int) = padded)
        : kind_(kind), row_step_(m > most_rows ? m / most_rows : 1), rows_((m - 1) / row_step_ + 1)
    {
        p_ = {nullptr, nullptr, nullptr, m, n, k, int(pitch(k)), int(pitch(k)), int(pitch(n))};
        p_.a = new_matrix(m, k, p_.lda, seed);
        p_.b = new_matrix(n, k, p_.ldb, seed + (1ull << 40));
        TRY(cudaMalloc(&p_.c, size_t(m) * size_t(p_.ldc) * sizeof(bf16)));
        TRY(cudaMalloc(&expected_, size_t(rows_) * size_t(n) * sizeof(double)));
        TRY(cudaMalloc(&tally_, sizeof *tally_));
        const dim3 blocks(unsigned(n + 15) / 16, unsigned(rows_ + 15) / 16);
        multiply_float64<<<blocks, dim3(16, 16)>>>(p_, row_step_, rows_, expected_);
        TRY(cudaGetLastError());
    }
    ~problem()
    {
        for (const void *memory : {(const void *)p_.a, (const void *)p_.b, (const void *)p_.c,
                                   (const void *)expected_, (const void *)tally_})
            TRY(cudaFree(const_cast<void *>(memory)));
    }
    problem(const problem &) = delete;

    void start(const gemm_kernel &kernel) const
    {
        fill<<<blocks_for(int64_t(p_.m) * p_.ldc), THREADS>>>(p_.c, p_.m, 0, p_.ldc, kind_, 0);
        TRY(kernel.launch(&p_, nullptr));
    }

    tally finish() const
    {
        tally result = {};
        TRY(cudaMemset(tally_, 0, sizeof *tally_));
        compare<<<blocks_for(int64_t(rows_) * p_.ldc), THREADS>>>(p_, row_step_, rows_, expected_,
                                                                  kind_, tally_);
        TRY(cudaGetLastError());
        TRY(cudaMemcpy(&result, tally_, sizeof result, cudaMemcpyDeviceToHost));
        return result;
    }

    /* @return whether the kernel gives the right result */
    bool check(const gemm_kernel &kernel, double *relative_error) const
    {
        start(kernel);
        const tally t = finish();
        *relative_error = t.norm > 0 ? std::sqrt(t.error / t.norm) : 0;
        const bool right = t.wrong == 0 && *relative_error < ROUNDING;
        if (!right)
            std::printf("WRONG %s: %llu elements of %d x %d x %d (%s), error %.3g\n", kernel.name,
                        t.wrong, p_.m, p_.n, p_.k, kind_ == INTEGERS ? "integers" : "reals",
                        *relative_error);
        return right;
    }

  private:
    bf16 *new_matrix(int64_t rows, int columns, int stride, uint64_t seed) const
    {
        bf16 *matrix = nullptr;
        TRY(cudaMalloc(&matrix, size_t(rows) * size_t(stride) * sizeof(bf16)));
        fill<<<blocks_for(rows * stride), THREADS>>>(matrix, rows, columns, stride, kind_, seed);
        TRY(cudaGetLastError());
        return matrix;
    }

    data kind_;
    int row_step_, rows_;
    gemm_problem p_;
    double *expected_ = nullptr;
    tally *tally_ = nullptr;
};

struct shape {
    int m, n, k;
};

std::vector<shape> small_shapes(const gemm_kernel &k)
{
    const int m = k.block_m, n = k.block_n, bk = k.block_k;
    return {{m, n, bk * k.min_tiles},
            {m, n, bk * (k.min_tiles + 2 * k.tile_multiple)},
            {1, 1, 1},
            {m - 1, n + 8, bk * k.min_tiles - 3},
            {m + 1, 40, bk * (k.min_tiles + 1) + 1}};
}

/* Every number of tiles that a prologue, some passes and an epilogue can come to; odd sizes. */
std::vector<shape> medium_shapes(const gemm_kernel &k)
{
    std::vector<shape> shapes = small_shapes(k);
    for (int tiles = 1; tiles <= 9; tiles++)
        shapes.push_back({k.block_m * 2, k.block_n, k.block_k * tiles});
    for (const shape s : {shape{300, 700, 1000}, shape{1000, 1000, 1000}, shape{17, 4099, 515},
                          shape{4099, 17, 129}, shape{2048, 2048, 2048}, shape{1536, 2304, 4096}})
        shapes.push_back(s);
    return shapes;
}

std::mt19937 seeds;

uint64_t next_seed()
{
    return uint64_t(seeds()) << 20;
}

bool check_kernel(const gemm_kernel &kernel, const std::vector<shape> &shapes)
{
    bool right = true;
    double worst = 0;
    for (const shape &s : shapes)
        for (const data kind : {INTEGERS, REALS}) {
            double error = 0;
            right &= problem(s.m, s.n, s.k, kind, next_seed(), 1 << 20).check(kernel, &error);
            worst = error > worst ? error : worst;
        }
    std::printf("%-20s %3zu shapes, integers and reals: %s; largest error of reals %.2e\n",
                kernel.name, shapes.size(), right ? "right" : "WRONG", worst);
    return right;
}

/* One reference for all kernels; of many rows some. */
bool check_large(const shape &s, data kind, int most_rows)
{
    bool right = true;
    double error = 0, worst = 0;
    const problem p(s.m, s.n, s.k, kind, next_seed(), most_rows);
    for (const gemm_kernel *kernel : kernels) {
        right &= p.check(*kernel, &error);
        worst = error > worst ? error : worst;
    }
    std::printf("%d x %d x %d (%s), all kernels: %s; largest error %.2e\n", s.m, s.n, s.k,
                kind == INTEGERS ? "integers" : "reals", right ? "right" : "WRONG", worst);
    return right;
}

bool correct()
{
    bool right = true;
    for (const gemm_kernel *kernel : kernels)
        right &= check_kernel(*kernel, medium_shapes(*kernel));
    right &= check_large({4096, 4096, 4096}, REALS, 1 << 20);
    right &= check_large({8192, 8192, 8192}, REALS, 1 << 20);
    right &= check_large({8192, 8192, 8192}, INTEGERS, 1 << 20);
    /* More than 2^31 elements in A and B, 2^32 in C; and a K of 2^24, where A and B are thin. */
    right &= check_large({66000, 66000, 33000}, INTEGERS, 32);
    right &= check_large({128, 256, (1 << 24) - 16}, INTEGERS, 1 << 20);
    return right;
}

/* Keeps the memory system busy at changing times. */
__global__ void disturb(uint4 *memory, size_t count, unsigned turn)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        memory[i].x += turn;
}

/* Cold caches and a busy memory: copies land late, and not together. */
bool stress(const gemm_kernel &kernel, int runs)
{
    constexpr size_t DISTURBED = 1 << 28;
    cudaStream_t other;
    void *memory = nullptr;
    TRY(cudaMalloc(&memory, DISTURBED));
    TRY(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    const int tiles = kernel.min_tiles + 2 * kernel.tile_multiple;
    const problem few(kernel.block_m * 8, kernel.block_n * 4, kernel.block_k * kernel.min_tiles,
                      INTEGERS, next_seed(), 1 << 20);
    const problem more(kernel.block_m * 8, kernel.block_n * 4, kernel.block_k * tiles, INTEGERS,
                       next_seed(), 1 << 20);
    int wrong_runs = 0;
    unsigned long long wrong = 0;
    for (int run = 0; run < runs; run++) {
        const problem &p = run % 2 ? more : few;
        const unsigned blocks = run % 3 == 0 ? 1 : unsigned(run % 3) * 40;
        disturb<<<blocks, THREADS, 0, other>>>(static_cast<uint4 *>(memory),
                                               DISTURBED / sizeof(uint4) / (blocks < 2 ? 64 : 1),
                                               unsigned(run));
        p.start(kernel);
        const tally t = p.finish();
        wrong_runs += t.wrong != 0;
        wrong += t.wrong;
        TRY(cudaStreamSynchronize(other));
    }
    std::printf("%-20s wrong in %d of %d runs, %llu elements in all\n", kernel.name, wrong_runs,
                runs, wrong);
    TRY(cudaStreamDestroy(other));
    TRY(cudaFree(memory));
    return wrong_runs == 0;
}

bool launch(const shape &s, const char *name)
{
    for (const gemm_kernel *kernel : kernels)
        if (std::strcmp(kernel->name, name) == 0) {
            double error = 0;
            return problem(s.m, s.n, s.k, REALS, next_seed(), 16, dense).check(*kernel, &error);
        }
    std::printf("there is no kernel %s\n", name);
    return false;
}

} // namespace

int main(int argc, char **argv)
{
    bool right = true;
    unsigned seed = std::random_device()();
    if (argc > 3 && std::strcmp(argv[1], "--seed") == 0) {
        seed = unsigned(std::strtoul(argv[2], nullptr, 10));
        argc -= 2;
        argv += 2;
    }
    seeds.seed(seed);
    std::printf("seed %u\n", seed);
    if (argc == 6 && std::strcmp(argv[1], "launch") == 0)
        right = launch({std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4])}, argv[5]);
    else if (argc == 2 && std::strcmp(argv[1], "small") == 0)
        for (const gemm_kernel *kernel : kernels)
            right &= check_kernel(*kernel, small_shapes(*kernel));
    else if (argc == 2 && std::strcmp(argv[1], "correct") == 0)
        right = correct();
    else if (argc == 3 && std::strcmp(argv[1], "stress") == 0 && std::atoi(argv[2]) > 0)
        for (const gemm_kernel *kernel : kernels)
            right &= stress(*kernel, std::atoi(argv[2]));
    else {
        std::printf(
            "usage: check [--seed SEED] small | correct | stress RUNS | launch M N K NAME\n");
        return 2;
    }
    TRY(cudaDeviceSynchronize());
    return right ? 0 : 1;
}
