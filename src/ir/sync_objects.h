/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of synchronisation objects and of the entries that operate on them (docs/objects.md). Proof, derivation,
 * cycle model, writers and audits ask it. The rows are in sync_rows.c. Who executes and judges schedules by itself has
 * tables of its own (src/run/, tests/judges/), and takes nothing of this.
 */
#ifndef SWP_IR_SYNC_OBJECTS_H
#define SWP_IR_SYNC_OBJECTS_H

#include "ir/completions.h"
#include "ir/entry.h"
#include "ir/entry_forms.h"
#include "swp/config.h"
#include "swp/loop.h"
#include "swp/objects.h"

typedef enum swp_sync_object {
    /* These track the accesses of one wave, in loops without warp roles. */
    SWP_VMCNT,
    SWP_LGKMCNT,
    SWP_COPY_GROUP,
    SWP_MATRIX_GROUP, /* that of warp roles, too */
    SWP_COPY_MBARRIER,
    SWP_MATRIX_MBARRIER,
    SWP_SYNC_OBJECTS,
    SWP_NO_OBJECT = SWP_SYNC_OBJECTS, /* of an op that is done when it issues */
    SWP_SYNC_BULK_GROUP,
    SWP_SYNC_MBARRIER,
    SWP_SYNC_NAMED_BARRIER,
    SWP_SYNC_GROUP_BARRIER, /* a work group's */
    SWP_SYNC_CLUSTER_BARRIER,
    SWP_SYNC_ROWS,
    SWP_MOST_SYNC_ROWS = 16 /* a test may add some */
} swp_sync_object;

/* What completes an object of warp roles, so that a wait for it returns. */
typedef enum swp_completes {
    SWP_COMPLETES_NEVER, /* it is none: a wave counts its accesses, and a wait says how many may be in flight */
    SWP_COMPLETES_BY_GROUP, /* a commit makes a group of what came before, and a wait says how many may be in flight */
    SWP_COMPLETES_BY_PHASE,  /* all arrivals and bytes of a phase have come */
    SWP_COMPLETES_BY_MEETING /* all who take part have come */
} swp_completes;

/* A cell that a row has no use for is 0 (docs/objects.md). */
typedef struct swp_sync_object_row {
    swp_completes completes;
    bool orders; /* what came to it comes before what follows a wait for it */
    /* Of what tracks the accesses of one wave. */
    swp_completion kind; /* only a counter has a largest count, which the machine states */
    swp_wait_kind wait;
    bool fence_retires; /* a fenced barrier does */
    bool in_order;      /* a wave's operations on it take effect as they are issued */
    /* Of what tracks ops of warp roles. */
    swp_completion tracks; /* the ops of that completion; UNSTATED: none */
    bool async_proxy; /* fences stand between their accesses to shared memory and ordinary ones */
    const char *word; /* for them */
    /* Of groups of warp roles. */
    bool collective; /* all threads of an instance issue each op together */
    bool any_order;  /* they retire so, and a wait that leaves some in flight tells of none */
    int most_left;   /* that a wait can name; 0: any number */
    /* Of phases and meetings. */
    bool across_ranks; /* all work groups of a cluster meet */
    bool waits_apart;  /* who comes waits by another entry */
    /* Words, which docs/objects.md prints. */
    const char *name;
    const char *arrives;
    const char *completed;
    const char *retires;
    const char *order;
    const char *leaves;
    const char *evidence;
} swp_sync_object_row;

typedef enum swp_fence_kind { SWP_NO_FENCE, SWP_PROXY_FENCE, SWP_REGISTER_FENCE } swp_fence_kind;

/* What an entry by its tag does with an object. */
typedef struct swp_sync_operation {
    swp_sync_object object; /* SWP_NO_OBJECT: none */
    bool arrives;           /* its threads come to a phase or a meeting */
    bool waits;
    bool commits;
    bool reads_alone; /* it waits until the sources of the group are read */
    swp_fence_kind fence;
    const char *macro; /* of a C header, behind SWP_… */
    const char *ptx;   /* the instruction, where it takes the count of a wait or nothing */
} swp_sync_operation;

/* Entries of the framework by their tags, from SWP_TAG_BARRIER on. */
typedef struct swp_sync_table {
    const swp_sync_object_row *objects;
    int object_count; /* at most SWP_MOST_SYNC_ROWS */
    const swp_sync_operation *operations;
    int operation_count;
} swp_sync_table;

/* A file of its own has it alone (sync_table.c), so that a test can link another one. */
extern const swp_sync_table swp_ir_sync_table;

/* The rows of which it is made. */
extern const swp_sync_object_row swp_ir_sync_objects[SWP_SYNC_ROWS];
enum { SWP_SYNC_OPERATIONS = SWP_LAST_ROLE_TAG - SWP_TAG_BARRIER + 1 };
extern const swp_sync_operation swp_ir_sync_operations[SWP_SYNC_OPERATIONS];

/* That of none, too. */
static inline const swp_sync_object_row *swp_ir_sync_object_row(swp_sync_object object)
{
    return &swp_ir_sync_table.objects[object];
}

/* What an entry of the tag does; with no object, if it is another entry. */
const swp_sync_operation *swp_ir_sync_other_operation(void);
static inline const swp_sync_operation *swp_ir_sync_operation(int tag)
{
    const int row = tag - SWP_TAG_BARRIER;
    return row >= 0 && row < swp_ir_sync_table.operation_count ? &swp_ir_sync_table.operations[row]
                                                               : swp_ir_sync_other_operation();
}

/* How an operation's object completes. */
static inline swp_completes swp_ir_sync_completes(const swp_sync_operation *operation)
{
    return swp_ir_sync_object_row(operation->object)->completes;
}

/* Whether it waits for groups, of which it may leave some in flight. */
static inline bool swp_ir_sync_waits_for_groups(const swp_sync_operation *operation)
{
    return operation->waits && swp_ir_sync_completes(operation) == SWP_COMPLETES_BY_GROUP;
}

static inline bool swp_ir_is_group_wait(const swp_op *op)
{
    return swp_ir_sync_waits_for_groups(swp_ir_sync_operation(op->tag));
}

/* As many as a wait that leaves so many in flight can say. */
int swp_ir_sync_left(swp_sync_object object, int left);

/* What tracks ops of warp roles that complete so; SWP_NO_OBJECT: nothing does. */
swp_sync_object swp_ir_sync_tracker(swp_completion completion);

/* Whether ops that an object tracks may have registers. */
bool swp_ir_sync_has_registers(swp_sync_object object);

/* The tag of the first operation on an object that commits, or that waits; -1: none does. */
int swp_ir_sync_commit_of(swp_sync_object object);
int swp_ir_sync_wait_of(swp_sync_object object, bool reads_alone);

/* As the manual and messages call it. */
const char *swp_ir_sync_object_name(swp_sync_object object);

/* What the op's accesses are tracked by in its wave (docs/loops-proof.md, "What an entry does"). */
swp_sync_object swp_ir_loop_object_of(const swp_loop *loop, const swp_loop_op *op);

/* Whether operations on the two, by one wave, take effect as they are issued. */
bool swp_ir_sync_in_order(swp_sync_object earlier, swp_sync_object later);

/* The largest count; 0: it has none. */
int swp_ir_sync_largest(const swp_machine *machine, swp_sync_object object);

/* Cycles from a wait that holds no longer to the next entry of its group. */
static inline int64_t swp_ir_leaves_wait(const swp_machine *machine)
{
    return machine->wait_cycles > machine->issue_cycles ? machine->wait_cycles
                                                        : machine->issue_cycles;
}

#endif
