/* SPDX-License-Identifier: Apache-2.0 */
/* Machine code as the audit sees it, whatever front end read it. */
#ifndef SWP_AUDIT_CODE_INSN_H
#define SWP_AUDIT_CODE_INSN_H

#include "audit/code/processor.h"
#include "audit/code/slice.h"
#include "base/context.h"

/*
 * What instructions do: X(kind, counted by vmcnt, by lgkmcnt, in order, reads LDS, writes LDS,
 * meaning). "In order": the accesses of that kind retire in the order in which they were issued.
 */
/* clang-format off */
#define SWP_INSN_KINDS(X) \
    X(UNKNOWN,     0, 0, 0, 0, 0, "an instruction that the audit does not know") \
    X(NOTHING,     0, 0, 0, 0, 0, "has no effect on registers or memory") \
    X(WAIT,        0, 0, 0, 0, 0, "waits for counters") \
    X(BARRIER,     0, 0, 0, 0, 0, "synchronises the waves") \
    X(JUMP,        0, 0, 0, 0, 0, "goes on elsewhere") \
    X(BRANCH,      0, 0, 0, 0, 0, "goes on elsewhere on a condition") \
    X(END,         0, 0, 0, 0, 0, "ends the wave") \
    X(RETURN,      0, 0, 0, 0, 0, "goes back to the caller") \
    X(SCALAR,      0, 0, 0, 0, 0, "computes on scalar registers") \
    X(VECTOR,      0, 0, 0, 0, 0, "computes on vector registers") \
    X(MATRIX,      0, 0, 0, 0, 0, "multiplies matrices in registers") \
    X(SCALAR_LOAD, 0, 1, 0, 0, 0, "loads scalar registers, out of order") \
    X(LOAD,        1, 0, 1, 0, 0, "loads vector registers") \
    X(STORE,       1, 0, 1, 0, 0, "stores vector registers") \
    X(ATOMIC,      1, 0, 1, 0, 0, "changes global memory") \
    X(LOAD_TO_LDS, 1, 0, 1, 0, 1, "loads to LDS") \
    X(COPY_TO_LDS, 0, 0, 0, 0, 1, "copies to shared memory, in a group") \
    X(COMMIT,      1, 0, 1, 0, 0, "ends a group of copies") \
    X(FLAT_LOAD,   1, 1, 0, 1, 0, "loads vector registers from any memory, LDS included") \
    X(FLAT_STORE,  1, 1, 0, 0, 1, "stores vector registers to any memory, LDS included") \
    X(FLAT_ATOMIC, 1, 1, 0, 1, 1, "changes any memory, LDS included") \
    X(LDS_READ,    0, 1, 1, 1, 0, "reads LDS") \
    X(LDS_WRITE,   0, 1, 1, 0, 1, "writes LDS") \
    X(LDS_ATOMIC,  0, 1, 1, 1, 1, "changes LDS") \
    X(LDS_SHUFFLE, 0, 1, 1, 0, 0, "moves values between lanes, without memory")
/* clang-format on */

#define SWP_ENUMERATOR(kind, ...) SWP_INSN_##kind,
typedef enum swp_insn_kind { SWP_INSN_KINDS(SWP_ENUMERATOR) SWP_INSN_KIND_COUNT } swp_insn_kind;
#undef SWP_ENUMERATOR

typedef enum swp_audit_counter {
    SWP_AUDIT_VM,
    SWP_AUDIT_LGKM,
    SWP_AUDIT_COUNTERS
} swp_audit_counter;

typedef struct swp_insn_traits {
    bool counted[SWP_AUDIT_COUNTERS];
    bool in_order;
    bool reads_lds;
    bool writes_lds;
    const char *meaning;
} swp_insn_traits;

const swp_insn_traits *swp_code_insn_traits_of(swp_insn_kind kind);

const char *swp_code_counter_name(int counter);

/*
 * What LDS atomics compute: X(atomic, commutes, bit by bit). One commutes if it may be exchanged with
 * another of its kind and size, whatever the operands: sums of integers modulo a power of two, bit
 * operations, extremes. Two of different kinds do not: and, then add, is not add, then and. Sums of
 * floats round, and extremes of floats have zeros of two signs.
 */
#define SWP_ATOMICS(X)                                                                             \
    X(OTHER, 0, 0)                                                                                 \
    X(SUM, 1, 0)                                                                                   \
    X(AND, 1, 1)                                                                                   \
    X(OR, 1, 1)                                                                                    \
    X(XOR, 1, 1)                                                                                   \
    X(MIN_SIGNED, 1, 0)                                                                            \
    X(MIN_UNSIGNED, 1, 0)                                                                          \
    X(MAX_SIGNED, 1, 0)                                                                            \
    X(MAX_UNSIGNED, 1, 0)

#define SWP_ENUMERATOR(atomic, ...) SWP_ATOMIC_##atomic,
typedef enum swp_atomic { SWP_ATOMICS(SWP_ENUMERATOR) } swp_atomic;
#undef SWP_ENUMERATOR

typedef struct swp_atomic_traits {
    bool commutes;
    bool bitwise;
} swp_atomic_traits;

const swp_atomic_traits *swp_code_atomic_traits_of(swp_atomic atomic);

/*
 * Registers by number: scalar ones as gfx9 encodes them (vcc, m0 and exec among them), then vector
 * and accumulation registers, the bit that comparisons of scalars write, and the first dwords of each
 * lane's private memory, where compilers spill vector registers.
 */
enum {
    SWP_REG_VCC = 106,
    SWP_REG_TTMP = 108,
    SWP_REG_M0 = 124,
    SWP_REG_EXEC = 126,
    SWP_REG_VECTOR = 128,
    SWP_REG_ACCUMULATOR = SWP_REG_VECTOR + 256,
    SWP_REG_SCC = SWP_REG_ACCUMULATOR + 256,
    SWP_REG_SPILLED,
    SWP_MOST_SPILLED = 512,
    SWP_REG_COUNT = SWP_REG_SPILLED + SWP_MOST_SPILLED
};

/* Scalars are one word a wave. */
bool swp_code_reg_is_scalar(int number);

enum { SWP_REG_NAME_SIZE = 32 };

/* "v[4:7]", "s3", "vcc", "m0". */
const char *swp_code_reg_name(int first, int count, char buffer[SWP_REG_NAME_SIZE]);

typedef enum swp_operand_kind {
    SWP_OPERAND_REGISTERS,
    SWP_OPERAND_NUMBER,
    SWP_OPERAND_NONE, /* `off`, and constants that no address is made of */
    SWP_OPERAND_SYMBOL
} swp_operand_kind;

typedef struct swp_operand {
    swp_operand_kind kind;
    bool altered;       /* negated, or its absolute value */
    uint8_t part_first; /* of a part of a register that is read, with zeros above: its lowest bit */
    uint8_t part_bits;  /* 0: all of it */
    int16_t first;
    int16_t count;
    uint32_t number;
    swp_slice symbol;
} swp_operand;

enum { SWP_MOST_OPERANDS = 7 };

/* Which LDS bytes an instruction accesses: address register plus offset, for every lane. */
typedef struct swp_lds_access {
    int address;         /* register with the address in bytes; -1: none that can be told */
    uint32_t offsets[2]; /* of each part, in bytes */
    int parts;           /* 0: no access to LDS */
    int size;            /* bytes that a lane accesses in each part */
    int lane_stride;     /* bytes that each lane adds to the address by itself */
    uint32_t limit;      /* bytes of LDS that the target has: what is beyond may be anywhere */
} swp_lds_access;

enum { SWP_NO_WAIT = -1, SWP_NO_TARGET = -1 };

typedef struct swp_insn {
    int line;
    swp_slice text;
    swp_insn_kind kind;
    const char *unknown;   /* why nothing is known of it; NULL otherwise */
    const char *invalid;   /* what its numbers must be; NULL: they are */
    int value;             /* how its result is computed: front end's own number; 0: not followed */
    uint32_t value_number; /* a constant that the computation takes besides its operands */
    int destinations;      /* leading operands that it writes */
    bool reads_destination;
    bool writes_exec;
    bool differs; /* its result is not the same in all waves, whatever its operands */
    bool by_lane; /* its result is not the same in all lanes, whatever its operands */
    bool keeps_scc;
    bool reads_scc;
    bool modified;   /* by a modifier that changes which lanes or parts of registers it works on */
    bool keeps_part; /* some bits of what it writes to may stay as they were */
    /* An atomic, a control of caches or an access with a scope: others may count on what comes before it. */
    bool orders_memory;
    /* Each of two words of its result is computed from one word of each source, if it is from that: bits by source. */
    bool by_halves;
    uint8_t half_sources[2]; /* those that it is computed from */
    uint8_t half_words[2];   /* those whose second word it is */
    bool copies;             /* its result is its operands' value, in another register or format */
    swp_operand operands[SWP_MOST_OPERANDS];
    int operand_count;
    swp_operand implied; /* registers that it reads besides; no registers: none */
    swp_operand
        spilled; /* what it loads or stores of private memory; no registers: none, or nobody knows what */
    bool spills_beyond; /* what it stores of that is none that is followed */
    swp_lds_access lds;
    swp_atomic atomic;             /* of an LDS_ATOMIC */
    int waits[SWP_AUDIT_COUNTERS]; /* what may stay outstanding; SWP_NO_WAIT: no wait */
    int target;                    /* instruction that it branches to */
    swp_slice target_name;
} swp_insn;

bool swp_code_accesses_lds(const swp_insn *insn);

/* The private memory that it may write; no registers: none. */
swp_operand swp_code_spilled_by(const swp_insn *insn);

/* An instruction of which nothing is known yet but that it does nothing of what has a field. */
swp_insn swp_code_insn_new(int line, swp_slice text);

/* A copy for messages: blanks are spaces, and what is not printable ASCII is a question mark. */
swp_status swp_code_copy_printable(swp_context *ctx, swp_slice text, const char **out);

/* The same for a text that ends with a NUL. */
swp_status swp_code_copy_printable_name(swp_context *ctx, const char *name, const char **out);

typedef struct swp_insn_list {
    swp_insn *items;
    size_t count;
    size_t capacity;
} swp_insn_list;

typedef struct swp_code_label {
    swp_slice name;
    int line;
    int insn; /* the instruction that it stands before */
} swp_code_label;

typedef struct swp_code_label_list {
    swp_code_label *items;
    size_t count;
    size_t capacity;
} swp_code_label_list;

/* What is known of a scalar register when a kernel begins. */
typedef enum swp_start {
    SWP_START_UNKNOWN, /* something of its own in each wave, as far as is known */
    SWP_START_UNIFORM, /* the same in all waves */
    SWP_START_CONSTANTS, /* half of an address of memory that nobody writes: arguments, the dispatch */
    SWP_START_PRESUMED /* of the arguments, though the file does not say so */
} swp_start;

enum { SWP_START_COUNT = 64 };

typedef struct swp_function {
    swp_slice name;
    int line;
    int first; /* instructions */
    int end;
    int workgroup;                    /* largest number of threads in a workgroup */
    bool packed_ids;                  /* the first register holds more than one id */
    bool many_dimensions;             /* of its threads: the first register numbers them in one */
    bool split;                       /* its waves may run on several compute units */
    bool is_kernel;                   /* has a descriptor */
    bool sized;                       /* the file says how large its workgroups may be */
    swp_start start[SWP_START_COUNT]; /* by scalar register; those beyond are unknown */
} swp_function;

typedef struct swp_function_list {
    swp_function *items;
    size_t count;
    size_t capacity;
} swp_function_list;

typedef struct swp_machine_code {
    const char *target; /* "gfx950" */
    swp_processor processor;
    int counter_max[SWP_AUDIT_COUNTERS];
    /* Whether the effect of every instruction is known, so that it can be judged by itself. */
    bool judged;
    swp_insn_list insns;
    /* What stands in no place of the code and may change it all: none is known while there is one. */
    swp_insn_list doubts;
    swp_code_label_list labels;
    swp_function_list functions;
} swp_machine_code;

#endif
