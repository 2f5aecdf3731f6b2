/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of threads 1 to 31 of a warp, which have one clock, word by word since the warp has last been in order: two of them are in
 * order by bar.warp.sync, a barrier or a wait alone (PTX ISA 9.0, "bar.warp.sync"; CUDA Programming Guide, "Independent Thread Scheduling").
 */
#include "audit/ptx/lane_accesses.h"

#include "audit/ptx/order.h"
#include "audit/ptx/reach.h"

#include <string.h>

enum {
    WORD = 4,
    WORDS = SWP_PTX_BUCKET_BYTES / WORD,
    WHOLE_WARP = SWP_PTX_LANES, /* instead of the number of a lane */
    FULL = (1 << WORD) - 1
};

/* What threads have done to a word. */
struct swp_ptx_word {
    int stamp;       /* of the warp then */
    uint8_t written; /* bytes, one bit each */
    uint8_t read;
    bool is_atomic;
    uint8_t writer[WORD]; /* of each byte: neighbours may have one half each */
    uint32_t readers[WORD];
    int write_insn;
    int read_insn;
};

static swp_status word_at(swp_ptx_run *run, swp_ptx_warp *warp, int64_t at, swp_ptx_word **out)
{
    const int64_t page = at / SWP_PTX_BUCKET_BYTES;
    if (!warp->words)
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
        SWP_TRY(SWP_TAKE(run->ctx, (size_t)SWP_PTX_BUCKETS * (size_t)run->cluster, &warp->words));
    if (!warp->words[page])
        SWP_TRY(SWP_TAKE(run->ctx, WORDS, &warp->words[page]));
    *out = &warp->words[page][at % SWP_PTX_BUCKET_BYTES / WORD];
    if ((*out)->stamp != warp->stamp)
        **out = (swp_ptx_word){.stamp = warp->stamp};
    return SWP_OK;
}

void swp_ptx_order_lanes(swp_ptx_run *run, int warp)
{
    run->warps[warp].stamp = ++run->stamps;
}

/* One thread's access, or the warp's, to a part of a word. */
typedef struct part {
    const swp_ptx_step *step;
    int lane;
    bool reads;
    bool is_atomic;
    uint8_t bytes;
    int64_t at;
} part;

static void tell(const part *p, const swp_ptx_word *word, bool of_read)
{
    /* Who has one clock is told as one. */
    const swp_ptx_threads threads = swp_ptx_threads_of(swp_ptx_chain(p->step->warp, 1));
    swp_ptx_report(
        p->step->run,
        (swp_ptx_finding){.kind = p->reads  ? SWP_STALE_READ
                                  : of_read ? SWP_OVERWRITTEN
                                            : SWP_WRITE_RACE,
                          .at = p->step->number,
                          .other = of_read ? word->read_insn : word->write_insn,
                          .of_at = threads,
                          .of_other = threads,
                          .low = p->at,
                          .high = p->at + WORD,
                          .detail = "two threads of one warp access this, and nothing puts them in "
                                    "order: without bar.warp.sync they need not go in step",
                          .hint = "__syncwarp() (bar.warp.sync) between the two"});
}

static void check(const part *p, const swp_ptx_word *word)
{
    const uint32_t own = p->lane == WHOLE_WARP ? 0 : UINT32_C(1) << p->lane;
    bool written = false;
    bool read = false;
    for (int b = 0; b < WORD; b++) {
        written |= (word->written & p->bytes) >> b & 1 && word->writer[b] != p->lane;
        read |= (word->read & p->bytes) >> b & 1 && word->readers[b] & ~own;
    }
    if (written && word->write_insn != p->step->number && !(word->is_atomic && p->is_atomic))
        tell(p, word, false);
    else if (!p->reads && read && word->read_insn != p->step->number)
        tell(p, word, true);
}

static void note(const part *p, swp_ptx_word *word)
{
    for (int b = 0; b < WORD; b++)
        if (p->bytes >> b & 1 && p->reads)
            word->readers[b] |= p->lane == WHOLE_WARP ? SWP_PTX_ALL_LANES : UINT32_C(1) << p->lane;
        else if (p->bytes >> b & 1)
            word->writer[b] = (uint8_t)p->lane;
    if (p->reads) {
        word->read |= p->bytes;
        word->read_insn = p->step->number;
        return;
    }
    word->written |= p->bytes;
    word->is_atomic = p->is_atomic;
    word->write_insn = p->step->number;
}

static swp_status visit(part *p, int64_t low, int64_t high, bool notes)
{
    swp_ptx_run *run = p->step->run;
    for (int64_t at = low / WORD * WORD; at < high && run->outcome == SWP_PTX_GOES_ON; at += WORD) {
        swp_ptx_word *word = NULL;
        const int64_t first = low > at ? low - at : 0;
        const int64_t end = high < at + WORD ? high - at : WORD;
        p->bytes = (uint8_t)(FULL >> (WORD - (end - first)) << first);
        p->at = at;
        SWP_TRY(word_at(run, &run->warps[p->step->warp], at, &word));
        if (notes)
            note(p, word);
        else
            check(p, word);
    }
    return SWP_OK;
}

swp_status swp_ptx_access_by_lanes(const swp_ptx_step *step, const swp_ptx_value *address,
                                   int64_t offset, int bytes, uint32_t lanes, bool reads)
{
    const bool matrix = swp_ptx_is_matrix(step->insn);
    part p = {.step = step, .reads = reads, .is_atomic = step->insn->kind == SWP_PTX_ATOMIC};
    const int64_t end = swp_ptx_shared_end(step->run);
    if (step->unsure)
        return SWP_OK;
    /* What one instruction does of several threads is not in order, and not asked to be. */
    for (int pass = 0; pass < 2; pass++)
        for (int lane = matrix ? 0 : 1; lane < SWP_PTX_LANES; lane++) {
            if (!(lanes >> lane & 1))
                continue;
            const int64_t low =
                swp_ptx_place(step->run, swp_ptx_lane(address, lane) + (uint64_t)offset);
            p.lane = matrix ? WHOLE_WARP : lane;
            if (low >= 0 && low + bytes <= end)
                SWP_TRY(visit(&p, low, low + bytes, pass == 1));
        }
    return SWP_OK;
}

/* --- states --- */

swp_status swp_ptx_copy_words(swp_context *ctx, const swp_ptx_run *from, swp_ptx_run *to)
{
    const size_t pages = (size_t)SWP_PTX_BUCKETS * (size_t)from->cluster;
    for (int w = 0; w < from->warp_count; w++) {
        if (!from->warps[w].words)
            continue;
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
        SWP_TRY(SWP_TAKE(ctx, pages, &to->warps[w].words));
        for (size_t page = 0; page < pages; page++) {
            if (!from->warps[w].words[page])
                continue;
            SWP_TRY(SWP_TAKE(ctx, WORDS, &to->warps[w].words[page]));
            memcpy(to->warps[w].words[page], from->warps[w].words[page],
                   WORDS * sizeof(swp_ptx_word));
        }
    }
    return SWP_OK;
}

static bool is_live(const swp_ptx_warp *warp, size_t page, int i)
{
    return warp->words && warp->words[page] && warp->words[page][i].stamp == warp->stamp;
}

static bool same_word(const swp_ptx_word *a, const swp_ptx_word *b)
{
    return a->written == b->written && a->read == b->read &&
           memcmp(a->readers, b->readers, sizeof a->readers) == 0 &&
           memcmp(a->writer, b->writer, sizeof a->writer) == 0 &&
           (!a->written || a->is_atomic == b->is_atomic);
}

bool swp_ptx_same_words(const swp_ptx_run *a, const swp_ptx_run *b, int warp)
{
    const swp_ptx_warp *x = &a->warps[warp];
    const swp_ptx_warp *y = &b->warps[warp];
    const size_t pages = (size_t)SWP_PTX_BUCKETS * (size_t)a->cluster;
    bool same = true;
    for (size_t page = 0; page < pages && same && (x->words || y->words); page++)
        for (int i = 0; i < WORDS && same; i++)
            same = is_live(x, page, i) == is_live(y, page, i) &&
                   (!is_live(x, page, i) || same_word(&x->words[page][i], &y->words[page][i]));
    return same;
}
