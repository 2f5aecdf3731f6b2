/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A minimal program for each rule by which the machine of docs/verification.md takes something for
 * retired or ordered without a wait in the schedule. `rules.py` says what clang must make of each.
 * FENCED_HEADER and RAW_HEADER are emitted headers, for their waits and barriers.
 */
#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#define CONSTANT __attribute__((address_space(4)))
#define PROGRAM(name)                                                                              \
    __attribute__((amdgpu_kernel, amdgpu_flat_work_group_size(256, 256))) void name

#ifdef FENCED
#include FENCED_HEADER
#else
#include RAW_HEADER
#endif

static LDS int lds[4096] __attribute__((loader_uninitialized));

/* Accesses keep their order over this, and none is dropped. It is no instruction. */
#define FENCE() __asm__ volatile("" ::: "memory")
#define USE(x) __asm__ volatile("v_nop ; use %0" ::"v"(x))
#define OVERWRITE(x) __asm__ volatile("v_add_u32 %0, 1, %0 ; overwrite" : "+v"(x))
#define MARK() __asm__ volatile("; mark" ::: "memory")

typedef int quad __attribute__((ext_vector_type(4)));
typedef float sums __attribute__((ext_vector_type(4)));
enum { MANY_LDS = 24, MANY_VM = 80 };

/* The thread's number. Assembly may access LDS from here on, and arguments are in registers. */
static int begin(void)
{
    __asm__ volatile("" ::"v"(lds) : "memory");
    return (int)__builtin_amdgcn_workitem_id_x();
}
#define HAVE(argument) __asm__ volatile("" : "+s"(argument))

static int read(int at)
{
    const int x = lds[at];
    FENCE();
    return x;
}

static int load(const GLOBAL int *from)
{
    const int x = *from;
    FENCE();
    return x;
}

/* --- registers that the compiler manages --- */
PROGRAM(use_of_an_lds_read)(void)
{
    const int i = begin();
    const int a = read(i), b = read(i + 256), c = read(i + 512);
    USE(b);
    USE(a);
    USE(c);
}

PROGRAM(use_of_a_load)(const GLOBAL int *from)
{
    const int i = begin();
    HAVE(from);
    const int a = load(from + i), b = load(from + i + 256), c = load(from + i + 512);
    USE(b);
    USE(a);
    USE(c);
}

PROGRAM(use_in_the_next_pass)(const GLOBAL int *from, int n)
{
    const int i = begin();
    HAVE(from);
    HAVE(n);
    int a = load(from + i);
    for (int k = 1; k < n; k++) {
        USE(a);
        a = load(from + i + 256 * k);
        MARK();
    }
    USE(a);
}

PROGRAM(overwrite_of_what_a_store_reads)(GLOBAL int *to)
{
    int i = begin(), x;
    HAVE(to);
    __asm__ volatile("v_mov_b32 %0, 7" : "=v"(x));
    to[i] = x;
    FENCE();
    OVERWRITE(x);
    USE(x);
}

PROGRAM(overwrite_of_what_a_store_of_16_bytes_reads)(GLOBAL quad *to)
{
    int i = begin();
    HAVE(to);
    quad x = {i, i + 1, i + 2, i + 3};
    to[i] = x;
    FENCE();
    for (int e = 0; e < 4; e++) {
        int y = x[e];
        OVERWRITE(y);
        x[e] = y;
    }
    USE(x);
}

PROGRAM(overwrite_of_what_an_lds_write_reads)(void)
{
    int i = begin(), x;
    __asm__ volatile("v_mov_b32 %0, 7" : "=v"(x));
    lds[i] = x;
    FENCE();
    OVERWRITE(x);
    USE(x);
}

PROGRAM(overwrite_of_what_a_load_writes)(const GLOBAL int *from)
{
    const int i = begin();
    HAVE(from);
    int x = load(from + i);
    MARK();
    __asm__ volatile("v_mov_b32 %0, 7 ; overwrite" : "=v"(x));
    USE(x);
}

PROGRAM(stores_and_loads)(const GLOBAL int *from, GLOBAL int *to)
{
    const int i = begin();
    HAVE(from);
    HAVE(to);
    const int a = load(from + i);
    to[i] = i;
    FENCE();
    USE(a);
}

PROGRAM(loads_to_lds_and_loads)(const GLOBAL int *from)
{
    const int i = begin();
    HAVE(from);
    const int a = load(from + i);
    __builtin_amdgcn_global_load_lds((GLOBAL void *)(from + i), (LDS void *)lds, 4, 0, 0);
    FENCE();
    USE(a);
}

PROGRAM(scalar_loads_and_lds_reads)(const CONSTANT int *from)
{
    const int i = begin();
    HAVE(from);
    const int a = read(i), scalar = from[0], b = read(i + 256);
    USE(a);
    USE(b);
    USE(scalar);
}

PROGRAM(more_lds_reads_than_the_counter_holds)(void)
{
    const int i = begin();
    int x[MANY_LDS];
#pragma unroll
    for (int k = 0; k < MANY_LDS; k++)
        x[k] = read(i + 64 * k);
    MARK();
#pragma unroll
    for (int k = 0; k < MANY_LDS; k++)
        USE(x[k]);
}

PROGRAM(more_loads_than_the_counter_holds)(const GLOBAL int *from)
{
    const int i = begin();
    HAVE(from);
    int x[MANY_VM];
#pragma unroll
    for (int k = 0; k < MANY_VM; k++)
        x[k] = load(from + i + 64 * k);
    MARK();
#pragma unroll
    for (int k = 0; k < MANY_VM; k++)
        USE(x[k]);
}

/* --- LDS --- */
PROGRAM(lds_in_order)(int other)
{
    const int i = begin();
    HAVE(other);
    lds[i] = i;
    FENCE();
    const int x = read(i ^ other);
    FENCE();
    lds[i] = other;
    FENCE();
    USE(x);
}

PROGRAM(load_to_lds_in_assembly_then_read)(const GLOBAL int *from)
{
    const int i = begin();
    HAVE(from);
    __asm__ volatile("s_mov_b32 m0, 0\n\ts_nop 0\n\tglobal_load_lds_dword %0, off" ::"v"(from + i)
                     : "memory");
    const int x = read(i);
    MARK();
    USE(x);
}

/* The nearest to LDS reads that add to a register. */
PROGRAM(lds_reads_of_halves)(void)
{
    typedef short halves __attribute__((ext_vector_type(2)));
    const int i = begin();
    const LDS short *from = (const LDS short *)lds;
    halves x;
    x.x = from[i];
    x.y = from[i + 512];
    USE(x);
}

/* --- barriers --- */
PROGRAM(barrier)(const GLOBAL int *from)
{
    const int i = begin();
    HAVE(from);
    const int a = load(from + i), b = read(i);
    SWP_BARRIER();
    MARK();
    USE(a);
    USE(b);
}

PROGRAM(barrier_of_the_language)(const GLOBAL int *from)
{
    const int i = begin();
    HAVE(from);
    const int a = load(from + i), b = read(i);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    MARK();
    USE(a);
    USE(b);
}

PROGRAM(waits)(const GLOBAL int *from, GLOBAL int *to)
{
    const int i = begin();
    HAVE(from);
    HAVE(to);
    const int a = load(from + i), b = read(i);
    to[i] = 1;
    to[i + 256] = 2;
    SWP_WAIT_VM(1);
    lds[i + 256] = 3;
    SWP_WAIT_LGKM(1);
    MARK();
    USE(a);
    USE(b);
}

/* --- matrix instructions --- */
PROGRAM(mma_before_a_barrier)(GLOBAL float *to)
{
    const int i = begin();
    HAVE(to);
    const float a = __builtin_bit_cast(float, read(i)),
                b = __builtin_bit_cast(float, read(i + 256));
    sums sum = {0, 0, 0, 0};
    sum = __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, sum, 0, 0, 0);
    SWP_BARRIER();
    lds[i] = 0;
    to[i] = sum[0];
}

PROGRAM(overwrite_of_what_an_mma_reads)(GLOBAL float *to)
{
    const int i = begin();
    HAVE(to);
    int a = i, b = i + 1;
    sums sum = {0, 0, 0, 0};
    OVERWRITE(a);
    OVERWRITE(b);
    sum = __builtin_amdgcn_mfma_f32_16x16x4f32(__builtin_bit_cast(float, a),
                                               __builtin_bit_cast(float, b), sum, 0, 0, 0);
    __builtin_amdgcn_sched_barrier(0);
    OVERWRITE(a);
    OVERWRITE(b);
    __builtin_amdgcn_sched_barrier(0);
    to[i] = sum[0];
    USE(a);
    USE(b);
}
