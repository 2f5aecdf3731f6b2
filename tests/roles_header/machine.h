/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A work group of sm_90 on one thread of a CPU, for emitted headers of schedules with warp roles: the SWP_ primitives as docs/roles-reference.md
 * has them, mbarriers with parities alone. What the hardware leaves to chance a way decides: which thread goes on, and when an
 * asynchronous operation takes effect. A few threads stand for those of a warp.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* ---- What a kernel is ---- */

enum { MOST_THREADS = 32, MOST_TEAM_THREADS = 3, MOST_INSTANCES = 16, MOST_MBARRIERS = 64 };

/* Stands for `weight` threads of the hardware. */
typedef struct thread {
    int warp;
    int weight;
    bool elected;
    int team; /* of which it issues wgmmas… */
    int part; /* …and which one of it this is */
} thread;

/* By all threads; then what goes wrong by itself ends the run, and is said in `wrong`. */
typedef struct program {
    void (*run)(int n);
    int thread_count;
    thread threads[MOST_THREADS];
} program;

/* NULL: it went right, as far as the machine can tell. */
const char *carry_out(const program *p, int n, uint64_t seed);

/* ---- What its ops are ---- */

typedef struct mbarrier {
    int arrivals;
    int pending;     /* arrivals that are missing in the current phase */
    long long bytes; /* expected, and not landed */
    int parity;      /* of the current phase */
} mbarrier;

extern mbarrier mbarriers[MOST_MBARRIERS];

/*
 * Called once for each part, in this order, at moments of their own. A wgmma with `shares` has so many parts for each of its threads, which
 * come after this one's issue: then `owner` is the thread's `part`.
 */
typedef struct work {
    void (*part)(const struct work *w, int part);
    int parts;
    int shares;
    int owner;
    int iteration;
    int slot;       /* in shared memory… */
    int made, read; /* …and of registers that it makes and reads */
    int team;
} work;

void start_copy(work w, mbarrier *m, int bytes);
void start_matrix(work w);
void start_store(work w); /* parts 0 … parts - 1 read the source; part -1 then is the write */

/* What asynchronous operations may not see before the thread's next fence. */
void write_shared(unsigned *at, unsigned value);

/* How many the thread has come to, so that a wgmma can tell whether one stands behind the last touch of a register. */
int fences_of_registers(void);

const thread *this_thread(void);
/* Says that the run went wrong; the first one stays. */
void is_wrong(const char *what);

/* ---- The primitives ---- */

int warp_by_shuffle(void);
void elect(int *elected);
void named_sync(int id, int threads);
void named_arrive(int id, int threads);
void mbarrier_init(mbarrier *m, int arrivals);
void mbarrier_arrive(mbarrier *m);
void mbarrier_arrive_expect(mbarrier *m, int bytes);
void mbarrier_wait(mbarrier *m, int parity);
void matrix_fence(void);
void matrix_commit(void);
void matrix_wait(int n);
void bulk_commit(void);
void bulk_wait(int n);
void bulk_wait_read(int n);
void fence_async(void);

#define SWP_WARP() warp_by_shuffle()
#define SWP_ELECT(elected) elect(&(elected))
#define SWP_LOWER_REGISTERS(n) ((void)(n))
#define SWP_RAISE_REGISTERS(n) ((void)(n))
#define SWP_NAMED_SYNC(id, threads) named_sync(id, threads)
#define SWP_NAMED_ARRIVE(id, threads) named_arrive(id, threads)
#define SWP_MBARRIER_INIT(m, arrivals) mbarrier_init(m, arrivals)
#define SWP_MBARRIER_INIT_FENCE() ((void)0)
#define SWP_MBARRIER_ARRIVE(m) mbarrier_arrive(m)
#define SWP_MBARRIER_ARRIVE_EXPECT(m, bytes) mbarrier_arrive_expect(m, bytes)
#define SWP_MBARRIER_WAIT(m, parity) mbarrier_wait(m, parity)
#define SWP_FENCE_ASYNC() fence_async()
#define SWP_MATRIX_FENCE() matrix_fence()
#define SWP_MATRIX_COMMIT() matrix_commit()
#define SWP_MATRIX_WAIT(n) matrix_wait(n)
#define SWP_BULK_COMMIT() bulk_commit()
#define SWP_BULK_WAIT(n) bulk_wait(n)
#define SWP_BULK_WAIT_READ(n) bulk_wait_read(n)

#endif
