/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of a random test of warp roles were like. */
#ifndef TEST_JUDGES_ROLES_MIX_H
#define TEST_JUDGES_ROLES_MIX_H

#include "roles_generator.h"
#include "roles_judgement.h"

typedef struct role_mix {
    size_t programs;
    size_t safe;
    size_t one_edit;
    size_t first[SWP_HAZARD_KINDS]; /* programs, by the kind that is found first */
} role_mix;

void role_mix_add(role_mix *mix, const random_roles *program, const role_judgement *judged);
void role_mix_print(const role_mix *mix);

/* Enough that is safe, enough that nearly is, and all that can go wrong: of enough programs, each in one of a hundred. */
bool role_mix_is_rich(const role_mix *mix);

/* Whether a run with warp roles can go wrong in this way first of all. */
bool role_mix_expects(swp_hazard_kind kind);

#endif
