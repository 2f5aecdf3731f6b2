/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: check [--seeds COUNT] [--first SEED] [NAME...]
 *
 * Runs kernels of integers (all, or those named) with every number of tiles that they take up to MOST_TILES, for each
 * COUNT times under other disturbances, half of them while another kernel works the memory; and compares every sum
 * and every stored result with those of the loop done iteration by iteration on the host. Prints a line for each
 * kernel: launches, launches that went wrong, results, wrong results, and the least number of tiles that went wrong.
 */
#include "kernels.h"
#include "reference.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define X(name) extern "C" const kernel name;
INTEGER_KERNELS
#undef X

static const kernel *const kernels[] = {
#define X(name) &name,
    INTEGER_KERNELS
#undef X
};

enum { MOST_TURNS = 60000 };
static const size_t CHURNED = size_t(1) << 30;

#define CUDA(call) must(call, #call)

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "check: %s: %s\n", what, cudaGetErrorString(error));
    exit(2);
}

static __global__ void fill_inputs(uint4 *inputs, size_t count)
{
    for (size_t c = size_t(blockIdx.x) * blockDim.x + threadIdx.x; c < count;
         c += size_t(gridDim.x) * blockDim.x)
        inputs[c] = input_chunk(c);
}

/* Reads and writes all over a memory that no cache holds, until it is told to stop or has gone on for long. */
static __global__ void churn(uint4 *memory, size_t count, const volatile int *stop)
{
    __shared__ int stops;
    uint32_t at = scramble(blockIdx.x * blockDim.x + threadIdx.x);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        if (threadIdx.x == 0)
            stops = *stop;
        __syncthreads();
        if (stops)
            return;
        for (int i = 0; i < 64; i++) {
            at = at * 1664525u + 1013904223u;
            memory[at % count].x += at;
        }
        __syncthreads();
    }
}

/* Adds the number of chunks that differ to *wrong. */
static __global__ void compare(const uint4 *got, const uint4 *want, size_t got_of_block,
                               size_t want_of_block, size_t count, unsigned long long *wrong)
{
    unsigned long long differ = 0;
    for (size_t c = threadIdx.x; c < count; c += blockDim.x) {
        const uint4 a = got[blockIdx.x * got_of_block + c];
        const uint4 b = want[blockIdx.x * want_of_block + c];
        differ += a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w;
    }
    if (differ)
        atomicAdd(wrong, differ);
}

template <class T> static T *device_array(size_t count)
{
    void *memory = nullptr;
    CUDA(cudaMalloc(&memory, std::max<size_t>(count, 1) * sizeof(T)));
    return static_cast<T *>(memory);
}

static uint4 *device_copy(const std::vector<uint4> &from)
{
    uint4 *to = device_array<uint4>(from.size());
    CUDA(cudaMemcpy(to, from.data(), from.size() * sizeof(uint4), cudaMemcpyHostToDevice));
    return to;
}

/*
 * Other work on the GPU, when it is asked for. While it is under way nothing may be allocated or freed, for
 * that waits until all work is done.
 */
class other_work
{
  public:
    other_work() : memory_(device_array<uint4>(CHURNED / sizeof(uint4)))
    {
        void *stop;
        CUDA(cudaHostAlloc(&stop, sizeof *stop_, cudaHostAllocMapped));
        stop_ = static_cast<volatile int *>(stop);
        CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        /* An SM with another share of shared memory would take no block of a kernel under test. */
        CUDA(cudaFuncSetAttribute(churn, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  cudaSharedmemCarveoutMaxShared));
    }
    void begin()
    {
        *stop_ = 0;
        churn<<<BLOCKS / 2, 256, 0, stream_>>>(memory_, CHURNED / sizeof(uint4), stop_);
        CUDA(cudaGetLastError());
    }
    void end()
    {
        if (cudaStreamQuery(stream_) != cudaErrorNotReady)
            fprintf(stderr, "check: the other work had ended before the launches beside it\n");
        *stop_ = 1;
        CUDA(cudaStreamSynchronize(stream_));
    }

  private:
    uint4 *memory_;
    volatile int *stop_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

/* Of each eight seeds, how the first to the eighth are disturbed. */
static const struct {
    uint32_t odds, span, lanes;
    bool one_warp;
} disturbances[] = {
    {0, 0, 0, false},              /* nobody pauses */
    {16, 511, 0xffffffff, false},  /* all warps, now and then */
    {64, 2047, 0xffffffff, false}, /* often and long */
    {128, 1023, 0xffffffff, true}, /* one slow warp */
    {32, 255, 0xffffffff, false},
    {24, 1023, 0x0000ffff, false}, /* half of the lanes */
    {255, 127, 0xffffffff, true},
    {8, 4095, 0xffffffff, false},
};

static void disturb(launch *l, const kernel &k, uint32_t seed)
{
    const auto &how = disturbances[seed % 8];
    l->seed = seed;
    l->odds = how.odds;
    l->span = how.span;
    l->slow_lanes = how.lanes;
    l->slow_warp = how.one_warp ? int(scramble(seed) % uint32_t(k.threads / 32)) : -1;
}

struct tally {
    unsigned long long launches = 0, wrong_launches = 0, results = 0, wrong_results = 0;
    int least_wrong = -1; /* number of tiles */
};

/* A kernel on the GPU, with its inputs and what it must come to. */
class trial
{
  public:
    trial(const kernel &k, int seeds) : k_(k), wrong_(device_array<unsigned long long>(seeds))
    {
        const reference want = make_reference(k);
        want_sums_ = device_copy(want.sums);
        want_stored_ = device_copy(want.stored);
        l_.inputs_of_block = inputs_of_block(k);
        inputs_ = device_array<uint4>(BLOCKS * l_.inputs_of_block);
        fill_inputs<<<1024, 256>>>(inputs_, BLOCKS * l_.inputs_of_block);
        l_.inputs = inputs_;
        l_.sums = device_array<uint4>(sum_count());
        l_.stored = device_array<uint4>(stored_count());
        CUDA(cudaFuncSetAttribute(k.run, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  shared_bytes()));
        CUDA(cudaFuncSetAttribute(k.run, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  cudaSharedmemCarveoutMaxShared));
        CUDA(cudaDeviceSynchronize());
    }
    ~trial()
    {
        for (uint4 *memory : {want_sums_, want_stored_, inputs_, l_.sums, l_.stored})
            cudaFree(memory);
        cudaFree(wrong_);
    }
    trial(const trial &) = delete;
    trial &operator=(const trial &) = delete;

    /* All numbers of tiles, each with seeds FIRST to FIRST + COUNT - 1. */
    void run(cudaStream_t stream, uint32_t first, int count, tally *total)
    {
        std::vector<unsigned long long> wrong(count);
        for (int n = 0; n <= MOST_TILES; n++) {
            if (!k_.legal(n))
                continue;
            CUDA(cudaMemsetAsync(wrong_, 0, count * sizeof *wrong_, stream));
            for (int s = 0; s < count; s++)
                one(stream, n, first + uint32_t(s), wrong_ + s);
            CUDA(cudaMemcpyAsync(wrong.data(), wrong_, count * sizeof *wrong_,
                                 cudaMemcpyDeviceToHost, stream));
            CUDA(cudaStreamSynchronize(stream));
            for (const unsigned long long w : wrong)
                count_launch(n, w, total);
        }
    }

  private:
    size_t sum_count() const
    {
        return size_t(BLOCKS) * k_.sum_count * k_.threads;
    }
    size_t stored_count() const
    {
        return k_.stores ? size_t(BLOCKS) * MOST_TILES * k_.threads : 0;
    }
    int shared_bytes() const
    {
        return k_.places * k_.chunks * k_.threads * int(sizeof(uint4));
    }

    /* Outputs hold something wrong before. */
    void one(cudaStream_t stream, int n, uint32_t seed, unsigned long long *wrong)
    {
        CUDA(cudaMemsetAsync(l_.sums, 0x5a, sum_count() * sizeof(uint4), stream));
        CUDA(cudaMemsetAsync(l_.stored, 0x5a, stored_count() * sizeof(uint4), stream));
        l_.tiles = n;
        disturb(&l_, k_, seed);
        k_.run<<<BLOCKS, k_.threads, shared_bytes(), stream>>>(l_);
        CUDA(cudaGetLastError());
        const size_t sums = size_t(k_.sum_count) * k_.threads;
        compare<<<BLOCKS, 256, 0, stream>>>(l_.sums, want_sums_ + n * sum_count(), sums, sums, sums,
                                            wrong);
        const size_t stored = k_.stores ? size_t(MOST_TILES) * k_.threads : 0;
        compare<<<BLOCKS, 256, 0, stream>>>(l_.stored, want_stored_, stored, stored,
                                            k_.stores ? size_t(n) * k_.threads : 0, wrong);
        CUDA(cudaGetLastError());
    }

    void count_launch(int n, unsigned long long wrong, tally *total) const
    {
        const size_t each = size_t(k_.sum_count) + (k_.stores ? n : 0);
        total->launches++;
        total->results += each * BLOCKS * k_.threads;
        total->wrong_results += wrong;
        if (wrong == 0)
            return;
        total->wrong_launches++;
        if (total->least_wrong < 0 || n < total->least_wrong)
            total->least_wrong = n;
    }

    const kernel &k_;
    unsigned long long *wrong_; /* of each launch for one number of tiles */
    launch l_ = {};
    uint4 *want_sums_, *want_stored_, *inputs_;
};

static void check(const kernel &k, cudaStream_t stream, other_work &others, uint32_t first,
                  int seeds)
{
    tally total;
    trial t(k, seeds);
    const int quiet = seeds - seeds / 2;
    t.run(stream, first, quiet, &total);
    others.begin();
    t.run(stream, first + uint32_t(quiet), seeds / 2, &total);
    others.end();
    printf("%s %llu %llu %llu %llu %d\n", k.name, total.launches, total.wrong_launches,
           total.results, total.wrong_results, total.least_wrong);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int seeds = 16;
    uint32_t first = 0;
    std::vector<std::string> names;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--seeds") && i + 1 < argc)
            seeds = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--first") && i + 1 < argc)
            first = uint32_t(strtoul(argv[++i], nullptr, 0));
        else
            names.push_back(argv[i]);
    other_work others;
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (const kernel *k : kernels)
        if (names.empty() || std::find(names.begin(), names.end(), k->name) != names.end())
            check(*k, stream, others, first, seeds);
    return 0;
}
