/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules with output tiles, and random edits of any of their lists. */
#ifndef TEST_JUDGES_ROLES_TILES_H
#define TEST_JUDGES_ROLES_TILES_H

#include "random.h"
#include "roles_program.h"

enum { ROLES_TILES_SHAPES = 5 };

/* Safe ones, by number. */
void roles_tiles_shape(int number, roles_program *p, swp_context *ctx);

/* An edit, in words, so that it can be made by hand. */
typedef struct roles_tiles_edit {
    int what;
    int role;
    int list; /* swp_phase; then the epilogues of remainders, and the straight lists */
    int entry;
    int by;
} roles_tiles_edit;

roles_tiles_edit roles_tiles_draw(roles_program *p, test_random *random);

/* @return false: it fits nothing there */
bool roles_tiles_make(roles_program *p, const roles_tiles_edit *e);

#endif
