/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attention forward for sm_90a around the header of attention.yaml: what its ops are to a thread. Blocks of
 * keys come last one first, so that those in which scores are masked come at the beginning.
 *
 * Build once for each variant, with -DSCHEDULE_HEADER="\"x.h\"" -DATTENTION_NAME=x; it defines the
 * attention_variant `attention_x`.
 */
#include "attention_order.h"
#include "attention_variant.h"
#include "iteration.h"
#include "quads.h"
#include <climits>
#include <cmath>
#include <tensor_copies.h> /* not "tensor_copies.h": tests/cuda/hopper puts others before these */
#include <wgmma.h>

#define ATTENTION_MBARRIERS(ctx) ((ctx).mbarriers)
#define ATTENTION_KEEP(ctx) (ctx).keep()
#include SCHEDULE_HEADER

namespace
{

constexpr int OWN_QUERIES = 64; /* of a consumer */
constexpr int QUERIES = OWN_QUERIES * ATTENTION_INSTANCES_CONSUMER;
constexpr int HEAD = ATTENTION_BYTES_Q / QUERIES / 2, KEYS = ATTENTION_BYTES_K / HEAD / 2;
/* A tile is boxes of 64 columns, one after the other. */
constexpr int BOX = 64, ROW_BYTES = BOX * 2, BOXES = HEAD / BOX;
constexpr int OF_Q = 0, OF_K = OF_Q + ATTENTION_SLOTS_Q * ATTENTION_BYTES_Q,
              OF_V = OF_K + ATTENTION_SLOTS_K * ATTENTION_BYTES_K,
              SHARED_BYTES = OF_V + ATTENTION_SLOTS_V * ATTENTION_BYTES_V;
static_assert((KEYS == 64 || KEYS == 128) && (HEAD == 64 || HEAD == 128),
              "no wgmma is made for these tiles");
static_assert(ATTENTION_TILES_PER_PASS % ATTENTION_SLOTS_P == 0,
              "passes begin at other slots of P");

struct attention_output {
    __nv_bfloat16 *at;
    int64_t strides[3];
    float *log_sum_exp;
};

struct attention_sizes {
    int heads, queries, keys;
    int offset;   /* query i sees the keys 0 to i + offset */
    float scale;  /* makes powers of two of scores */
    float growth; /* of a score, that is MOST_GROWTH of its power */
    attention_order order;
};

/*
 * Exponentials are taken relative to the greatest score of a row, or to one that was the greatest and has been exceeded by so
 * many powers of two at most: sums need not be rescaled whenever it grows.
 */
constexpr float MOST_GROWTH = 8;

/* The exponentials have a place beside those that the last product still reads: softmax packs them itself. */
constexpr bool PACKS_AT_ONCE = ATTENTION_SLOTS_P > 1;

/* A thread's part of a block of queries: two rows of it, the lower one 8 below the upper one. */
struct block_of_queries {
    unsigned long long *mbarriers;
    uint32_t shared;
    const CUtensorMap *q, *k, *v;
    const attention_sizes &sizes;
    int instance;
    int query, head, batch; /* of the block */
    int n_blocks;           /* of keys, that it sees */
    float (&s)[KEYS / 2];   /* scores, then their exponentials */
    uint32_t (&p)[ATTENTION_SLOTS_P][KEYS / 4];
    float (&o)[HEAD / 2];
    float (&greatest)[2], (&sum)[2], (&factor)[2];
    int (&limit)[2]; /* a row's scores below it, as integers, leave `greatest` as it is */
    bool rescales;   /* a row of the warp has got another greatest score */

    /* What the wgmmas in flight write. P is only read, and what it gets next follows from S. */
    __device__ __forceinline__ void keep()
    {
#pragma unroll
        for (int i = 0; i < KEYS / 2; i++)
            keep_register(s[i]);
#pragma unroll
        for (int i = 0; i < HEAD / 2; i++)
            keep_register(o[i]);
    }

    /* The scores, too: what goes from one block to the next would take registers in between. */
    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < KEYS / 2; i++)
            s[i] = 0;
#pragma unroll
        for (int i = 0; i < HEAD / 2; i++)
            o[i] = 0;
#pragma unroll
        for (int row = 0; row < 2; row++) {
            greatest[row] = -INFINITY;
            limit[row] = INT_MIN;
            sum[row] = 0;
            factor[row] = 1;
        }
    }

    __device__ __forceinline__ int first_key(int i) const
    {
        return (n_blocks - 1 - i) * KEYS;
    }

    __device__ __forceinline__ void load(int place, int rows, const CUtensorMap *from, int first,
                                         unsigned long long *mbarrier) const
    {
#pragma unroll
        for (int box = 0; box < BOXES; box++)
            copy_box(shared + uint32_t(place + box * rows * ROW_BYTES), from, box * BOX, first,
                     head, batch, SWP_SHARED_ADDRESS(mbarrier));
    }

    __device__ __forceinline__ void multiply_keys(int slot_q, int slot_k)
    {
        const tile_descriptor<ROW_BYTES> queries(
            shared +
            uint32_t(OF_Q + slot_q * ATTENTION_BYTES_Q + instance * OWN_QUERIES * ROW_BYTES)),
            keys(shared + uint32_t(OF_K + slot_k * ATTENTION_BYTES_K));
        const int overwrites = int(unknown(0));
#pragma unroll
        for (int e = 0; e < HEAD; e += 16)
            wgmma(__nv_bfloat16{}, s,
                  queries + uint32_t(e / BOX * QUERIES * ROW_BYTES + e % BOX * 2),
                  keys + uint32_t(e / BOX * KEYS * ROW_BYTES + e % BOX * 2), e ? 1 : overwrites);
    }

    template <int P> __device__ __forceinline__ void multiply_values(int slot)
    {
        const tile_descriptor<ROW_BYTES> values(shared + uint32_t(OF_V + slot * ATTENTION_BYTES_V),
                                                KEYS * ROW_BYTES);
#pragma unroll
        for (int key = 0; key < KEYS; key += 16)
            wgmma_registers(o, p[P] + key / 4, values + uint32_t(key * ROW_BYTES));
    }

    __device__ __forceinline__ int own_row() const
    {
        return instance * OWN_QUERIES + int(threadIdx.x) / 32 % 4 * 16 + int(threadIdx.x) % 32 / 4;
    }

    /* Scores of keys that a row does not see; a warp group looks only where there may be some. */
    __device__ __forceinline__ void mask(int i)
    {
        const int first = first_key(i), seen_by_all = query + instance * OWN_QUERIES + sizes.offset;
        if (first + KEYS <= sizes.keys && first + KEYS - 1 <= seen_by_all)
            return;
#pragma unroll
        for (int row = 0; row < 2; row++) {
            const int last = min(query + own_row() + row * 8 + sizes.offset, sizes.keys - 1) -
                             first - int(threadIdx.x) % 4 * 2;
#pragma unroll
            for (int eight = 0; eight < KEYS / 8; eight++)
#pragma unroll
                for (int x = 0; x < 2; x++)
                    if (eight * 8 + x > last)
                        s[eight * 4 + row * 2 + x] = -INFINITY;
        }
    }

    /*
     * Whether a row has reached its limit. Numbers above a positive one are so as integers, too, and of these an
     * instruction compares three.
     */
    __device__ __forceinline__ bool may_grow() const
    {
        /* Two of each row, as each waits for its last comparison. */
        int most[4] = {INT_MIN, INT_MIN, INT_MIN, INT_MIN};
#pragma unroll
        for (int at = 0; at < KEYS / 2; at += 2)
            most[at / 2 % 4] =
                greatest_of(most[at / 2 % 4], __float_as_int(s[at]), __float_as_int(s[at + 1]));
        return max(most[0], most[2]) >= limit[0] || max(most[1], most[3]) >= limit[1];
    }

    __device__ __forceinline__ void raise_greatest()
    {
        rescales = __any_sync(~0u, may_grow());
        if (!rescales)
            return;
        float top[2];
        bool grows = false;
#pragma unroll
        for (int row = 0; row < 2; row++) {
            top[row] = greatest[row];
#pragma unroll
            for (int at = row * 2; at < KEYS / 2; at += 4)
                top[row] = fmaxf(top[row], fmaxf(s[at], s[at + 1]));
            top[row] = greatest_of_quad(top[row]);
            grows |= (top[row] - greatest[row]) * sizes.scale > MOST_GROWTH;
        }
        rescales = __any_sync(~0u, grows);
        if (!rescales)
            return;
#pragma unroll
        for (int row = 0; row < 2; row++) {
            factor[row] = power_of_two(greatest[row] * sizes.scale - base_of(top[row]));
            greatest[row] = top[row];
            sum[row] *= factor[row];
            const float most = top[row] + sizes.growth;
            limit[row] = most >= 0 ? __float_as_int(most) : INT_MIN;
        }
    }

    template <int P> __device__ __forceinline__ void softmax(int i)
    {
        mask(i);
        raise_greatest();
        const float base[] = {base_of(greatest[0]), base_of(greatest[1])};
        float own[4];
#pragma unroll
        for (int at = 0; at < KEYS / 2; at++) {
            s[at] = power_of_two(s[at] * sizes.scale - base[at / 2 % 2]);
            own[at % 4] = at < 4 ? s[at] : own[at % 4] + s[at];
        }
        sum[0] += own[0] + own[1];
        sum[1] += own[2] + own[3];
        if (PACKS_AT_ONCE)
            pack_exponentials<P>();
        complete(sum[0] + sum[1]);
    }

    /* A row that has seen no key yet: minus infinity less itself is no number. */
    __device__ __forceinline__ float base_of(float top) const
    {
        return top == -INFINITY ? 0 : top * sizes.scale;
    }

    template <int P> __device__ __forceinline__ void pack_exponentials()
    {
#pragma unroll
        for (int i = 0; i < KEYS / 4; i++)
            p[P][i] = pack(s[i * 2], s[i * 2 + 1]);
    }

    __device__ __forceinline__ void rescale()
    {
        if (!rescales)
            return;
#pragma unroll
        for (int i = 0; i < HEAD / 2; i++)
            o[i] *= factor[i / 2 % 2];
    }

    __device__ __forceinline__ void store(const attention_output &out) const;
};

__device__ __forceinline__ void block_of_queries::store(const attention_output &out) const
{
    constexpr float LOG_2 = 0.6931471805599453f;
    const int q = int(threadIdx.x) % 4;
    const int64_t head_start = batch * out.strides[0] + head * out.strides[1];
#pragma unroll
    for (int row = 0; row < 2; row++) {
        const float all = sum_of_quad(sum[row]);
        const float share = all == 0 ? 0 : 1 / all;
        const int at = query + own_row() + row * 8;
        if (out.log_sum_exp && q == 0 && at < sizes.queries)
            out.log_sum_exp[(int64_t(batch) * sizes.heads + head) * sizes.queries + at] =
                all == 0 ? -INFINITY : greatest[row] * sizes.scale * LOG_2 + logf(all);
#pragma unroll
        for (int group = 0; group < HEAD / 32; group++) {
            uint32_t pairs[4];
#pragma unroll
            for (int eight = 0; eight < 4; eight++) {
                const int first = (group * 4 + eight) * 4 + row * 2;
                pairs[eight] = pack(o[first] * share, o[first + 1] * share);
            }
            transpose_quad(pairs);
            if (at < sizes.queries)
                *reinterpret_cast<uint4 *>(out.at + head_start + at * out.strides[2] + group * 32 +
                                           q * 8) =
                    make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
        }
    }
}

__device__ __forceinline__ bool place(block_of_queries &block, int n)
{
    const attention_sizes &sizes = block.sizes;
    head_and_block tile;
    if (!find_tile(sizes.order, n, int(blockIdx.x), int(gridDim.x), &tile))
        return false;
    block.query = tile.block * QUERIES;
    block.head = tile.head % sizes.heads;
    block.batch = tile.head / sizes.heads;
    const int seen = min(sizes.keys, min(block.query + QUERIES, sizes.queries) + sizes.offset);
    block.n_blocks = seen <= 0 ? 0 : (seen - 1) / KEYS + 1;
    return true;
}

#define ATTENTION_LOAD_Q(ctx, i, Q, mbarrier, bytes)                                               \
    (ctx).load(OF_Q + (Q)*ATTENTION_BYTES_Q, QUERIES, (ctx).q, (ctx).query, mbarrier)
#define ATTENTION_LOAD_K(ctx, i, K, mbarrier, bytes)                                               \
    (ctx).load(OF_K + (K)*ATTENTION_BYTES_K, KEYS, (ctx).k, (ctx).first_key(i), mbarrier)
#define ATTENTION_LOAD_V(ctx, i, V, mbarrier, bytes)                                               \
    (ctx).load(OF_V + (V)*ATTENTION_BYTES_V, KEYS, (ctx).v, (ctx).first_key(i), mbarrier)
#define ATTENTION_CLEAR(ctx, i, ...) (ctx).clear()
#define SLOT_OF_P(i) REGISTER_SLOT(i, ATTENTION_SLOTS_P)
#define ATTENTION_QK(ctx, i, S, K, Q) (ctx).multiply_keys(Q, K)
#define ATTENTION_SOFTMAX(ctx, i, ...) (ctx).softmax<SLOT_OF_P(i)>(i)
#define ATTENTION_PACK(ctx, i, ...) (ctx).pack_exponentials<SLOT_OF_P(i)>()
#define ATTENTION_RESCALE(ctx, i, ...) (ctx).rescale()
#define ATTENTION_PV(ctx, i, O, P, V) (ctx).multiply_values<SLOT_OF_P(i)>(V)
#define ATTENTION_STORE(ctx, i, ...) (ctx).store(out)

__global__ void __launch_bounds__(ATTENTION_THREADS, 1)
    attention(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
              const __grid_constant__ CUtensorMap v, const __grid_constant__ attention_output out,
              const __grid_constant__ attention_sizes sizes)
{
    unsigned char *const shared = dynamic_shared();
    __shared__ unsigned long long mbarriers[ATTENTION_MBARRIER_COUNT];
    const int warp = SWP_WARP(), instance = ATTENTION_INSTANCE_OF(warp);
    float s[KEYS / 2], o[HEAD / 2], greatest[2], sum[2], factor[2];
    int limit[2];
    uint32_t p[ATTENTION_SLOTS_P][KEYS / 4];
    block_of_queries block = {mbarriers, SWP_SHARED_ADDRESS(shared),
                              &q,        &k,
                              &v,        sizes,
                              instance,  0,
                              0,         0,
                              0,         s,
                              p,         o,
                              greatest,  sum,
                              factor,    limit,
                              true};
    ATTENTION_STATE state = ATTENTION_FIRST_STATE;
    ATTENTION_INIT(block);
    if (ATTENTION_ROLE_OF(warp) == ATTENTION_ROLE_PRODUCER) {
        ATTENTION_ENTER_PRODUCER(block);
        for (int n = 0; n < sizes.order.tiles; n++)
            if (place(block, n))
                ATTENTION_RUN_PRODUCER(block, instance, state, block.n_blocks);
        ATTENTION_DRAIN_PRODUCER(block, instance, state);
    } else {
        ATTENTION_ENTER_CONSUMER(block);
        for (int n = 0; n < sizes.order.tiles; n++)
            if (place(block, n))
                ATTENTION_RUN_CONSUMER(block, instance, state, block.n_blocks);
        ATTENTION_DRAIN_CONSUMER(block, instance, state);
    }
}

cudaError_t make_map(CUtensorMap *map, const swp_attention &a, const void *at, int length,
                     const int64_t *strides, int rows)
{
    const auto size = [](int64_t n) { return cuuint64_t(n); };
    const tensor t = {at,
                      4,
                      {size(HEAD), size(length), size(a.heads), size(a.batches)},
                      {1, size(strides[2]), size(strides[1]), size(strides[0])}};
    return make_tensor_map<__nv_bfloat16>(map, t, rows, ROW_BYTES);
}

cudaError_t launch(const swp_attention &a, int multiprocessors, cudaStream_t stream)
{
    CUtensorMap q, k, v;
    cudaError_t error = make_map(&q, a, a.q, a.queries, a.q_strides, QUERIES);
    if (error == cudaSuccess)
        error = make_map(&k, a, a.k, a.keys, a.k_strides, KEYS);
    if (error == cudaSuccess)
        error = make_map(&v, a, a.v, a.keys, a.v_strides, KEYS);
    if (error == cudaSuccess)
        error = cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     SHARED_BYTES);
    if (error != cudaSuccess)
        return error;
    constexpr float LOG_2_E = 1.4426950408889634f;
    const int heads = a.heads * a.batches, blocks = divide_up(a.queries, QUERIES);
    const int work_groups = std::min(multiprocessors, heads * blocks);
    /* Of query 0 the last key: with one more, 2^30 queries and keys would be beyond an int. */
    const int offset = a.causal ? a.keys - a.queries : a.keys - 1;
    const attention_sizes sizes = {a.heads,
                                   a.queries,
                                   a.keys,
                                   offset,
                                   a.scale * LOG_2_E,
                                   MOST_GROWTH / (a.scale * LOG_2_E),
                                   order_of_attention(heads, blocks, a.causal, work_groups)};
    const attention_output out = {static_cast<__nv_bfloat16 *>(a.o),
                                  {a.o_strides[0], a.o_strides[1], a.o_strides[2]},
                                  a.log_sum_exp};
    cudaLaunchConfig_t config = {};
    config.gridDim = unsigned(work_groups);
    config.blockDim = ATTENTION_THREADS;
    config.dynamicSmemBytes = SHARED_BYTES;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, attention, q, k, v, out, sizes);
}

} // namespace

ATTENTION_DEFINE_VARIANT(ATTENTION_NAME, HEAD, launch)
