/* SPDX-License-Identifier: Apache-2.0 */
#include "run/value_json.h"

static void add_what(swp_text *text, const swp_wrong_value *v)
{
    if (v->kind == SWP_WRONG_RESULT) {
        swp_text_format(text, "\"op\": %d, \"iteration\": %d", v->op, v->iteration);
        return;
    }
    swp_text_format(text, "\"row\": %d, \"column\": %d, \"i\": %d, \"j\": %d", v->row, v->column,
                    v->i, v->j);
}

void swp_run_add_value(swp_text *text, const swp_wrong_value *v)
{
    swp_text_format(text, "{\"wave\": %d, ", v->wave);
    add_what(text, v);
    swp_text_format(text, ", \"got\": %lld, \"expected\": %lld}", (long long)v->got,
                    (long long)v->expected);
}
