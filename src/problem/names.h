/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the words of problems and answers in files. */
#ifndef SWP_PROBLEM_NAMES_H
#define SWP_PROBLEM_NAMES_H

#include "base/names.h"

extern const swp_name_table swp_problem_kind_names;
extern const swp_name_table swp_problem_answer_status_names;
extern const swp_name_table swp_problem_bound_kind_names;

#endif
