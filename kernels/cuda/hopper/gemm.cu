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
#include "iteration.h"
#include <tensor_copies.h> /* not "tensor_copies.h": tests/cuda/hopper puts others before these */
#include <wgmma.h>

#define GEMM_MBARRIERS(ctx) ((ctx).mbarriers)
#define GEMM_KEEP(ctx) (ctx).keep()
#ifndef SWP_BAD_TILES /* no fault: it takes registers, and the host passes what the schedule takes */
#define SWP_BAD_TILES(ctx, n) __builtin_unreachable()
#endif
#include SCHEDULE_HEADER
static_assert(GEMM_MIN_TILES <= 1, "any k is taken");
#ifndef GEMM_COLUMN_COST
#define GEMM_COLUMN_COST 100
#endif
#ifndef GEMM_START_COST
#define GEMM_START_COST 0
#endif

namespace
{

using element = GEMM_ELEMENT;
constexpr int OWN_ROWS = 64; /* of a consumer */
constexpr int ROWS = OWN_ROWS * GEMM_INSTANCES_CONSUMER, ROW_BYTES = GEMM_BYTES_A / ROWS;
constexpr int COLUMNS = GEMM_BYTES_B / ROW_BYTES, DEPTH = ROW_BYTES / int(sizeof(element));
constexpr int SLOT_BYTES = GEMM_BYTES_A + GEMM_BYTES_B;
static_assert(GEMM_SLOTS_A == GEMM_SLOTS_B, "A and B are copied together");
/* C's columns, in parts that a consumer multiplies one after the other; a thread's sums, as a warp group has 64 rows. */
#ifdef GEMM_BYTES_C1
constexpr int PARTS = 2;
#else
constexpr int PARTS = 1;
#endif
constexpr int PART_COLUMNS = COLUMNS / PARTS, PART_SUMS = PART_COLUMNS / 2;
/* Sets of the products of a part, where they are added up outside the matrix unit. */
#if defined(GEMM_BYTES_P1)
constexpr int SETS = 2;
#elif defined(GEMM_BYTES_P0)
constexpr int SETS = GEMM_SLOTS_P0;
#else
constexpr int SETS = 0;
#endif
/* Work groups of a cluster have blocks of C one below the other, and each copies a part of their block of B to all. */
#ifdef GEMM_CLUSTER
constexpr int CLUSTER = GEMM_CLUSTER;
#define GEMM_CLUSTER_DIMS __cluster_dims__(GEMM_CLUSTER, 1, 1)
__device__ __forceinline__ int rank_in_cluster()
{
    return SWP_CLUSTER_RANK();
}
#else
constexpr int CLUSTER = 1;
#define GEMM_CLUSTER_DIMS
__device__ __forceinline__ int rank_in_cluster()
{
    return 0;
}
#endif
constexpr int SHARE_COLUMNS = COLUMNS / CLUSTER, SHARE_BYTES = GEMM_BYTES_B / CLUSTER;
static_assert(COLUMNS % CLUSTER == 0 && SHARE_BYTES % 1024 == 0, "shares are swizzled alike");
/* Of C a consumer stages its rows, in pieces of so many columns and boxes of 64. */
constexpr int PIECE_COLUMNS = GEMM_BYTES_STAGED / (ROWS * 2), BOX_COLUMNS = 64;
constexpr int BOX_BYTES = OWN_ROWS * BOX_COLUMNS * 2;
constexpr int STAGED = GEMM_SLOTS_A * SLOT_BYTES;
constexpr int OWN_STAGED_BYTES = OWN_ROWS * PIECE_COLUMNS * 2;
constexpr int SHARED_BYTES = STAGED + GEMM_BYTES_STAGED;
static_assert(COLUMNS % PIECE_COLUMNS == 0 && PIECE_COLUMNS % BOX_COLUMNS == 0,
              "pieces are whole boxes");

/* A thread's part of a block of C. */
struct block_of_c {
    unsigned long long *mbarriers;
    uint32_t shared;
    const CUtensorMap *a, *b, *c;
    int row, column; /* of the block's first element */
    int instance;
    float (&sums)[PARTS][PART_SUMS];
    float (&products)[SETS + 1][PART_SUMS];

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
        if constexpr (SETS == 0)
            keep_all(sums, PARTS);
        else
            keep_all(products, SETS);
    }

    template <int PART> __device__ __forceinline__ void add(int set)
    {
#pragma unroll
        for (int i = 0; i < PART_SUMS; i++)
            sums[PART][i] += products[set][i];
    }

    /* The products, too: what goes from one block to the next would take registers in between. */
    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < PART_SUMS; i++) {
#pragma unroll
            for (int part = 0; part < PARTS; part++)
                sums[part][i] = 0;
#pragma unroll
            for (int set = 0; set < SETS; set++)
                products[set][i] = 0;
        }
    }

    __device__ __forceinline__ void load_a(int i, int slot, unsigned long long *mbarrier) const
    {
        copy_box(tile_a(slot), a, i * DEPTH, row, SWP_SHARED_ADDRESS(mbarrier));
    }
    __device__ __forceinline__ void load_b(int i, int slot, unsigned long long *mbarrier,
                                           uint16_t ranks = 1) const
    {
        const int rank = rank_in_cluster(), of_share = column + rank * SHARE_COLUMNS;
        const uint32_t to = tile_b(slot) + uint32_t(rank * SHARE_BYTES);
        if constexpr (CLUSTER == 1)
            copy_box(to, b, i * DEPTH, of_share, SWP_SHARED_ADDRESS(mbarrier));
        else
            copy_box_to(ranks, to, b, i * DEPTH, of_share, SWP_SHARED_ADDRESS(mbarrier));
    }
    template <int PART> __device__ __forceinline__ void multiply(int set, int slot)
    {
        const tile_descriptor<ROW_BYTES> own(tile_a(slot) +
                                             uint32_t(instance * OWN_ROWS * ROW_BYTES)),
            other(tile_b(slot) + uint32_t(PART * PART_COLUMNS * ROW_BYTES));
        const int overwrites = int(unknown(0));
#pragma unroll
        for (uint32_t k = 0; k < ROW_BYTES; k += 32)
            if constexpr (SETS == 0)
                wgmma(element{}, sums[PART], own + k, other + k, 1);
            else
                wgmma(element{}, products[set], own + k, other + k, k == 0 ? overwrites : 1);
    }

  private:
    static __device__ __forceinline__ void keep_all(float (*registers)[PART_SUMS], int count)
    {
#pragma unroll
        for (int set = 0; set < count; set++)
#pragma unroll
            for (int i = 0; i < PART_SUMS; i++)
                keep_register(registers[set][i]);
    }
};

__device__ __forceinline__ uint32_t staged(const block_of_c &block)
{
    return block.shared + uint32_t(STAGED + block.instance * OWN_STAGED_BYTES);
}

/*
 * A warp has 16 rows, as pairs of matrices of 8 x 8 one below the other. Two such pairs side by side are stored at a time, where
 * thread t says where row t % 8 of the matrix t / 8 goes.
 */
template <int PIECE, class EPILOGUE>
__device__ __forceinline__ void stage(const block_of_c &block, const EPILOGUE &epilogue)
{
    const int lane = int(threadIdx.x) % 32, row = int(threadIdx.x) / 32 % 4 * 16 + lane % 16;
    const uint32_t to = staged(block) + uint32_t(row * BOX_COLUMNS * 2);
#pragma unroll
    for (int column = 0; column < PIECE_COLUMNS; column += 16) {
        const int of_block = PIECE * PIECE_COLUMNS + column;
        uint32_t pairs[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int at = of_block / 2 + i * 2;
            const int of_pair = block.column + of_block + i / 2 * 8 + lane % 4 * 2;
            const float *const two = &block.sums[at / PART_SUMS][at % PART_SUMS];
            pairs[i] = pack(epilogue(two[0], of_pair), epilogue(two[1], of_pair + 1));
        }
        const int sixteen_bytes = column % BOX_COLUMNS / 8 + lane / 16;
        store_matrices(
            to + uint32_t(column / BOX_COLUMNS * BOX_BYTES + ((sixteen_bytes ^ row % 8) << 4)),
            pairs);
    }
}

/* Beyond the last row and column nothing is stored. */
template <int PIECE> __device__ __forceinline__ void store(const block_of_c &block)
{
#pragma unroll
    for (int column = 0; column < PIECE_COLUMNS; column += BOX_COLUMNS)
        store_box(block.c, block.column + PIECE * PIECE_COLUMNS + column,
                  block.row + block.instance * OWN_ROWS,
                  staged(block) + uint32_t(column / BOX_COLUMNS * BOX_BYTES));
}

/* Blocks of clusters in bands of rows, so that those in work at one time share what they read in L2. */
__device__ __forceinline__ void place(block_of_c &block, int tile, const gemm_order &order)
{
    const int in_band = order.band * order.blocks_n, first = tile / in_band * order.band;
    const int rows = min(order.band, order.blocks_m - first), at = tile % in_band;
    block.row = ((first + at % rows) * CLUSTER + rank_in_cluster()) * ROWS;
    block.column = at / rows * COLUMNS;
}

#define GEMM_CLEAR(ctx, ...) (ctx).clear()
#define GEMM_LOAD(ctx, i, A, B, mbarrier, bytes)                                                   \
    ((ctx).load_a(i, A, mbarrier), (ctx).load_b(i, A, mbarrier))
#define GEMM_LOAD_A(ctx, i, A, mbarrier, bytes) (ctx).load_a(i, A, mbarrier)
#define GEMM_LOAD_B(ctx, i, B, mbarrier, bytes, mask) (ctx).load_b(i, B, mbarrier, mask)
/* Two sets are of one part in turns, or of a part each. */
#define GEMM_SET(part, i) (PARTS == 1 && SETS > 1 ? REGISTER_SLOT(i, 2) : part < SETS ? part : 0)
#define GEMM_MMA0(ctx, i, C_or_P, A, B) (ctx).multiply<0>(GEMM_SET(0, i), A)
#define GEMM_MMA1(ctx, i, C_or_P, A, B) (ctx).multiply<1>(GEMM_SET(1, i), A)
#define GEMM_ADD0(ctx, i, C, P) (ctx).add<0>(GEMM_SET(0, i))
#define GEMM_ADD1(ctx, i, C, P) (ctx).add<1>(GEMM_SET(1, i))
#define GEMM_STAGE0(ctx, ...) stage<0>(ctx, epilogue)
#define GEMM_STORE0(ctx, ...) store<0>(ctx)
#define GEMM_STAGE1(ctx, ...) stage<1>(ctx, epilogue)
#define GEMM_STORE1(ctx, ...) store<1>(ctx)

template <class EPILOGUE>
__global__ void GEMM_CLUSTER_DIMS __launch_bounds__(GEMM_THREADS, 1)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
         const __grid_constant__ CUtensorMap c, const gemm_order order,
         const epilogue_arguments arguments, const int n_tiles)
{
    unsigned char *const shared = dynamic_shared();
    __shared__ unsigned long long mbarriers[GEMM_MBARRIER_COUNT];
    const int warp = SWP_WARP(), instance = GEMM_INSTANCE_OF(warp);
    float sums[PARTS][PART_SUMS], products[SETS + 1][PART_SUMS];
    block_of_c block = {mbarriers, SWP_SHARED_ADDRESS(shared), &a, &b, &c, 0, 0, instance, sums,
                        products};
    const EPILOGUE epilogue(arguments);
    const int blocks = order.blocks_m * order.blocks_n;
    const int first = int(blockIdx.x) / CLUSTER, step = int(gridDim.x) / CLUSTER;
    GEMM_STATE state = GEMM_FIRST_STATE;
    GEMM_INIT(block);
    if (GEMM_ROLE_OF(warp) == GEMM_ROLE_PRODUCER) {
        GEMM_ENTER_PRODUCER(block);
        for (int tile = first; tile < blocks; tile += step) {
            place(block, tile, order);
            GEMM_RUN_PRODUCER(block, instance, state, n_tiles);
        }
        GEMM_DRAIN_PRODUCER(block, instance, state);
    } else {
        GEMM_ENTER_CONSUMER(block);
        for (int tile = first; tile < blocks; tile += step) {
            place(block, tile, order);
            GEMM_RUN_CONSUMER(block, instance, state, n_tiles);
        }
        GEMM_DRAIN_CONSUMER(block, instance, state);
    }
}

template <class EPILOGUE>
cudaError_t launch_with(const swp_gemm &g, const CUtensorMap (&maps)[3], int band,
                        int multiprocessors, cudaStream_t stream)
{
    const cudaError_t error = cudaFuncSetAttribute(
        gemm<EPILOGUE>, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES);
    if (error != cudaSuccess)
        return error;
    const gemm_order order = {divide_up(g.m, ROWS * CLUSTER), divide_up(g.n, COLUMNS),
                              divide_up(band, CLUSTER)};
    const int64_t blocks = int64_t(order.blocks_m) * order.blocks_n;
    const int clusters = multiprocessors < CLUSTER ? 1 : multiprocessors / CLUSTER;
    /* As GEMM_CLUSTER_DIMS has it, by which the compiled kernel says its cluster to the audit; an emulation sees the launch alone. */
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {CLUSTER, 1, 1};
    cudaLaunchConfig_t config = {};
    config.attrs = &cluster;
    config.numAttrs = CLUSTER > 1;
    config.gridDim = unsigned(blocks < clusters ? blocks : clusters) * CLUSTER;
    config.blockDim = GEMM_THREADS;
    config.dynamicSmemBytes = SHARED_BYTES;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, gemm<EPILOGUE>, maps[0], maps[1], maps[2], order,
                              epilogue_arguments(g), divide_up(g.k, DEPTH));
}

cudaError_t launch(const swp_gemm &g, int band, int multiprocessors, cudaStream_t stream)
{
    const auto size = [](int n) { return cuuint64_t(n); };
    const tensor of_a = {g.a, 2, {size(g.k), size(g.m)}, {1, cuuint64_t(g.lda)}};
    const tensor of_b = {g.b, 2, {size(g.k), size(g.n)}, {1, cuuint64_t(g.ldb)}};
    const tensor of_c = {g.c, 2, {size(g.n), size(g.m)}, {1, cuuint64_t(g.ldc)}};
    CUtensorMap maps[3];
    cudaError_t error = make_tensor_map<element>(&maps[0], of_a, ROWS, ROW_BYTES);
    if (error == cudaSuccess)
        error = make_tensor_map<element>(&maps[1], of_b, SHARE_COLUMNS, ROW_BYTES);
    if (error == cudaSuccess)
        error = make_tensor_map<__nv_bfloat16>(&maps[2], of_c, OWN_ROWS, BOX_COLUMNS * 2);
    if (error != cudaSuccess)
        return error;
    const bool plain = !g.scale_a && !g.scale_b && !g.bias && g.activation == SWP_ACTIVATION_NONE;
#ifdef GEMM_PLAIN_ONLY /* benchmarks compile what they run */
    return plain ? launch_with<nothing>(g, maps, band, multiprocessors, stream)
                 : cudaErrorNotSupported;
#else
    return (plain ? launch_with<nothing>
                  : launch_with<scale_bias_activation>)(g, maps, band, multiprocessors, stream);
#endif
}

} // namespace

GEMM_DEFINE_VARIANT(GEMM_NAME, element, ROWS, COLUMNS, GEMM_COLUMN_COST, GEMM_START_COST, launch)
