/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the ops of a generated kernel are made of: one real instruction for each counted access, and
 * arithmetic for what has no completion. The source that includes it, of lower_loop.py or
 * lower_gemm.py, has defined WAVES and LDS_BYTES.
 *
 * A place in LDS is some chunks; a chunk is a share of 64 lanes of 4 bytes for each wave. A wave
 * writes its own share of every chunk with an access each, and each of its reads has lanes in every
 * wave's share of the first and of the last chunk: in the access of a load that lands first, and in
 * the one that lands last.
 */
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#define INLINE static inline __attribute__((always_inline, unused))

enum { LANES = 64, DWORD = 4, SHARE = LANES * DWORD, CHUNK = SHARE * WAVES };

/* To the compiler any memory may have changed: it merges, drops and moves no access over this. */
#define FENCE() __asm__ volatile("" ::: "memory")

/*
 * PINNED: arithmetic is in assembly, which keeps its place among waits, barriers and accesses, while
 * the compiler waits for the registers that it reads. Else the compiler puts it where it likes.
 *
 * RAW: what brings a register is in assembly as well, so that no compiler waits for it.
 */
#ifdef PINNED
#define MIX(sum, x) __asm__ volatile("v_xor_b32 %0, %0, %1" : "+v"(sum) : "v"(x))
#define COPY(to, from) __asm__ volatile("v_mov_b32 %0, %1" : "=v"(to) : "v"(from))
#else
#define MIX(sum, x) ((sum) = ((sum) << 1) ^ (x))
#define COPY(to, from) ((to) = (from))
#endif

static LDS unsigned lds[LDS_BYTES / DWORD] __attribute__((loader_uninitialized));

#define KERNEL(name)                                                                               \
    __attribute__((amdgpu_kernel,                                                                  \
                   amdgpu_flat_work_group_size(WAVES * LANES, WAVES * LANES))) void name

typedef struct thread {
    GLOBAL unsigned *from; /* this thread's part of what loads fetch */
    GLOBAL unsigned *to;
    unsigned lane;
    unsigned wave; /* in a scalar register */
    unsigned own;  /* bytes from a chunk to what this lane writes */
} thread;

INLINE thread thread_of(GLOBAL unsigned *from, GLOBAL unsigned *to)
{
    const unsigned id = __builtin_amdgcn_workitem_id_x();
    const unsigned wave = __builtin_amdgcn_readfirstlane((int)(id / LANES));
    /* Assembly may then access LDS, and the arguments are there before the first count matters. */
    __asm__ volatile("" ::"v"(lds), "s"(from), "s"(to) : "memory");
    return (thread){from + id, to + id, id % LANES, wave, id * DWORD};
}

/* 0, which nobody knows before these registers are there: of an address that comes from them. */
INLINE int nothing_of(const unsigned *registers, unsigned width)
{
    unsigned sum = 0;
#pragma unroll
    for (unsigned k = 0; k < width; k++)
        __asm__ volatile("v_and_b32 %0, %0, %1" : "+v"(sum) : "v"(registers[k]));
    return (int)sum;
}

/* vmcnt; to LDS. A load to LDS writes its lanes side by side from m0 on. */
INLINE void load_to_lds(const thread *t, unsigned place, unsigned chunks, int iteration)
{
#pragma unroll
    for (unsigned c = 0; c < chunks; c++)
        __asm__ volatile("s_mov_b32 m0, %0\n\ts_nop 0\n\tglobal_load_lds_dword %1, off"
                         :
                         : "s"(place + c * CHUNK + t->wave * SHARE), "v"(t->from + iteration + c)
                         : "memory");
}

/* vmcnt; to registers. */
INLINE void load(const thread *t, unsigned *to, unsigned accesses, int iteration)
{
#pragma unroll
    for (unsigned a = 0; a < accesses; a++) {
#ifdef RAW
        __asm__ volatile("global_load_dword %0, %1, off"
                         : "=v"(to[a])
                         : "v"(t->from + iteration + a)
                         : "memory");
#else
        to[a] = t->from[iteration + (int)a];
#endif
        FENCE();
    }
}

/* vmcnt. */
INLINE void store(const thread *t, const unsigned *what, unsigned width, unsigned accesses,
                  int iteration)
{
#pragma unroll
    for (unsigned a = 0; a < accesses; a++) {
#ifdef RAW
        __asm__ volatile("global_store_dword %0, %1, off"
                         :
                         : "v"(t->to + iteration + (int)a), "v"(what[a % width])
                         : "memory");
#else
        t->to[iteration + (int)a] = what[a % width];
#endif
        FENCE();
    }
}

INLINE LDS unsigned *at(unsigned byte)
{
    return (LDS unsigned *)((LDS char *)lds + byte);
}

/* Bytes from a place to what this lane reads of one that has so many chunks. */
INLINE unsigned seen(const thread *t, unsigned chunks)
{
    unsigned is_last = t->lane / WAVES % 2;
    /* Else it becomes bits of a sign, an instruction that the audit does not compute. */
    __asm__("" : "+v"(is_last));
    return is_last * (chunks - 1) * CHUNK + t->lane % WAVES * SHARE + t->lane * DWORD;
}

/*
 * All bits, if this lane reads the n-th of `count` places, 4 at most; else none.
 */
INLINE unsigned chosen(const thread *t, unsigned count, unsigned n)
{
    const unsigned place = t->lane / WAVES / 2 % 4;
    return 0u - ((place < count ? place : 0) == n);
}

/* lgkmcnt; one access. */
INLINE unsigned read(unsigned byte)
{
    unsigned x;
#ifdef RAW
    __asm__ volatile("ds_read_b32 %0, %1" : "=v"(x) : "v"(at(byte)) : "memory");
#else
    x = *at(byte);
#endif
    FENCE();
    return x;
}

INLINE void read_all(unsigned *to, unsigned byte, unsigned accesses)
{
#pragma unroll
    for (unsigned a = 0; a < accesses; a++)
        to[a] = read(byte);
}

/* lgkmcnt; an access a chunk. */
INLINE void write(const thread *t, unsigned place, unsigned chunks, const unsigned *what,
                  unsigned width)
{
#pragma unroll
    for (unsigned c = 0; c < chunks; c++) {
#ifdef RAW
        __asm__ volatile("ds_write_b32 %0, %1"
                         :
                         : "v"(at(place + c * CHUNK + t->own)), "v"(what[c % width])
                         : "memory");
#else
        *at(place + c * CHUNK + t->own) = what[c % width];
#endif
        FENCE();
    }
}

/* Of an op that is done when it returns. */
INLINE void wait_for_lds(void)
{
    __asm__ volatile("s_waitcnt lgkmcnt(0)" ::: "memory");
}

/* After the loop; no part of any schedule. */
#define WAIT_FOR_ALL() __asm__ volatile("s_waitcnt vmcnt(0) lgkmcnt(0)" ::: "memory")

INLINE float as_float(unsigned bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

INLINE unsigned as_bits(float x)
{
    unsigned bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

typedef float sums __attribute__((ext_vector_type(4)));

/* Matrix instructions over all registers of two fragments, or arithmetic that stays where it is. */
INLINE void multiply(unsigned *sum, const unsigned *a, const unsigned *b, unsigned width)
{
#pragma unroll
    for (unsigned k = 0; k < width; k++) {
#ifdef PINNED
        MIX(sum[0], a[k]);
        MIX(sum[1], b[k]);
#else
        sums total = {as_float(sum[0]), as_float(sum[1]), as_float(sum[2]), as_float(sum[3])};
        total =
            __builtin_amdgcn_mfma_f32_16x16x4f32(as_float(a[k]), as_float(b[k]), total, 0, 0, 0);
        for (int e = 0; e < 4; e++)
            sum[e] = as_bits(total[e]);
#endif
    }
}
