/* SPDX-License-Identifier: Apache-2.0 */
/* Where a value stands in a text of JSON: jansson keeps no places of what it has read. */
#ifndef SWP_JSON_FIND_H
#define SWP_JSON_FIND_H

#include "swp/problem.h"

/*
 * The place of the value at a path such as `roles[1].kernel[2].to`, or of its key, in a text without errors of syntax.
 * Where the path goes on to what is not there, the place of the last value that is.
 */
swp_place swp_json_find(const swp_problem_text *in, const char *path, bool its_key);

/* The places of the first `count` elements of the array at a path, in one reading of the text. */
void swp_json_find_elements(const swp_problem_text *in, const char *path, size_t count,
                            swp_place *places);

#endif
