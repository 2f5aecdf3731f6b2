/* SPDX-License-Identifier: Apache-2.0 */
/* The words of loops, for whoever reads them. */
#ifndef SWP_IR_LOOP_NAMES_H
#define SWP_IR_LOOP_NAMES_H

#include "base/names.h"
#include "swp/loop.h"

extern const swp_name_table swp_ir_completion_names;
extern const swp_name_table swp_ir_plain_when_names; /* that stand without numbers */
extern const swp_name_table swp_ir_space_names;
extern const swp_name_table swp_ir_bytes_of_names;
extern const swp_name_table swp_ir_objective_names;

#endif
