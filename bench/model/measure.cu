/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: measure [--lock FILE] [--repeats N] LIBRARY...
 *
 * Measures the kernels of shared libraries (contestant.h), one JSON object a line: cycles of an iteration of a block, and
 * the seconds of a whole problem, whose result is checked at places of chance. One alone on the GPU holds the lock.
 *
 * Cycles: of two problems of one block for each of 132 multiprocessors, the second with three times the
 * iterations, the median of the blocks' loops by the clock of the multiprocessor; the difference over the iterations
 * between. So the start and the end of a block do not count.
 */
#include "../gpu/data.h"
#include "contestant.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <vector>

namespace
{

constexpr int BLOCKS_M = 11, BLOCKS_N = 12, BLOCKS = BLOCKS_M * BLOCKS_N;
constexpr int DEPTH_GEMM = 3072, DEPTH_ATTENTION = 4096, LONGER = 3; /* of the shorter problem */
constexpr int SIZE_GEMM = 8192, WHOLE_DEPTH_GEMM = 6144, HEADS = 64, LENGTH = 4096;
constexpr size_t ELEMENTS = size_t(SIZE_GEMM) * SIZE_GEMM;
constexpr unsigned SAMPLES = 4096;

struct contestant {
    const char *path;
    decltype(&contestant_describe) describe;
    decltype(&contestant_launch) launch;
    decltype(&contestant_cycles) cycles;
    contestant_shape shape;
};

struct operands {
    bf16 *inputs[3], *output;
    unsigned *wrong;
    cudaEvent_t begin, end;
};

[[noreturn]] void fail(const char *why)
{
    std::fprintf(stderr, "measure: %s\n", why);
    std::exit(2);
}

void *find(void *library, const char *function)
{
    void *const found = dlsym(library, function);
    if (!found)
        fail(dlerror());
    return found;
}

contestant load(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fail(dlerror());
    contestant c = {};
    c.path = path;
    c.describe = reinterpret_cast<decltype(c.describe)>(find(library, "contestant_describe"));
    c.launch = reinterpret_cast<decltype(c.launch)>(find(library, "contestant_launch"));
    c.cycles = reinterpret_cast<decltype(c.cycles)>(find(library, "contestant_cycles"));
    c.shape = c.describe();
    return c;
}

contest block_each(const contestant_shape &shape, int depth)
{
    return {{}, nullptr, BLOCKS_M * shape.rows, BLOCKS_N * shape.columns, depth};
}

contest whole(const contestant_shape &shape)
{
    if (shape.head)
        return {{}, nullptr, LENGTH, HEADS, LENGTH};
    return {{}, nullptr, SIZE_GEMM, SIZE_GEMM, WHOLE_DEPTH_GEMM};
}

void launch(const contestant &c, contest problem, const operands &on)
{
    std::copy(on.inputs, on.inputs + 3, problem.inputs);
    problem.output = on.output;
    TRY(cudaError_t(c.launch(&problem, nullptr)));
}

template <class T> T median(std::vector<T> values)
{
    std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
    return values[values.size() / 2];
}

unsigned loop_cycles(const contestant &c, int depth, const operands &on)
{
    std::vector<unsigned> cycles(BLOCKS);
    launch(c, block_each(c.shape, depth), on);
    TRY(cudaDeviceSynchronize());
    TRY(cudaError_t(c.cycles(cycles.data(), BLOCKS)));
    return median(cycles);
}

double iteration_cycles(const contestant &c, const operands &on)
{
    const int depth = c.shape.head ? DEPTH_ATTENTION : DEPTH_GEMM;
    const unsigned less = loop_cycles(c, depth, on), more = loop_cycles(c, depth * LONGER, on);
    return (double(more) - double(less)) * c.shape.depth / (depth * (LONGER - 1));
}

double seconds(const contestant &c, const operands &on)
{
    float milliseconds = 0;
    TRY(cudaEventRecord(on.begin));
    launch(c, whole(c.shape), on);
    TRY(cudaEventRecord(on.end));
    TRY(cudaEventSynchronize(on.end));
    TRY(cudaEventElapsedTime(&milliseconds, on.begin, on.end));
    return milliseconds * 1e-3;
}

__device__ double dot(const bf16 *a, const bf16 *b, int k)
{
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += double(float(a[i])) * double(float(b[i]));
    return sum;
}

__global__ void check_gemm(contest p, unsigned *wrong)
{
    const auto *a = static_cast<const bf16 *>(p.inputs[0]),
               *b = static_cast<const bf16 *>(p.inputs[1]);
    const uint64_t chance = mix(blockIdx.x * blockDim.x + threadIdx.x);
    const int64_t row = int64_t(chance % unsigned(p.m)),
                  column = int64_t((chance >> 32) % unsigned(p.n));
    const bf16 found = static_cast<const bf16 *>(p.output)[row * p.n + column];
    if (!is_right(found, dot(a + row * p.k, b + column * p.k, p.k), REALS, p.k))
        atomicAdd(wrong, 1);
}

__device__ double sum_of_block(double value)
{
    __shared__ double sums[THREADS];
    __syncthreads();
    sums[threadIdx.x] = value;
    __syncthreads();
    double sum = 0;
    for (unsigned i = 0; i < blockDim.x; i++)
        sum += sums[i];
    return sum;
}

/* One query a block; P is rounded to bf16 in the kernels, and sums of thousands of them are not far off. */
__global__ void check_attention(contest p, int head, unsigned *wrong)
{
    __shared__ float weights[LENGTH];
    const auto *q = static_cast<const bf16 *>(p.inputs[0]),
               *k = static_cast<const bf16 *>(p.inputs[1]),
               *v = static_cast<const bf16 *>(p.inputs[2]),
               *o = static_cast<const bf16 *>(p.output);
    const uint64_t chance = mix(blockIdx.x);
    const int64_t which = int64_t(chance % unsigned(p.n)),
                  row = int64_t((chance >> 32) % unsigned(p.m));
    const bf16 *const keys = k + which * p.k * head, *const values = v + which * p.k * head;
    const int64_t at = (which * p.m + row) * head;
    double own = 0;
    for (int i = int(threadIdx.x); i < p.k; i += int(blockDim.x)) {
        weights[i] = expf(float(dot(q + at, keys + int64_t(i) * head, head)) * rsqrtf(float(head)));
        own += double(weights[i]);
    }
    const double all = sum_of_block(own);
    for (int e = int(threadIdx.x); e < head; e += int(blockDim.x)) {
        double expected = 0;
        for (int i = 0; i < p.k; i++)
            expected += double(weights[i]) * double(float(values[int64_t(i) * head + e]));
        expected /= all;
        if (!(fabs(double(float(o[at + e])) - expected) <= fabs(expected) / 128 + 3e-4))
            atomicAdd(wrong, 1);
    }
}

unsigned count_wrong(const contestant &c, const operands &on)
{
    unsigned wrong = 0;
    contest problem = whole(c.shape);
    TRY(cudaMemset(on.output, 0xff, ELEMENTS * sizeof(bf16)));
    TRY(cudaMemset(on.wrong, 0, sizeof wrong));
    launch(c, problem, on);
    std::copy(on.inputs, on.inputs + 3, problem.inputs);
    problem.output = on.output;
    if (c.shape.head)
        check_attention<<<SAMPLES / 16, THREADS>>>(problem, c.shape.head, on.wrong);
    else
        check_gemm<<<SAMPLES / THREADS, THREADS>>>(problem, on.wrong);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(&wrong, on.wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    return wrong;
}

operands allocate()
{
    operands on = {};
    for (bf16 *&input : on.inputs) {
        TRY(cudaMalloc(&input, ELEMENTS * sizeof(bf16)));
        fill<<<blocks_for(int64_t(ELEMENTS)), THREADS>>>(
            input, SIZE_GEMM, SIZE_GEMM, SIZE_GEMM, REALS, uint64_t(&input - on.inputs) * ELEMENTS);
    }
    TRY(cudaGetLastError());
    TRY(cudaMalloc(&on.output, ELEMENTS * sizeof(bf16)));
    TRY(cudaMalloc(&on.wrong, sizeof *on.wrong));
    TRY(cudaEventCreate(&on.begin));
    TRY(cudaEventCreate(&on.end));
    TRY(cudaDeviceSynchronize());
    return on;
}

void print_list(const char *name, const std::vector<double> &values)
{
    std::printf(", \"%s\": [", name);
    for (size_t i = 0; i < values.size(); i++)
        std::printf("%s%.9g", i ? ", " : "", values[i]);
    std::printf("]");
}

void measure(const contestant &c, const operands &on, int repeats, const char *device)
{
    std::vector<double> cycles, times;
    const unsigned wrong = count_wrong(c, on);
    iteration_cycles(c, on);
    for (int i = 0; i < repeats; i++) {
        cycles.push_back(iteration_cycles(c, on));
        times.push_back(seconds(c, on));
    }
    std::printf("{\"library\": \"%s\", \"device\": \"%s\", \"head\": %d, \"rows\": %d, "
                "\"columns\": %d, \"depth\": %d, "
                "\"wrong\": %u",
                c.path, device, c.shape.head, c.shape.rows, c.shape.columns, c.shape.depth, wrong);
    if (wrong)
        std::printf(", \"error\": \"%u elements are wrong\"", wrong);
    print_list("cycles", cycles);
    print_list("seconds", times);
    std::printf("}\n");
    std::fflush(stdout);
}

/* Without the lock others would run beside what is measured. */
int lock_file(const char *path)
{
    const int lock = open(path, O_RDWR | O_CREAT, 0666);
    if (lock < 0)
        fail("the lock's file cannot be opened");
    return lock;
}

} // namespace

int main(int count, char **arguments)
{
    int lock = -1, repeats = 5, first = 1;
    for (; first + 1 < count && !std::strncmp(arguments[first], "--", 2); first += 2)
        if (!std::strcmp(arguments[first], "--lock"))
            lock = lock_file(arguments[first + 1]);
        else if (!std::strcmp(arguments[first], "--repeats"))
            repeats = std::atoi(arguments[first + 1]);
        else
            fail("the options are --lock and --repeats");
    if (repeats < 1)
        fail("--repeats is 1 or more");
    cudaDeviceProp properties;
    TRY(cudaGetDeviceProperties(&properties, 0));
    if (properties.multiProcessorCount < BLOCKS)
        fail("with fewer than 132 multiprocessors some have two blocks, whose loops take turns");
    const operands on = allocate();
    for (int i = first; i < count; i++) {
        const contestant c = load(arguments[i]);
        if (lock >= 0)
            flock(lock, LOCK_EX);
        measure(c, on, repeats, properties.name);
        if (lock >= 0)
            flock(lock, LOCK_UN);
    }
    return 0;
}
