/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel must come to: its loop done on the host, iteration by iteration. */
#ifndef SWP_BENCH_REFERENCE_H
#define SWP_BENCH_REFERENCE_H

#include "kernel.h"
#include "sums.h"

#include <algorithm>
#include <thread>
#include <vector>

enum { BLOCKS = 264, HISTORY = 4 };

struct reference {
    std::vector<uint4> sums;   /* by number of tiles, block, sum and thread */
    std::vector<uint4> stored; /* by block, iteration and thread */
};

static size_t inputs_of_block(const kernel &k)
{
    return size_t(k.load_count) * MOST_TILES * k.chunks * k.threads;
}

/* A thread of the sequential loop. */
class sequential
{
  public:
    sequential(const kernel &k, int block, int thread)
        : k_(k), block_(block), thread_(thread), sums_(k.sum_count), now_(k.value_count),
          past_(size_t(HISTORY) * k.value_count)
    {
    }

    const std::vector<uint4> &sums() const
    {
        return sums_;
    }

    /* The stored result, if the loop has one. */
    uint4 iterate(int i)
    {
        uint4 stored = {};
        for (int o = 0; o < k_.op_count; o++) {
            const op &it = k_.ops[o];
            uint4 sum = begin(it.number, i);
            for (int r = 0; r < it.read_count; r++)
                add(sum, read(it.reads[r], i));
            for (int m = 0; m < it.make_count; m++)
                now_[it.makes[m]] = sum;
            if (it.stores)
                stored = sum;
            else
                add(sums_[it.sum], sum);
        }
        std::copy(now_.begin(), now_.end(), past_.begin() + i % HISTORY * k_.value_count);
        return stored;
    }

  private:
    uint4 read(const operand &from, int i) const
    {
        if (from.load < 0)
            return from.before == 0
                       ? now_[from.value]
                       : past_[(i + HISTORY - from.before) % HISTORY * k_.value_count + from.value];
        uint4 sum = {};
        for (int q = 0; q < k_.chunks && i >= from.before; q++) {
            const size_t row = (size_t(from.load) * MOST_TILES + i - from.before) * k_.chunks + q;
            add(sum, input_chunk(block_ * inputs_of_block(k_) + row * k_.threads +
                                 read_by(thread_, q, k_.threads / 32)));
        }
        return sum;
    }

    const kernel &k_;
    const int block_, thread_;
    std::vector<uint4> sums_, now_, past_;
};

static void reference_of_block(const kernel &k, int block, reference *want)
{
    for (int thread = 0; thread < k.threads; thread++) {
        sequential loop(k, block, thread);
        for (int n = 0; n <= MOST_TILES; n++) {
            for (int s = 0; s < k.sum_count; s++)
                want->sums[((size_t(n) * BLOCKS + block) * k.sum_count + s) * k.threads + thread] =
                    loop.sums()[s];
            if (n == MOST_TILES)
                break;
            const uint4 stored = loop.iterate(n);
            if (k.stores)
                want->stored[(size_t(block) * MOST_TILES + n) * k.threads + thread] = stored;
        }
    }
}

static reference make_reference(const kernel &k)
{
    reference want;
    want.sums.resize(size_t(MOST_TILES + 1) * BLOCKS * k.sum_count * k.threads);
    want.stored.resize(k.stores ? size_t(BLOCKS) * MOST_TILES * k.threads : 0);
    std::vector<std::thread> workers;
    const int worker_count = std::max(1u, std::thread::hardware_concurrency());
    for (int w = 0; w < worker_count; w++)
        workers.emplace_back([&want, &k, w, worker_count] {
            for (int block = w; block < BLOCKS; block += worker_count)
                reference_of_block(k, block, &want);
        });
    for (std::thread &worker : workers)
        worker.join();
    return want;
}

#endif
