/* SPDX-License-Identifier: Apache-2.0 */
/* A wrong value, in a report and in a counterexample alike. */
#ifndef SWP_RUN_VALUE_JSON_H
#define SWP_RUN_VALUE_JSON_H

#include "base/text.h"
#include "swp/run.h"

void swp_run_add_value(swp_text *text, const swp_wrong_value *value);

#endif
