/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out what a hint says of a schedule with warp roles, by its words alone. */
#ifndef TEST_JUDGES_ROLE_HINT_H
#define TEST_JUDGES_ROLE_HINT_H

#include "swp/verify.h"

/* A schedule after a hint; it borrows what the hint leaves. */
typedef struct role_hint {
    swp_context *ctx; /* of its memory */
    swp_schedule schedule;
    int stream; /* whose list was edited; -1: none was… */
    swp_phase phase;
    int form;     /* …of this form, where the phase is the epilogue… */
    int at;       /* …from here on… */
    int inserted; /* …by so many entries more; -1: by one fewer… */
    int to;       /* …or to here by a move; -1: there was none */
} role_hint;

/* @return false if the hint says no edit */
bool role_hint_apply(swp_context *ctx, const swp_schedule *schedule, const char *hint,
                     role_hint *out);

/* Where a hazard's entry stood before; -1: it is new. @param form  of the hazard, where its phase is the epilogue */
int role_hint_entry_before(const role_hint *done, int stream, swp_phase phase, int form, int entry);

#endif
