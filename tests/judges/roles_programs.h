/* SPDX-License-Identifier: Apache-2.0 */
/* Small schedules with warp roles (roles_words.h). */
#ifndef TEST_JUDGES_ROLES_PROGRAMS_H
#define TEST_JUDGES_ROLES_PROGRAMS_H

#include <stddef.h>

extern const char roles_ring[];
extern const char roles_plain_ring[];
extern const char roles_turns[];
extern const char roles_one_way[];
extern const char roles_store[];
extern const char roles_exchange[];
extern const char roles_scale[];
extern const char roles_early[];
extern const char roles_no_reader[];
extern const char roles_deferred[];
extern const char roles_through[];
extern const char roles_told[];

/* Those that are safe for every number of iterations. */
extern const char *const roles_safe_programs[];
extern const size_t roles_safe_program_count;

#endif
