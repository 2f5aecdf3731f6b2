// SPDX-License-Identifier: Apache-2.0
// usage: kernels [SEED]
//
// The kernels of kernels/cuda/hopper on the emulator, by their C interface: sizes of a block and its multiples,
// one more and one less, rows with padding, each epilogue; GEMMs of small integers, whose sums are exact,
// attention against double precision. What lies beyond a result must stay as it was.
#include "../../../kernels/cuda/hopper/swp_kernels.h"
#include "block_order.h"
#include "emulator.h"
#include "omissions.h"

#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace
{

using bf16 = __nv_bfloat16;
const bf16 POISON = {0x7fc1}; // a NaN that no kernel makes
int failures = 0;

void check(bool holds, const char *what, const std::string &where)
{
    if (!holds) {
        std::printf("FAIL %s: %s\n", where.c_str(), what);
        failures++;
    }
}

template <class T> T *aligned(std::vector<T> &storage)
{
    const uintptr_t address = reinterpret_cast<uintptr_t>(storage.data());
    return storage.data() + (16 - address % 16) % 16 / sizeof(T);
}

int rounded_up(int n, int step)
{
    return (n + step - 1) / step * step;
}

float value_of(bf16 x)
{
    return __bfloat162float(x);
}
float value_of(__nv_fp8_e4m3 x)
{
    return float_of(x);
}
void set(bf16 &x, int integer)
{
    x = __float2bfloat16_rn(float(integer));
}
void set(__nv_fp8_e4m3 &x, int integer)
{
    static const uint8_t bits[] = {0xc0, 0xb8, 0x00, 0x38, 0x40}; // -2 … 2
    x.bits = bits[integer + 2];
}

// ---- GEMM ----

template <class T> struct matrix {
    int rows, columns, stride;
    std::vector<T> storage;
    T *data;

    matrix(int rows, int columns, T filling)
        : rows(rows), columns(columns), stride(rounded_up(columns, 16) + 16),
          storage(size_t(rows) * size_t(stride) + 16, filling), data(aligned(storage))
    {
    }
    T &at(int row, int column)
    {
        return data[int64_t(row) * stride + column];
    }
    void fill(std::mt19937 &random)
    {
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++)
                set(at(row, column), int(random() % 5) - 2);
    }
    std::vector<float> values()
    {
        std::vector<float> of_rows;
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++)
                of_rows.push_back(value_of(at(row, column)));
        return of_rows;
    }
};

double activated(swp_activation activation, double x)
{
    switch (activation) {
    case SWP_ACTIVATION_RELU:
        return std::max(x, 0.0);
    case SWP_ACTIVATION_GELU:
        return x * 0.5 * std::erfc(-x * std::sqrt(0.5));
    case SWP_ACTIVATION_SILU:
        return x / (1 + std::exp(-x));
    default:
        return x;
    }
}

// Of exact sums what is near means a rounding of the epilogue's own.
bool is_near(double expected, float found)
{
    return std::fabs(expected - double(found)) <= std::fabs(expected) / 128 + 1e-6;
}

template <class T>
void multiply(const char *variant, int m, int n, int k, swp_activation activation, bool biased,
              std::mt19937 &random, const std::string &where)
{
    matrix<T> a(m, k, T{}), b(n, k, T{});
    matrix<bf16> c(m, n, POISON), bias(1, n, POISON);
    a.fill(random);
    b.fill(random);
    bias.fill(random);
    const float scale_a = 0.5f, scale_b = 0.25f;
    swp_gemm g = {};
    g.m = m, g.n = n, g.k = k;
    g.a = a.data, g.b = b.data, g.c = c.data;
    g.lda = a.stride, g.ldb = b.stride, g.ldc = c.stride;
    if (biased) {
        g.bias = bias.data;
        g.scale_a = &scale_a;
        g.scale_b = &scale_b;
    }
    g.activation = activation;
    check(swp_gemm_variant(variant, &g, nullptr) == cudaSuccess, swp_kernels_error(), where);
    const std::vector<float> of_a = a.values(), of_b = b.values();
    long wrong = 0;
    for (int row = 0; row < m; row++)
        for (int column = 0; column < c.stride; column++) {
            if (column >= n) {
                wrong += std::memcmp(&c.at(row, column), &POISON, sizeof POISON) != 0;
                continue;
            }
            const float *const of_row = &of_a[size_t(row) * size_t(k)];
            double sum = double(
                std::inner_product(of_row, of_row + k, &of_b[size_t(column) * size_t(k)], 0.0f));
            if (biased)
                sum =
                    sum * double(scale_a) * double(scale_b) + double(value_of(bias.at(0, column)));
            wrong += !is_near(activated(activation, sum), value_of(c.at(row, column)));
        }
    check(wrong == 0, (std::to_string(wrong) + " elements of C are wrong").c_str(), where);
}

// Also so many blocks that each multiprocessor does several, and odd numbers of rows of blocks, so that the last block of a cluster of
// two is beyond the last row.
void multiply_all(timing when, unsigned seed)
{
    static const struct {
        int m, n, k;
        swp_activation activation;
        bool biased;
    } cases[] = {
        {1, 1, 1, SWP_ACTIVATION_NONE, false},       {128, 256, 64, SWP_ACTIVATION_NONE, false},
        {129, 257, 130, SWP_ACTIVATION_RELU, true},  {127, 40, 200, SWP_ACTIVATION_GELU, true},
        {300, 520, 449, SWP_ACTIVATION_NONE, false}, {64, 130, 640, SWP_ACTIVATION_SILU, true},
    };
    std::mt19937 random(seed);
    const char *variant;
    for (int i = 0; (variant = swp_gemm_variant_name(i)); i++)
        for (const auto &c : cases) {
            char where[128];
            std::snprintf(where, sizeof where, "GEMM %s, %d x %d x %d, timing %d", variant, c.m,
                          c.n, c.k, int(when));
            (std::strncmp(variant, "bf16", 4) == 0
                 ? multiply<bf16>
                 : multiply<__nv_fp8_e4m3>)(variant, c.m, c.n, c.k, c.activation, c.biased, random,
                                            where);
        }
}

// ---- Attention ----

struct tensor_of_heads {
    int batches, heads, positions, dim;
    int64_t strides[3];
    std::vector<bf16> storage;
    bf16 *data;

    tensor_of_heads(int batches, int heads, int positions, int dim, bool positions_first)
        : batches(batches), heads(heads), positions(positions), dim(dim)
    {
        const int64_t row = dim + 8;
        strides[2] = positions_first ? row * heads : row;
        strides[1] = positions_first ? row : row * positions;
        strides[0] = row * heads * positions;
        storage.assign(size_t(strides[0] * batches) + 16, POISON);
        data = aligned(storage);
    }
    bf16 &at(int batch, int head, int position, int column)
    {
        return data[batch * strides[0] + head * strides[1] + position * strides[2] + column];
    }
    void fill(std::mt19937 &random)
    {
        std::normal_distribution<float> normal;
        for (int b = 0; b < batches; b++)
            for (int h = 0; h < heads; h++)
                for (int p = 0; p < positions; p++)
                    for (int x = 0; x < dim; x++)
                        at(b, h, p, x) = __float2bfloat16_rn(normal(random));
    }
};

// One row of it; false: that is not what was found.
bool is_row_right(tensor_of_heads &q, tensor_of_heads &k, tensor_of_heads &v, tensor_of_heads &o,
                  float lse, const swp_attention &a, int batch, int head, int row)
{
    const int seen = a.causal ? std::min(a.keys, row + 1 + a.keys - a.queries) : a.keys;
    std::vector<double> scores, result(size_t(a.head_dim), 0.0);
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int key = 0; key < seen; key++) {
        double score = 0;
        for (int x = 0; x < a.head_dim; x++)
            score += double(value_of(q.at(batch, head, row, x))) *
                     double(value_of(k.at(batch, head, key, x)));
        scores.push_back(score * double(a.scale));
        top = std::max(top, scores.back());
    }
    for (int key = 0; key < seen; key++) {
        const double weight = std::exp(scores[size_t(key)] - top);
        sum += weight;
        for (int x = 0; x < a.head_dim; x++)
            result[size_t(x)] += weight * double(value_of(v.at(batch, head, key, x)));
    }
    bool right = seen <= 0 ? lse == -INFINITY : std::fabs(top + std::log(sum) - double(lse)) < 1e-3;
    for (int x = 0; x < a.head_dim + 8; x++) {
        bf16 &found = o.at(batch, head, row, x);
        if (x >= a.head_dim)
            right &= std::memcmp(&found, &POISON, sizeof POISON) == 0;
        else
            right &= std::fabs((seen > 0 ? result[size_t(x)] / sum : 0.0) -
                               double(value_of(found))) < 0.02;
    }
    return right;
}

// What is added to the scores of the first key and of the last one; of those between, in proportion.
struct lean {
    float first, last;
};

void attend(int queries, int keys, int dim, bool causal, bool positions_first, lean scores,
            std::mt19937 &random, const std::string &where)
{
    const int batches = 2, heads = 2;
    tensor_of_heads q(batches, heads, queries, dim, positions_first),
        o(batches, heads, queries, dim, positions_first),
        k(batches, heads, keys, dim, positions_first),
        v(batches, heads, keys, dim, positions_first);
    q.fill(random);
    k.fill(random);
    v.fill(random);
    if (scores.first != 0 || scores.last != 0)
        for (int b = 0; b < batches; b++)
            for (int h = 0; h < heads; h++) {
                for (int p = 0; p < queries; p++)
                    q.at(b, h, p, 0) = __float2bfloat16_rn(std::sqrt(float(dim)));
                for (int p = 0; p < keys; p++)
                    k.at(b, h, p, 0) = __float2bfloat16_rn(
                        scores.first + (scores.last - scores.first) * float(p) / float(keys));
            }
    std::vector<float> lse(size_t(batches * heads * queries), 1e30f);
    swp_attention a = {};
    a.batches = batches, a.heads = heads, a.queries = queries, a.keys = keys, a.head_dim = dim;
    a.q = q.data, a.k = k.data, a.v = v.data, a.o = o.data;
    std::copy(q.strides, q.strides + 3, a.q_strides);
    std::copy(k.strides, k.strides + 3, a.k_strides);
    std::copy(v.strides, v.strides + 3, a.v_strides);
    std::copy(o.strides, o.strides + 3, a.o_strides);
    a.log_sum_exp = lse.data();
    a.scale = 1 / std::sqrt(float(dim));
    a.causal = causal;
    check(swp_attention_forward(&a, nullptr) == cudaSuccess, swp_kernels_error(), where);
    long wrong = 0;
    for (int b = 0; b < batches; b++)
        for (int h = 0; h < heads; h++)
            for (int row = 0; row < queries; row++)
                wrong += !is_row_right(q, k, v, o, lse[size_t((b * heads + h) * queries + row)], a,
                                       b, h, row);
    check(wrong == 0, (std::to_string(wrong) + " rows are wrong").c_str(), where);
}

void attend_all(timing when, unsigned seed)
{
    static const struct {
        int queries, keys;
        bool causal;
        lean scores;
    } cases[] = {
        {1, 1, false, {}},           {128, 128, true, {}},
        {130, 257, false, {}},       {200, 390, true, {}},
        {300, 170, true, {}}, // the first 130 queries see no key
        {129, 640, false, {}},       {1, 300, true, {}},
        {64, 400, false, {60, -60}}, // the greatest comes last, as blocks of keys are taken from the end
        {64, 400, false, {-60, 60}}, {64, 300, true, {-60, -60}}};
    std::mt19937 random(seed);
    for (int dim = 64; dim <= 128; dim += 64)
        for (const auto &c : cases) {
            char where[128];
            std::snprintf(where, sizeof where,
                          "attention, %d queries, %d keys of %d, %s, scores %g to %g, timing %d",
                          c.queries, c.keys, dim, c.causal ? "causal" : "all",
                          double(c.scores.first), double(c.scores.last), int(when));
            attend(c.queries, c.keys, dim, c.causal, c.keys % 2 == 0, c.scores, random, where);
        }
}

// ---- What is refused ----

void refuse_gemms()
{
    std::vector<bf16> storage(4096);
    bf16 *at = aligned(storage);
    swp_gemm good = {};
    good.m = good.n = good.k = 8;
    good.a = at, good.b = at + 512, good.c = at + 1024;
    good.lda = good.ldb = good.ldc = 8;
    check(swp_gemm_bf16(&good, nullptr) == cudaSuccess, swp_kernels_error(), "a small GEMM");
    swp_gemm fp8 = good;
    fp8.lda = fp8.ldb = 16;
    std::vector<swp_gemm> bad(14, good);
    const auto *const odd = reinterpret_cast<const float *>(reinterpret_cast<const char *>(at) + 2);
    bad[0].m = 0;
    bad[1].k = -1;
    bad[2].a = at + 1;
    bad[3].lda = 7;
    bad[4].ldc = 12;
    bad[5].c = nullptr;
    bad[6].activation = swp_activation(9);
    bad[7].bias = reinterpret_cast<const char *>(at) + 1;
    bad[8].n = (1 << 30) + 1;
    bad[9].ldb = int64_t(1) << 39;
    bad[10].ldc = int64_t(1) << 39;
    bad[11].scale_a = odd;
    bad[12].scale_b = odd;
    bad[13].m = bad[13].n = 1 << 30, bad[13].ldc = 1 << 30; // blocks are more than an int counts
    for (size_t i = 0; i < bad.size(); i++)
        check(swp_gemm_bf16(&bad[i], nullptr) == cudaErrorInvalidValue && *swp_kernels_error(),
              "is taken", "bad GEMM " + std::to_string(i));
    check(swp_gemm_e4m3(&fp8, SWP_FP8_SUMS_FAST, nullptr) == cudaSuccess &&
              swp_gemm_e4m3(&fp8, SWP_FP8_SUMS_PROMOTED, nullptr) == cudaSuccess,
          swp_kernels_error(), "a small GEMM of fp8");
    for (const char *name : {"bf16_1", "", static_cast<const char *>(nullptr)})
        check(swp_gemm_variant(name, &good, nullptr) == cudaErrorInvalidValue, "is taken",
              "a variant of no name");
    check(!swp_gemm_variant_name(-1) && !swp_gemm_variant_name(99), "has a name",
          "a variant that there is not");
    check(swp_gemm_bf16(nullptr, nullptr) == cudaErrorInvalidValue, "is taken", "no GEMM");
    check(swp_gemm_e4m3(&good, swp_fp8_sums(2), nullptr) == cudaErrorInvalidValue, "is taken",
          "sums of no kind");
    check(swp_gemm_e4m3(&good, SWP_FP8_SUMS_FAST, nullptr) == cudaErrorInvalidValue, "is taken",
          "fp8 with strides of 8");
}

void refuse_attention()
{
    std::vector<bf16> storage(8192);
    bf16 *at = aligned(storage);
    swp_attention good = {};
    good.batches = good.heads = good.queries = good.keys = 1;
    good.head_dim = 64;
    good.q = at, good.k = at + 64, good.v = at + 128, good.o = at + 192;
    for (int64_t *strides : {good.q_strides, good.k_strides, good.v_strides, good.o_strides})
        std::fill(strides, strides + 3, 64);
    good.scale = 0.125f;
    check(swp_attention_forward(&good, nullptr) == cudaSuccess, swp_kernels_error(),
          "a small attention");
    std::vector<swp_attention> bad(10, good);
    bad[0].head_dim = 96;
    bad[1].keys = 0;
    bad[2].scale = 0;
    bad[3].scale = NAN;
    bad[4].k_strides[2] = 60;
    bad[5].v = at + 1;
    bad[6].o_strides[1] = 0;
    bad[7].heads = 1 << 30, bad[7].batches = 1 << 10;
    bad[8].q_strides[0] = int64_t(1) << 39;
    bad[9].log_sum_exp = reinterpret_cast<float *>(reinterpret_cast<char *>(at) + 2);
    for (size_t i = 0; i < bad.size(); i++)
        check(swp_attention_forward(&bad[i], nullptr) == cudaErrorInvalidValue &&
                  *swp_kernels_error(),
              "is taken", "bad attention " + std::to_string(i));
}

} // namespace

int main(int argc, char **argv)
{
    const unsigned seed = argc > 1 ? unsigned(std::atol(argv[1])) : 1;
    std::printf("seed %u\n", seed);
    for (const timing when : {timing::early, timing::late, timing::random}) {
        emulator_set(when, seed, when == timing::random ? 5 : 2);
        multiply_all(when, seed);
        attend_all(when, seed);
    }
    failures += wrong_block_orders();
    refuse_gemms();
    refuse_attention();
    failures += unnoticed_omissions(seed);
    std::printf("%d failures\n", failures);
    return failures != 0;
}
