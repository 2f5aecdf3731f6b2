/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a random schedule what only the JSON format asks for, so that another build can read it. */
#ifndef TEST_ANSWERS_DRESS_H
#define TEST_ANSWERS_DRESS_H

#include "swp/compile.h"

/*
 * A copy with the same lists, whose ops get the kind and the marks that the format wants of them.
 * @param names  of ops, where the copy keeps them
 */
swp_schedule answers_dress(const swp_schedule *schedule, const char *names[SWP_SCHEDULE_TAGS]);

#endif
