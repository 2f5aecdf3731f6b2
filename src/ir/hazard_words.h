/* SPDX-License-Identifier: Apache-2.0 */
/* What is said of a hazard of a schedule without warp roles: its detail, and a hint. */
#ifndef SWP_IR_HAZARD_WORDS_H
#define SWP_IR_HAZARD_WORDS_H

#include "ir/effects.h"
#include "swp/verify.h"

typedef struct swp_hazard_words {
    swp_hazard_kind kind;
    bool is_of_loop; /* else of a body */
    int makers;      /* tiles of a version of the value; 0: tiles are of no value */
    int wanted;      /* tile, of work its iteration; SWP_NO_TILE: it is about neither */
    int found;       /* tile; SWP_NO_TILE: none */
    const char *op;  /* whose work it is; NULL: it is about no work */
    swp_entry_ref other;
    const char *other_op; /* NULL: there is no other entry */
    int passes;           /* by which that is before */
} swp_hazard_words;

/* In the context's memory. */
swp_status swp_ir_hazard_detail(swp_context *ctx, const swp_hazard_words *words, char **out);

const char *swp_ir_hazard_hint(swp_hazard_kind kind, bool is_of_loop);

#endif
