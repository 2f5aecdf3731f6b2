/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a kernel of these tests is made of: values in slots, ops that do arithmetic on them, and the loop of an emitted header with
 * the prefix LOOP. Its macros do nothing at once: they write down what a wave is told to do, which is the same for all waves and
 * depends on nothing but N. machine.h then carries it out in the ways that it may go.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>

enum {
    MOST_TILES = 23,
    MOST_WAVES = 8,
    MOST_MADE = 2,
    MOST_READ = 4,
    MOST_OPERANDS = MOST_MADE + MOST_READ
};

/* In shared memory there is one for all waves, and each writes a share of it, its part along the first extent. */
typedef struct value {
    const char *name;
    bool shared;
    int slots;
    size_t bytes;
    unsigned char *cells; /* the machine's */
} value;

#define SHARED_VALUE(NAME, TYPE)                                                                   \
    static value NAME = {#NAME, .shared = true, .slots = LOOP_SLOTS_##NAME, .bytes = sizeof(TYPE)}
#define REGISTERS(NAME, TYPE)                                                                      \
    static value NAME = {#NAME, .slots = LOOP_SLOTS_##NAME, .bytes = sizeof(TYPE)}

/* What keeps count of an access; NO_OBJECT: the op is over when its macro ends. */
typedef enum object {
    NO_OBJECT,
    VMCNT, /* from here three that a wait_vm waits for */
    COPY_GROUP,
    COPY_MBARRIER,
    LGKMCNT, /* and three of wait_lgkm */
    MATRIX_GROUP,
    MATRIX_MBARRIER,
    OBJECTS
} object;

/* An op at work: `made` are the values that it writes, then those that it updates, which hold what they held before. */
typedef struct task {
    int iteration;
    int wave;
    void *made[MOST_MADE];
    const void *read[MOST_READ];
} task;

typedef struct op {
    const char *name;
    object object;
    int accesses;
    value *writes[MOST_MADE];
    value *updates[MOST_MADE];
    value *reads[MOST_READ];
    void (*work)(const task *t);
} op;

typedef struct kernel {
    int waves;
    bool fenced; /* barriers wait for what lgkmcnt counts */
    bool
        scoreboard; /* who uses a register waits for the access that makes it, not for older ones too */
    int vm_max, lgkm_max;
    void (*tell)(int n); /* the loop of the header */
    void (*start)(int wave);
    bool (*is_right)(int n, int wave);
} kernel;

extern const kernel the_kernel;

/* A slot of a value, as a wave has it. */
void *slot_of(value *v, int wave, int slot);

/* The version of the last of n iterations; of none, the one from before the loop. */
void *last_version(value *v, int wave, int n);

/* What the macro of an op is: the op, its iteration, its slots in the header's order. */
#define TELL(op, i, ...) tell_op(&(op), (i), (const int[]){__VA_ARGS__}, __COUNTER__)
void tell_op(const op *o, int iteration, const int *slots, int site);
void tell_wait_vm(int n, int site);
void tell_wait_lgkm(int n, int site);
void tell_barrier(int site);

/* Each place in the header has a number, its site, by which it can be edited. */
#define SWP_WAIT_VM(n) tell_wait_vm((n), __COUNTER__)
#define SWP_WAIT_LGKM(n) tell_wait_lgkm((n), __COUNTER__)
#define SWP_BARRIER() tell_barrier(__COUNTER__)

#endif
