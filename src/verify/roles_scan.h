/* SPDX-License-Identifier: Apache-2.0 */
/* Follows what the registers of a thread hold, and asks of each operand in one. */
#ifndef SWP_VERIFY_ROLES_SCAN_H
#define SWP_VERIFY_ROLES_SCAN_H

#include "verify/roles.h"

/* A slot of a register value, in one thread. */
struct swp_role_place {
    int64_t
        tile; /* that it holds; from SWP_ROLE_CLEARED on what output tiles 0 … have cleared it to */
    int64_t wanted;                     /* by who read it last; as it was made that tile */
    int accessed;                       /* last, by the step; -1: never */
    int made;                           /* the same, by what makes it */
    bool by_wgmma;                      /* that was one */
    int newest[SWP_ROLE_OPERAND_KINDS]; /* wgmma of each kind of operand; -1: none */
    int reader[SWP_SYNC_OBJECTS]; /* of each queue the newest access that reads it; -1: none */
};

#define SWP_ROLE_CLEARED (INT64_MIN / 2)

/* An operand in a register of the step that is looked at. */
typedef struct swp_role_contact {
    int step;
    const swp_happens_step *at;
    const swp_role_operand *operand;
    int64_t version;
    int64_t tile;
    swp_role_place *place;
} swp_role_contact;

typedef struct swp_role_scanner {
    swp_role_judge *judge;
    int instance;
    int which; /* thread of it */
    swp_role_place *places;
    int fence;                  /* the last matrix_fence; -1: none so far */
    swp_role_contact *contacts; /* of a step */
    swp_role_wrong_registers *wrong;
} swp_role_scanner;

typedef swp_status swp_role_contact_check(swp_role_scanner *s, const swp_role_contact *c);

static inline bool swp_verify_role_makes(swp_role_operand_kind kind)
{
    return kind == SWP_ROLE_UPDATES || kind == SWP_ROLE_WRITES;
}

swp_status swp_verify_role_scan_begin(swp_role_judge *judge, swp_role_scanner *out);

/* The registers in front of the first step. */
void swp_verify_role_scan_from_start(swp_role_scanner *s);

/* All that the op finds is from before it. `ask` may be NULL. */
swp_status swp_verify_role_scan_step(swp_role_scanner *s, int step, swp_role_contact_check *ask);

/* What was told of counts as done, without warp roles: the same of the place, where nothing is told. */
swp_status swp_verify_role_forget_told(swp_role_scanner *s, const swp_role_contact *c);

/* What a thread's registers are where it stands, and its last matrix_fence before that. */
swp_status swp_verify_role_registers_at(swp_role_scanner *s, int instance, int which);

#endif
