/* SPDX-License-Identifier: Apache-2.0 */
/* Finds where a value stands in a text of JSON, since jansson keeps no places. */
#ifndef SWP_JSON_FIND_H
#define SWP_JSON_FIND_H

#include "swp/problem.h"

/*
 * Returns the place of the value at a path such as `roles[1].kernel[2].to`, or of its key. The text
 * must have no errors of syntax. If the path leads on to something that is not there, the last
 * value on it counts.
 */
swp_place swp_json_find(const swp_problem_text *in, const char *path, bool its_key);

/* Finds the places of the first `count` elements of the array at a path, in one reading of the text. */
void swp_json_find_elements(const swp_problem_text *in, const char *path, size_t count,
                            swp_place *places);

#endif
