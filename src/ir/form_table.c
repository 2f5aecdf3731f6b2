/* SPDX-License-Identifier: Apache-2.0 */
/* The table of forms, alone, so that a test can link one with other rows. */
#include "ir/entry_forms.h"

const swp_form_table swp_ir_form_table = {.entries = swp_ir_entry_forms,
                                          .entry_count = SWP_ENTRY_FORMS,
                                          .ops = swp_ir_op_forms,
                                          .op_count = SWP_OP_FORMS};
