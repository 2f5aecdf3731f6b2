/* SPDX-License-Identifier: Apache-2.0 */
/* A PTX text as instructions (PTX ISA 9.0): kernels, registers by number, labels resolved. */
#ifndef SWP_AUDIT_PTX_PTX_H
#define SWP_AUDIT_PTX_PTX_H

#include "audit/code/slice.h"
#include "base/context.h"

enum { SWP_PTX_MOST_THREADS = 1024 /* of a work group */ };

/*
 * What an instruction does; all that is not listed defines its registers from unknown values. follow.c asks for ranges of
 * these: what only computes comes first, then flow, accesses, and what orders threads, each kind side by side.
 */
typedef enum swp_ptx_kind {
    SWP_PTX_OPAQUE,
    SWP_PTX_NOTHING,
    /* integers */
    SWP_PTX_MOVE,
    SWP_PTX_ADD,
    SWP_PTX_SUB,
    SWP_PTX_MUL,
    SWP_PTX_MAD,
    SWP_PTX_SHL,
    SWP_PTX_SHR,
    SWP_PTX_AND,
    SWP_PTX_OR,
    SWP_PTX_XOR,
    SWP_PTX_NOT,
    SWP_PTX_NEG,
    SWP_PTX_MIN,
    SWP_PTX_MAX,
    SWP_PTX_ABS,
    SWP_PTX_DIV,
    SWP_PTX_REM,
    SWP_PTX_SETP,
    SWP_PTX_SELP,
    SWP_PTX_CONVERT,
    SWP_PTX_BFE,
    SWP_PTX_LOP3,
    SWP_PTX_POPC,
    SWP_PTX_CLZ,
    SWP_PTX_BREV,
    SWP_PTX_BFI,
    SWP_PTX_PRMT,
    SWP_PTX_SHF,
    SWP_PTX_SHUFFLE,
    SWP_PTX_ELECT,
    SWP_PTX_VOTE,
    SWP_PTX_MAP_ADDRESS, /* mapa: the same place in the shared memory of another work group */
    SWP_PTX_LOAD_PARAM,
    /* flow */
    SWP_PTX_BRANCH,
    SWP_PTX_EXIT,
    SWP_PTX_TRAP,
    /* shared memory and what orders it */
    SWP_PTX_LOAD,
    SWP_PTX_STORE,
    SWP_PTX_ATOMIC,
    SWP_PTX_LDMATRIX,
    SWP_PTX_STMATRIX,
    SWP_PTX_MAP_WRITE, /* of a tensor map in shared memory, by tensormap.replace… */
    SWP_PTX_MAP_READ,  /* …and by a copy of it */
    SWP_PTX_COPY,
    SWP_PTX_COPY_COMMIT,
    SWP_PTX_COPY_WAIT,
    SWP_PTX_COPY_WAIT_ALL,
    SWP_PTX_BULK_LOAD,
    SWP_PTX_BULK_STORE,
    SWP_PTX_STORE_ASYNC,
    SWP_PTX_REDUCE_ASYNC,
    SWP_PTX_BULK_COMMIT,
    SWP_PTX_BULK_WAIT,
    SWP_PTX_INIT,
    SWP_PTX_INVALIDATE,
    SWP_PTX_ARRIVE,
    SWP_PTX_COPY_ARRIVE, /* when all copies of the thread so far are done */
    SWP_PTX_EXPECT,
    SWP_PTX_ARRIVE_EXPECT,
    SWP_PTX_WAIT,
    SWP_PTX_BARRIER,
    SWP_PTX_BARRIER_ARRIVE,
    SWP_PTX_WARP_BARRIER,
    SWP_PTX_CLUSTER_ARRIVE,
    SWP_PTX_CLUSTER_WAIT,
    SWP_PTX_FENCE_PROXY,
    SWP_PTX_WGMMA,
    SWP_PTX_WGMMA_FENCE,
    SWP_PTX_WGMMA_COMMIT,
    SWP_PTX_WGMMA_WAIT,
    SWP_PTX_SET_REGISTERS, /* how many the threads of a warp group have */
    SWP_PTX_UNSUPPORTED    /* orders something in a way that is not followed */
} swp_ptx_kind;

typedef enum swp_ptx_atom {
    SWP_PTX_SINK, /* _, or what is not followed */
    SWP_PTX_REGISTER,
    SWP_PTX_NUMBER,
    SWP_PTX_VARIABLE, /* of shared memory, number `reg`: its address is `value` */
    SWP_PTX_PARAM,    /* of the kernel: index `reg`, offset `value` */
    SWP_PTX_SPECIAL,  /* a special register, `reg` */
} swp_ptx_atom;

/* Special registers that are followed, by number. */
enum {
    SWP_PTX_TID = 0, /* three dimensions each */
    SWP_PTX_NTID = 3,
    SWP_PTX_CTAID = 6,
    SWP_PTX_NCTAID = 9,
    SWP_PTX_LANEID = 12,
    SWP_PTX_LANEMASK_EQ,
    SWP_PTX_LANEMASK_LE,
    SWP_PTX_LANEMASK_LT,
    SWP_PTX_LANEMASK_GE,
    SWP_PTX_LANEMASK_GT,
    SWP_PTX_CLUSTER_CTAID,
    SWP_PTX_CLUSTER_NCTAID = SWP_PTX_CLUSTER_CTAID + 3,
    SWP_PTX_CLUSTERID = SWP_PTX_CLUSTER_NCTAID + 3,
    SWP_PTX_NCLUSTERID = SWP_PTX_CLUSTERID + 3,
    SWP_PTX_CLUSTER_CTARANK = SWP_PTX_NCLUSTERID + 3,
    SWP_PTX_CLUSTER_NCTARANK,
    SWP_PTX_IS_EXPLICIT_CLUSTER,
    SWP_PTX_SPECIALS
};

/* A register or number of an instruction; those between two commas have one group. */
typedef struct swp_ptx_operand {
    swp_ptx_atom atom;
    int group;
    bool address; /* in square brackets */
    bool negated;
    int reg;
    int64_t value; /* of a register in square brackets: what is added */
} swp_ptx_operand;

/* An integer type; 0 bits: a float, or none. */
typedef struct swp_ptx_type {
    int bits;
    bool is_signed;
} swp_ptx_type;

/* Of a source. */
typedef struct swp_ptx_line {
    int file;
    int line;
    int column;
} swp_ptx_line;

typedef struct swp_ptx_insn {
    swp_slice text;
    swp_slice name; /* with its modifiers */
    int line;
    swp_ptx_kind kind;
    swp_ptx_type type;   /* of the result */
    swp_ptx_type source; /* of the second type that is named, else the same */
    int guard;           /* a predicate; -1: none */
    bool guard_negated;
    bool wide;    /* the result is twice as wide as the sources */
    int relation; /* of setp: one of those of values.c; -1: none that is followed */
    int first;    /* operands */
    int end;
    bool signals;     /* it is volatile, relaxed, acquire or release */
    bool has_results; /* group 0 is written */
    bool meets;       /* `.sync`: threads of the warp wait for each other, … */
    bool masked;      /* …those of its last operand */
    int target;       /* of a branch */
    bool is_target;   /* a branch leads here */
    int scope;
    swp_ptx_line place;  /* of the source that it was compiled from; line 0: not known */
    swp_ptx_line caller; /* where the function there was called that was inlined; line 0: nowhere */
} swp_ptx_insn;

/* Whether an operand of an instruction is a register that it writes. */
static inline bool swp_ptx_is_result(const swp_ptx_insn *insn, const swp_ptx_operand *operand)
{
    return insn->has_results && operand->group == 0 && !operand->address &&
           operand->atom == SWP_PTX_REGISTER;
}

/* Whether it is a register that it reads, of an address too. */
static inline bool swp_ptx_is_source(const swp_ptx_insn *insn, const swp_ptx_operand *operand)
{
    return operand->atom == SWP_PTX_REGISTER && !swp_ptx_is_result(insn, operand);
}

typedef struct swp_ptx_insns {
    swp_ptx_insn *items;
    size_t count;
    size_t capacity;
} swp_ptx_insns;

typedef struct swp_ptx_operands {
    swp_ptx_operand *items;
    size_t count;
    size_t capacity;
} swp_ptx_operands;

typedef struct swp_ptx_names {
    swp_slice *items;
    size_t count;
    size_t capacity;
} swp_ptx_names;

typedef struct swp_ptx_kernel {
    swp_slice name;
    int line;
    int first;
    int end;
    int registers;
    int params;
    swp_ptx_names param_names;
    int threads[3]; /* of a work group: the most that it may have */
    bool sized;
    bool is_at_most; /* the file names a most, and the launch nothing */
    bool exact;      /* it has neither fewer nor more */
    int64_t shared_bytes;
    int cluster[3];   /* work groups; the first one 0: the file does not say */
    bool is_explicit; /* launched with that cluster */
    const bool
        *shared_addresses; /* of each register: it may hold a generic address of shared memory */
    bool stores_addresses; /* such an address is stored, and may be loaded again */
    const bool
        *behind_fences; /* of each instruction: a thread may come to it behind a fence for memory */
    const int *
        wait_tests; /* of each instruction: the number of the register by which it has to do with tests; 0: none */
    const int
        *test_registers; /* of each register that tests decide: its number, from 1; 0: none does */
    int tested;          /* such registers */
} swp_ptx_kernel;

/*
 * The number of the register that a test writes, that leaves a wait out, or that is computed of what tests decide (wait_tests.c);
 * 0: an instruction has nothing to do with tests.
 */
static inline int swp_ptx_test_register(const swp_ptx_kernel *kernel, int number)
{
    return kernel->wait_tests ? kernel->wait_tests[number] : 0;
}

typedef struct swp_ptx_kernels {
    swp_ptx_kernel *items;
    size_t count;
    size_t capacity;
} swp_ptx_kernels;

typedef struct swp_ptx_source {
    int number;
    swp_slice name;
} swp_ptx_source;

typedef struct swp_ptx_source_list {
    swp_ptx_source *items;
    size_t count;
    size_t capacity;
} swp_ptx_source_list;

typedef struct swp_ptx_module {
    const char *target;
    swp_ptx_source_list sources;
    swp_ptx_insns insns;
    swp_ptx_operands operands;
    swp_ptx_kernels kernels;
    int64_t dynamic; /* where dynamic shared memory begins */
} swp_ptx_module;

/* Whether a text is PTX, so that its errors are about that. */
bool swp_ptx_recognises(swp_slice text);
swp_status swp_ptx_read(swp_context *ctx, swp_slice text, const char *file, swp_ptx_module *out);

/* The name of a source by its number; empty: the file does not say. */
swp_slice swp_ptx_source_of(const swp_ptx_module *module, int number);

/* Fills in what the name of an instruction says. */
void swp_ptx_classify(swp_ptx_insn *insn);

/* The fewest operands with which an instruction of a kind means something. */
int swp_ptx_least_operands(swp_ptx_kind kind);

/* The number of a comparison that is named; -1: none. */
int swp_ptx_relation(swp_slice name);

/* Whether one of the modifiers behind the dots of a name is this. */
bool swp_ptx_has(swp_slice name, const char *modifier);

/* The first operand of a group; NULL: there is none. */
static inline const swp_ptx_operand *swp_ptx_operand_of(const swp_ptx_module *module,
                                                        const swp_ptx_insn *insn, int group)
{
    for (int i = insn->first; i < insn->end; i++)
        if (module->operands.items[i].group == group)
            return &module->operands.items[i];
    return NULL;
}

/* What is added to a register in square brackets. */
static inline int64_t swp_ptx_offset(const swp_ptx_operand *operand)
{
    return operand->atom == SWP_PTX_REGISTER ? operand->value : 0;
}

#endif
