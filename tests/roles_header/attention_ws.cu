// SPDX-License-Identifier: Apache-2.0
/*
 * Attention forward by the header of the built-in attention_ws, for sm_90a: bf16, rows of 128 elements, lengths that are multiples of 128. With
 * CAUSAL a query sees no later keys; blocks of keys come last one first, so that the one with the diagonal is iteration 0. As a program it checks
 * blocks of queries against 0 to 9 blocks of keys on the GPU that is there.
 */
#include "gemm_sm90.h"

#include <cmath>

#define ATTENTION_KEEP(ctx) keep_registers(ctx)
#define ATTENTION_MBARRIERS(ctx) ((ctx)->mbarriers)

enum { BLOCK = 128, HEAD = 128, HALF = 64 };

/* A block of rows, as two boxes of 64 columns. */
struct tile {
    __nv_bfloat16 columns[2][BLOCK * HALF];
};

struct work {
    unsigned long long *mbarriers;
    const CUtensorMap *keys, *values;
    tile *q, *k, *v;
    int last, instance;
    float scale; /* of scores as powers of two */
    float (&s)[64];
    unsigned (&p)[32];
    float (&o)[64];
    float (&top)[2], (&sum)[2], (&factor)[2];
};

/* P needs no more: what is written to it next follows from S. */
static __device__ __forceinline__ void keep_registers(const work *w)
{
    keep(w->s);
    keep(w->o);
}

#include "attention_ws.h"

/* ---- Wgmmas of 64 rows, 128 columns and a depth of 16 ---- */

/*
 * A matrix from an address on, whose boxes of 64 columns are `apart` bytes from one to the next. Where it is computed the compiler may not move: it would
 * keep those of all slots in registers, which the loop needs.
 */
static __device__ __forceinline__ unsigned place(const __nv_bfloat16 *at, unsigned apart)
{
    unsigned out;
    asm volatile("mov.b32 %0, %1;" : "=r"(out) : "r"(SWP_SHARED_ADDRESS(at) >> 4 | apart << 12));
    return out;
}

static __device__ __forceinline__ unsigned long long matrix_at(unsigned place, int elements)
{
    return (unsigned long long)(64u | 1u << 30) << 32 | (place + elements * 2 / 16);
}

#define FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define SUMS                                                                                       \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                      \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "             \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "             \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}"

static __device__ __forceinline__ void multiply(float (&d)[64], unsigned long long a,
                                                unsigned long long b, int adds)
{
    asm volatile("{ .reg .pred adds; setp.ne.b32 adds, %66, 0;"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " SUMS
                 ", %64, %65, adds, 1, 1, 0, 0; }"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
                 : "l"(a), "l"(b), "r"(adds)
                 : "memory");
}

static __device__ __forceinline__ void add_products(float (&d)[64], const unsigned *a,
                                                    unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 " SUMS
                 ", {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b)
                 : "memory");
}

/* ---- What the header calls ---- */

static __device__ void load(const work *w, tile *to, const CUtensorMap *from, int i,
                            unsigned long long *mbarrier)
{
    for (int half = 0; half < 2; half++)
        copy(to->columns[half], from, (w->last - i) * BLOCK, half * HALF, mbarrier);
}

static __device__ void multiply_keys(const work *w, const tile *k)
{
    const unsigned queries = place(w->q->columns[0] + w->instance * HALF * HALF, 16);
    const unsigned keys = place(k->columns[0], 16);
#pragma unroll
    for (int e = 0; e < HEAD; e += 16)
        multiply(w->s, matrix_at(queries, e / HALF * BLOCK * HALF + e % HALF),
                 matrix_at(keys, e / HALF * BLOCK * HALF + e % HALF), e > 0);
}

static __device__ void multiply_values(const work *w, const tile *v)
{
    const unsigned values = place(v->columns[0], BLOCK * HALF * 2);
#pragma unroll
    for (int i = 0; i < BLOCK; i += 16)
        add_products(w->o, w->p + i / 4, matrix_at(values, i * HALF));
}

#ifdef CAUSAL
/* Of a thread's 64 scores four in a row are of two neighbouring columns, first in its upper row, then in its lower one. */
static __device__ void mask(const work *w, int i)
{
    const int row = w->instance * 64 + threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4;
    const int last = row - threadIdx.x % 4 * 2;
    if (i > 0)
        return;
#pragma unroll
    for (int x = 0; x < 64; x++)
        if (x / 4 * 8 + x % 2 - x % 4 / 2 * 8 > last)
            w->s[x] = -INFINITY;
}
#endif

static __device__ __forceinline__ float power(float exponent)
{
    float out;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(exponent));
    return out;
}

/* A row is shared out to four threads. */
template <typename Combine> static __device__ float of_row(float own, Combine combine)
{
    own = combine(own, __shfl_xor_sync(~0u, own, 1));
    return combine(own, __shfl_xor_sync(~0u, own, 2));
}

static __device__ void take_maximum(const work *w)
{
#pragma unroll
    for (int lower = 0; lower < 2; lower++) {
        float top = w->top[lower];
#pragma unroll
        for (int x = 2 * lower; x < 64; x += 4)
            top = fmaxf(top, fmaxf(w->s[x], w->s[x + 1]));
        top = of_row(top, [](float a, float b) { return fmaxf(a, b); });
        w->factor[lower] = power((w->top[lower] - top) * w->scale);
        w->top[lower] = top;
    }
}

static __device__ void exponentiate(const work *w)
{
    const float tops[] = {w->top[0] * w->scale, w->top[1] * w->scale};
#pragma unroll
    for (int x = 0; x < 64; x += 2) {
        const float top = tops[x % 4 / 2];
        const __nv_bfloat162 two = __floats2bfloat162_rn(power(w->s[x] * w->scale - top),
                                                         power(w->s[x + 1] * w->scale - top));
        memcpy(&w->p[x / 2], &two, sizeof two);
    }
}

static __device__ void add_up(const work *w)
{
#pragma unroll
    for (int lower = 0; lower < 2; lower++) {
        w->sum[lower] *= w->factor[lower];
#pragma unroll
        for (int x = lower; x < 32; x += 2)
            w->sum[lower] +=
                __uint_as_float(w->p[x] << 16) + __uint_as_float(w->p[x] & 0xffff0000u);
    }
}

static __device__ void rescale(const work *w)
{
#pragma unroll
    for (int x = 0; x < 64; x++)
        w->o[x] *= w->factor[x % 4 / 2];
}

#define ATTENTION_LOAD_K(ctx, i, K, mbarrier, bytes)                                               \
    load(ctx, &(ctx)->k[K], (ctx)->keys, i, mbarrier)
#define ATTENTION_LOAD_V(ctx, i, V, mbarrier, bytes)                                               \
    load(ctx, &(ctx)->v[V], (ctx)->values, i, mbarrier)
#define ATTENTION_QK(ctx, i, S, K) multiply_keys(ctx, &(ctx)->k[K])
#define ATTENTION_MASK(ctx, i, S) mask(ctx, i)
#define ATTENTION_ROW_MAX(ctx, i, scale, m, S) take_maximum(ctx)
#define ATTENTION_EXP(ctx, i, P, S, m) exponentiate(ctx)
#define ATTENTION_ROW_SUM(ctx, i, l, P, scale) add_up(ctx)
#define ATTENTION_RESCALE(ctx, i, O, scale) rescale(ctx)
#define ATTENTION_PV(ctx, i, O, P, V) multiply_values(ctx, &(ctx)->v[V])

/* ---- The kernel ---- */

static __device__ void store_rows(const work *w, __nv_bfloat16 *out)
{
    const int row = w->instance * 64 + threadIdx.x / 32 % 4 * 16 + threadIdx.x % 32 / 4;
#pragma unroll
    for (int lower = 0; lower < 2; lower++) {
        const float sum = of_row(w->sum[lower], [](float a, float b) { return a + b; });
        const float part = sum > 0 ? 1 / sum : 0;
#pragma unroll
        for (int x = 2 * lower; x < 64; x += 4)
            *(__nv_bfloat162 *)(out + (row + 8 * lower) * HEAD + x / 4 * 8 + threadIdx.x % 4 * 2) =
                __floats2bfloat162_rn(w->o[x] * part, w->o[x + 1] * part);
    }
}

/* Queries do not change, so the loop knows nothing of them: they are there before it. */
static __device__ void load_queries(tile *q, const CUtensorMap *from, unsigned long long *mbarrier)
{
    if (threadIdx.x == 0) {
        SWP_MBARRIER_INIT(mbarrier, 1);
        SWP_MBARRIER_INIT_FENCE();
        SWP_MBARRIER_ARRIVE_EXPECT(mbarrier, (int)sizeof *q);
        for (int half = 0; half < 2; half++)
            copy(q->columns[half], from, int(blockIdx.x) * BLOCK, half * HALF, mbarrier);
    }
    __syncthreads();
    SWP_MBARRIER_WAIT(mbarrier, 0);
}

/* One block of queries each; `blocks` of keys and values, or as many as the block of queries sees. */
static __global__ void __launch_bounds__(ATTENTION_THREADS, 1)
    attention(const __grid_constant__ CUtensorMap queries, const __grid_constant__ CUtensorMap keys,
              const __grid_constant__ CUtensorMap values, __nv_bfloat16 *out, int blocks,
              float scale)
{
    extern __shared__ __align__(1024) tile tiles[];
    __shared__ unsigned long long mbarriers[ATTENTION_MBARRIER_COUNT], queries_here;
    const int warp = SWP_WARP(), instance = ATTENTION_INSTANCE_OF(warp);
#ifdef CAUSAL
    const int n_tiles = int(blockIdx.x) < blocks ? int(blockIdx.x) + 1 : 0;
#else
    const int n_tiles = blocks;
#endif
    float s[64], o[64], top[2] = {-INFINITY, -INFINITY}, sum[2] = {}, factor[2];
    unsigned p[32];
    tile *k = tiles + 1, *v = k + ATTENTION_SLOTS_K;
    work own = {mbarriers, &keys, &values, tiles, k,   v,   n_tiles - 1, instance,
                scale,     s,     p,       o,     top, sum, factor};
    load_queries(tiles, &queries, &queries_here);
    ATTENTION_INIT(&own);
    if (ATTENTION_ROLE_OF(warp) == ATTENTION_ROLE_PRODUCER) {
        ATTENTION_ENTER_PRODUCER(&own);
        ATTENTION_RUN_PRODUCER(&own, instance, n_tiles);
    } else {
        ATTENTION_ENTER_CONSUMER(&own);
        for (float &x : o)
            x = 0;
        ATTENTION_RUN_CONSUMER(&own, instance, n_tiles);
        store_rows(&own, out + size_t(blockIdx.x) * BLOCK * HEAD);
    }
}

/* ---- The check ---- */

static double dot(int row, int key)
{
    double sum = 0;
    for (int e = 0; e < HEAD; e++)
        sum += double(element(row, e)) * element(key + 3, e);
    return sum;
}

/* Of a row, how far the GPU's is from it. */
static double error_of_row(const __nv_bfloat16 *got, int row, int keys, double scale)
{
    std::vector<double> scores(keys), out(HEAD);
    double top = -INFINITY, sum = 0, worst = 0;
    for (int key = 0; key < keys; key++)
        top = std::fmax(top, scores[key] = dot(row, key) * scale);
    for (int key = 0; key < keys; key++) {
        const double part = std::exp(scores[key] - top);
        sum += part;
        for (int e = 0; e < HEAD; e++)
            out[e] += part * element(key + 5, e);
    }
    for (int e = 0; e < HEAD; e++)
        worst =
            std::fmax(worst, std::fabs(out[e] / (keys > 0 ? sum : 1) - __bfloat162float(got[e])));
    return worst;
}

int main()
{
    enum { BLOCKS = 9, SHARED = sizeof(tile) * (1 + 2 * ATTENTION_SLOTS_K) };
    const double scale = 1.0 / 1024;
    const int rows = BLOCKS * BLOCK;
    int wrong = 0;
    __nv_bfloat16 *q = matrix_of(rows, HEAD), *k = matrix_of(rows + 3, HEAD) + 3 * HEAD;
    __nv_bfloat16 *v = matrix_of(rows + 5, HEAD) + 5 * HEAD, *out = nullptr;
    cudaMalloc(&out, sizeof *out * rows * HEAD);
    cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);
    for (int n = 0; n <= BLOCKS; n++) {
        std::vector<__nv_bfloat16> host(size_t(rows) * HEAD);
        attention<<<BLOCKS, ATTENTION_THREADS, SHARED>>>(
            map_of(q, rows, HEAD, BLOCK), map_of(k, rows, HEAD, BLOCK),
            map_of(v, rows, HEAD, BLOCK), out, n, float(scale * 1.4426950408889634));
        const cudaError_t error =
            cudaMemcpy(host.data(), out, host.size() * sizeof *out, cudaMemcpyDeviceToHost);
        double worst = 0;
        for (int row = 0; row < rows; row += 37) {
#ifdef CAUSAL
            const int keys = row / BLOCK < n ? row + 1 : 0;
#else
            const int keys = n * BLOCK;
#endif
            worst = std::fmax(worst, error_of_row(&host[size_t(row) * HEAD], row, keys, scale));
        }
        if (error != cudaSuccess || !(worst < 0.05))
            std::printf("%d blocks: %s, off by %g\n", n, cudaGetErrorString(error), worst);
        wrong += error != cudaSuccess || !(worst < 0.05);
    }
    std::printf("%d of %d are wrong\n", wrong, BLOCKS + 1);
    return wrong > 0;
}
