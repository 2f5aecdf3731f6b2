/* SPDX-License-Identifier: Apache-2.0 */
/* The values of --argument, --box, --grid, --work-group and --block: what `swp audit` is told of a launch. */
#include "invocation.h"
#include "number.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* PARAM= or PARAM.BYTE=; `rest`: what follows. */
static bool read_place(const char *text, int *param, int *byte, const char **rest)
{
    uint64_t number = 0;
    uint64_t from = 0;
    if (!number_read(text, 0, INT_MAX, &text, &number))
        return false;
    if (*text == '.' && !number_read(text + 1, 0, INT_MAX, &text, &from))
        return false;
    *param = (int)number;
    *byte = (int)from;
    *rest = text + 1;
    return *text == '=';
}

/* The value may be negative. */
static bool read_launch_argument(const char *text, swp_audit_argument *out)
{
    uint64_t value = 0;
    if (!read_place(text, &out->param, &out->byte, &text))
        return false;
    const bool negative = *text == '-';
    if (!number_read(text + negative, 0, INT64_MAX, NULL, &value))
        return false;
    out->value = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

int option_set_argument(cli_invocation *invocation, cli_option option, const char *value)
{
    swp_audit_launch *launch = option_member(invocation, option);
    swp_audit_argument argument;
    if (!read_launch_argument(value, &argument))
        return option_reject(invocation, option, value,
                             "write parameter=value, such as 5=16, or with the byte where the "
                             "number begins in the parameter: 3.8=16");
    swp_audit_argument *all = realloc((swp_audit_argument *)launch->arguments,
                                      (launch->argument_count + 1) * sizeof *all);
    if (!all)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    all[launch->argument_count++] = argument;
    launch->arguments = all;
    return EXIT_DONE;
}

int option_set_box(cli_invocation *invocation, cli_option option, const char *value)
{
    swp_audit_launch *launch = option_member(invocation, option);
    swp_audit_box box;
    uint64_t bytes = 0;
    const char *rest = NULL;
    if (!read_place(value, &box.param, &box.byte, &rest) ||
        !number_read(rest, 0, INT64_MAX, NULL, &bytes))
        return option_reject(invocation, option, value,
                             "write parameter=bytes, such as 0=8192, or with the byte where the "
                             "tensor map begins in the parameter: 3.128=8192");
    box.bytes = (int64_t)bytes;
    swp_audit_box *all =
        realloc((swp_audit_box *)launch->boxes, (launch->box_count + 1) * sizeof *all);
    if (!all)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    all[launch->box_count++] = box;
    launch->boxes = all;
    return EXIT_DONE;
}

/* One to three numbers; those that are not given are `rest`. */
static bool read_dimensions(const char *text, uint64_t least, int rest, int *out)
{
    bool more = true;
    for (int d = 0; d < 3; d++) {
        uint64_t number = (uint64_t)rest;
        if (more && !number_read(text, least, INT_MAX, &text, &number))
            return false;
        out[d] = (int)number;
        more = more && *text == ',';
        text += more;
    }
    return !more && !*text;
}

int option_set_shape(cli_invocation *invocation, cli_option option, const char *value)
{
    if (read_dimensions(value, 1, 1, option_member(invocation, option)))
        return EXIT_DONE;
    return option_reject(invocation, option, value,
                         "give one to three numbers above 0, such as 132 or 16,8");
}

int option_set_work_group(cli_invocation *invocation, cli_option option, const char *value)
{
    swp_audit_launch *launch = option_member(invocation, option);
    launch->one_work_group = true;
    if (read_dimensions(value, 0, 0, launch->work_group))
        return EXIT_DONE;
    return option_reject(invocation, option, value,
                         "give one to three numbers from 0, such as 7 or 3,1");
}
