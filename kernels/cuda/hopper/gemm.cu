/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GEMM for sm_90a around the header of gemm.yaml: what its ops are to a thread. The kernel runs once on
 * every multiprocessor and takes block after block of C.
 *
 * Build once for each variant, with -DSCHEDULE_HEADER="\"x.h\"" -DGEMM_NAME=x -DGEMM_ELEMENT=TYPE, where TYPE is
 * __nv_bfloat16 or __nv_fp8_e4m3; it defines the gemm_variant `gemm_x`.
 */
#include "epilogue.h"
#include "gemm_variant.h"
#include "quads.h"
#include <tensor_copies.h> /* not "tensor_copies.h": tests/cuda/hopper puts others before these */
#include <wgmma.h>

#define GEMM_MBARRIERS(ctx) ((ctx).mbarriers)
#define GEMM_KEEP(ctx) (ctx).keep()
#include SCHEDULE_HEADER

namespace
{

using element = GEMM_ELEMENT;
constexpr int OWN_ROWS = 64; /* of a consumer */
constexpr int ROWS = OWN_ROWS * GEMM_INSTANCES_CONSUMER, ROW_BYTES = GEMM_BYTES_A / ROWS;
constexpr int COLUMNS = GEMM_BYTES_B / ROW_BYTES, DEPTH = ROW_BYTES / int(sizeof(element));
constexpr int SUMS = COLUMNS / 2; /* of a thread: a warp group has 64 rows */
constexpr int SLOT_BYTES = GEMM_BYTES_A + GEMM_BYTES_B;
static_assert(GEMM_SLOTS_A == GEMM_SLOTS_B, "A and B are copied together");
#ifdef GEMM_BYTES_P
constexpr bool PROMOTED = true;
#else
constexpr bool PROMOTED = false;
#endif
constexpr int SHARED_BYTES = GEMM_SLOTS_A * SLOT_BYTES;

/* A thread's part of a block of C. */
struct block_of_c {
    unsigned long long *mbarriers;
    uint32_t shared;
    const CUtensorMap *a, *b;
    int row, column; /* of the block's first element */
    int instance;
    float (&sums)[SUMS];
    float (&products)[SUMS]; /* of an iteration, where they are added up outside the matrix unit */

    __device__ __forceinline__ uint32_t tile_a(int slot) const
    {
        return shared + uint32_t(slot * SLOT_BYTES);
    }
    __device__ __forceinline__ uint32_t tile_b(int slot) const
    {
        return tile_a(slot) + GEMM_BYTES_A;
    }

    /* What the wgmmas in flight still write must stay where it is. */
    __device__ __forceinline__ void keep()
    {
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            keep_register(products[i]);
    }

    [[maybe_unused]] __device__ __forceinline__ void add()
    {
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sums[i] += products[i];
    }

    /* The products, too: what goes from one block to the next would take registers in between. */
    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < SUMS; i++)
            sums[i] = products[i] = 0;
    }

    __device__ __forceinline__ void load(int i, int slot, unsigned long long *mbarrier) const
    {
        const uint32_t landing = SWP_SHARED_ADDRESS(mbarrier);
        copy_box(tile_a(slot), a, i * DEPTH, row, landing);
        copy_box(tile_b(slot), b, i * DEPTH, column, landing);
    }
    __device__ __forceinline__ void multiply(int slot)
    {
        const tile_descriptor<ROW_BYTES> own(tile_a(slot) +
                                             uint32_t(instance * OWN_ROWS * ROW_BYTES)),
            other(tile_b(slot));
        const int overwrites = int(unknown(0));
#pragma unroll
        for (uint32_t k = 0; k < ROW_BYTES; k += 32)
            wgmma(element{}, products, own + k, other + k, PROMOTED && k == 0 ? overwrites : 1);
    }
};

/* Eight elements, or those of them that C has. */
__device__ __forceinline__ void store_eight(const gemm_output &c, int row, int column,
                                            const uint32_t (&pairs)[4])
{
    if (row >= c.m || column >= c.n)
        return;
    __nv_bfloat16 *to = c.at + int64_t(row) * c.stride + column;
    if (column + 8 <= c.n) {
        *reinterpret_cast<uint4 *>(to) = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        if (column + i < c.n)
            reinterpret_cast<uint16_t *>(to)[i] = uint16_t(pairs[i / 2] >> i % 2 * 16);
}

/* A warp has 16 rows, a thread of it two of these; a quad stores 32 columns of one at a time. */
template <class EPILOGUE>
__device__ __forceinline__ void store(const block_of_c &block, const gemm_output &c,
                                      const EPILOGUE &epilogue)
{
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32 % 4, q = lane % 4;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int row = block.row + block.instance * OWN_ROWS + warp * 16 + half * 8 + lane / 4;
#pragma unroll
        for (int group = 0; group < COLUMNS / 32; group++) {
            uint32_t pairs[4];
#pragma unroll
            for (int eight = 0; eight < 4; eight++) {
                const int at = (group * 4 + eight) * 4 + half * 2;
                const int column = block.column + group * 32 + eight * 8 + q * 2;
                pairs[eight] = pack(epilogue(block.sums[at], column),
                                    epilogue(block.sums[at + 1], column + 1));
            }
            transpose_quad(pairs);
            store_eight(c, row, block.column + group * 32 + q * 8, pairs);
        }
    }
}

/* Blocks in bands of rows, so that those in work at one time share what they read in L2. */
__device__ __forceinline__ void place(block_of_c &block, int tile, const gemm_order &order)
{
    const int in_band = order.band * order.blocks_n, first = tile / in_band * order.band;
    const int rows = min(order.band, order.blocks_m - first), at = tile % in_band;
    block.row = (first + at % rows) * ROWS;
    block.column = at / rows * COLUMNS;
}

#define GEMM_CLEAR(ctx, i, C) (ctx).clear()
#define GEMM_LOAD(ctx, i, A, B, mbarrier, bytes) (ctx).load(i, A, mbarrier)
#define GEMM_MMA(ctx, i, C_or_P, A, B) (ctx).multiply(A)
#define GEMM_ADD(ctx, i, C, P) (ctx).add()
#define GEMM_STORE(ctx, i, C) store(ctx, c, epilogue)

template <class EPILOGUE>
__global__ void __launch_bounds__(GEMM_THREADS, 1)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
         const gemm_output c, const gemm_order order, const epilogue_arguments arguments,
         const int n_tiles)
{
    unsigned char *const shared = dynamic_shared();
    __shared__ unsigned long long mbarriers[GEMM_MBARRIER_COUNT];
    const int warp = SWP_WARP(), instance = GEMM_INSTANCE_OF(warp);
    float sums[SUMS], products[SUMS];
    block_of_c block = {mbarriers, SWP_SHARED_ADDRESS(shared), &a, &b, 0, 0, instance,
                        sums,      PROMOTED ? products : sums};
    const EPILOGUE epilogue(arguments);
    const int blocks = order.blocks_m * order.blocks_n;
    GEMM_STATE state = GEMM_FIRST_STATE;
    GEMM_INIT(block);
    if (GEMM_ROLE_OF(warp) == GEMM_ROLE_PRODUCER) {
        GEMM_ENTER_PRODUCER(block);
        for (int tile = int(blockIdx.x); tile < blocks; tile += int(gridDim.x)) {
            place(block, tile, order);
            GEMM_RUN_PRODUCER(block, instance, state, n_tiles);
        }
        GEMM_DRAIN_PRODUCER(block, instance, state);
    } else {
        GEMM_ENTER_CONSUMER(block);
        for (int tile = int(blockIdx.x); tile < blocks; tile += int(gridDim.x)) {
            place(block, tile, order);
            GEMM_RUN_CONSUMER(block, instance, state, n_tiles);
        }
        GEMM_DRAIN_CONSUMER(block, instance, state);
    }
}

template <class EPILOGUE>
cudaError_t launch_with(const swp_gemm &g, const CUtensorMap &a, const CUtensorMap &b, int band,
                        int multiprocessors, cudaStream_t stream)
{
    const cudaError_t error = cudaFuncSetAttribute(
        gemm<EPILOGUE>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    if (error != cudaSuccess)
        return error;
    const gemm_order order = {divide_up(g.m, ROWS), divide_up(g.n, COLUMNS), band};
    const int64_t blocks = int64_t(order.blocks_m) * order.blocks_n;
    const gemm_output c = {static_cast<__nv_bfloat16 *>(g.c), g.m, g.n, g.ldc};
    cudaLaunchConfig_t config = {};
    config.gridDim = unsigned(blocks < multiprocessors ? blocks : multiprocessors);
    config.blockDim = GEMM_THREADS;
    config.dynamicSmemBytes = SHARED_BYTES;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, gemm<EPILOGUE>, a, b, c, order, epilogue_arguments(g),
                              divide_up(g.k, DEPTH));
}

cudaError_t launch(const swp_gemm &g, int band, int multiprocessors, cudaStream_t stream)
{
    const auto size = [](int n) { return cuuint64_t(n); };
    const tensor of_a = {g.a, 2, {size(g.k), size(g.m)}, {1, cuuint64_t(g.lda)}};
    const tensor of_b = {g.b, 2, {size(g.k), size(g.n)}, {1, cuuint64_t(g.ldb)}};
    CUtensorMap a, b;
    cudaError_t error = make_tensor_map<element>(&a, of_a, ROWS, ROW_BYTES);
    if (error == cudaSuccess)
        error = make_tensor_map<element>(&b, of_b, COLUMNS, ROW_BYTES);
    if (error != cudaSuccess)
        return error;
    const bool plain = !g.scale_a && !g.scale_b && !g.bias && g.activation == SWP_ACTIVATION_NONE;
    return (plain ? launch_with<nothing>
                  : launch_with<scale_bias_activation>)(g, a, b, band, multiprocessors, stream);
}

} // namespace

GEMM_DEFINE_VARIANT(GEMM_NAME, ROWS, COLUMNS, launch)
