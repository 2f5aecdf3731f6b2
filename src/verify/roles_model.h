/* SPDX-License-Identifier: Apache-2.0 */
/* What the ops of a loop read and make, told once for all runs. */
#ifndef SWP_VERIFY_ROLES_MODEL_H
#define SWP_VERIFY_ROLES_MODEL_H

#include "base/context.h"
#include "swp/compile.h"
#include "swp/loop.h"

/* What an op does to a value. An update reads the tile before and makes its own. */
typedef enum swp_role_operand_kind {
    SWP_ROLE_READS,
    SWP_ROLE_UPDATES_FROM,
    SWP_ROLE_UPDATES,
    SWP_ROLE_WRITES,
    SWP_ROLE_OPERAND_KINDS
} swp_role_operand_kind;

typedef struct swp_role_operand {
    swp_role_operand_kind kind;
    int value;
    int distance; /* iterations from the op's back to the version in whose place it is */
    int part;     /* of that version's tiles: which one is wanted or made */
} swp_role_operand;

typedef struct swp_role_op {
    swp_role_operand *operands;
    int operand_count;
    int *registers; /* of these the numbers of those in registers */
    int register_count;
    int stream; /* whose it is */
} swp_role_op;

/* The op that reads a shared version of a value, of so many iterations before, and which of its tiles. */
typedef struct swp_role_reader {
    int op;
    int distance;
    int part;
} swp_role_reader;

typedef struct swp_role_value {
    int makers;   /* ops, of the value's clock… */
    int *made_by; /* …that make the tiles of a version */
    int first;    /* number of the place of its slot 0 */
    int slots;    /* 1 or more */
    bool is_shared;
    bool is_read;     /* an op reads or updates it */
    bool is_of_tiles; /* its versions are those of output tiles */
    bool is_cleared;  /* registers of passes that an op of the tile clock writes, too */
    swp_role_reader *readers;
    int reader_count;
} swp_role_value;

/* What the ops of a loop operand, told once for all forms. */
typedef struct swp_role_model {
    const swp_schedule *schedule;
    const swp_loop *loop;
    swp_role_op *ops;
    swp_role_value *values;
    int places;
} swp_role_model;

swp_status swp_verify_role_model_build(swp_context *ctx, const swp_schedule *schedule,
                                       swp_role_model *out);

#endif
