/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the enumerations of swp/types.h as tables, for readers that list what is possible. */
#ifndef SWP_IR_TYPE_NAMES_H
#define SWP_IR_TYPE_NAMES_H

#include "base/names.h"

extern const swp_name_table swp_ir_resource_names;
extern const swp_name_table swp_ir_role_names;
extern const swp_name_table swp_ir_k_offset_names;
extern const swp_name_table swp_ir_dep_kind_names;
extern const swp_name_table swp_ir_threads_names;
extern const swp_name_table swp_ir_arrival_target_names;
extern const swp_name_table swp_ir_clock_names;
extern const swp_name_table swp_ir_role_object_names;

#endif
