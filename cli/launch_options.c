/* SPDX-License-Identifier: Apache-2.0 */
/* The values of --argument, --box, --grid, --work-group, --block, --parameters and --shared: what `swp audit` is told of a launch. */
#include "invocation.h"
#include "number.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A parameter, by its number or name; the byte, and the sign before what it is. */
typedef struct place {
    const char *name; /* NULL: by number */
    int param;
    int byte;
} place;

static bool is_name(char c)
{
    return c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9');
}

/* What the invocation frees; NULL: there is no memory. */
static void *keep(cli_invocation *invocation, void *memory)
{
    void **all = realloc(invocation->kept, (invocation->kept_count + 1) * sizeof *all);
    if (!all) {
        free(memory);
        return NULL;
    }
    invocation->kept = all;
    return all[invocation->kept_count++] = memory;
}

/* PARAM= or PARAM.BYTE=; `rest`: what follows. */
static bool read_place(cli_invocation *invocation, const char *text, place *out, const char **rest)
{
    uint64_t number = 0;
    uint64_t from = 0;
    size_t length = 0;
    *out = (place){0};
    while (is_name(text[length]))
        length++;
    if (length && !(text[0] >= '0' && text[0] <= '9')) {
        out->name = keep(invocation, strndup(text, length));
        text += length;
    } else if (!number_read(text, 0, INT_MAX, &text, &number)) {
        return false;
    }
    if (*text == '.' && !number_read(text + 1, 0, INT_MAX, &text, &from))
        return false;
    out->param = (int)number;
    out->byte = (int)from;
    *rest = text + 1;
    return *text == '=';
}

/* The value may be negative. */
static bool read_launch_argument(cli_invocation *invocation, const char *text,
                                 swp_audit_argument *out)
{
    uint64_t value = 0;
    place at;
    const bool is_place = read_place(invocation, text, &at, &text);
    *out = (swp_audit_argument){.name = at.name, .param = at.param, .byte = at.byte};
    if (!is_place)
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
    if (!read_launch_argument(invocation, value, &argument))
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

/* BYTES, or the numbers of a box and the type of its elements: 64,128:bf16 */
static bool read_bytes(const char *text, int64_t *out)
{
    uint64_t number = 1;
    uint64_t bytes = 1;
    bool more = true;
    bool is_box = false;
    for (int d = 0; d < SWP_AUDIT_BOX_DIMENSIONS && more; d++) {
        if (!number_read(text, 0, INT32_MAX, &text, &number) ||
            (number && bytes > INT64_MAX / 64 / number))
            return false;
        bytes *= number;
        more = *text == ',';
        is_box |= more;
        text += more;
    }
    if (more)
        return false;
    *out = (int64_t)bytes;
    /* Without a type of elements it is one number, of bytes. */
    if (!*text)
        return !is_box;
    const int bits = *text == ':' ? swp_audit_element_bits(text + 1) : 0;
    *out = (int64_t)(bytes * (uint64_t)bits / 8);
    return bits > 0;
}

int option_set_box(cli_invocation *invocation, cli_option option, const char *value)
{
    swp_audit_launch *launch = option_member(invocation, option);
    swp_audit_box box = {0};
    place at;
    const char *rest = NULL;
    if (!read_place(invocation, value, &at, &rest) || !read_bytes(rest, &box.bytes))
        return option_reject(invocation, option, value,
                             "write parameter=bytes, such as 0=8192 or map_a=64,64:bf16, or with "
                             "the byte where the tensor map begins in the parameter: 3.128=8192");
    box.name = at.name;
    box.param = at.param;
    box.byte = at.byte;
    swp_audit_box *all =
        realloc((swp_audit_box *)launch->boxes, (launch->box_count + 1) * sizeof *all);
    if (!all)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    all[launch->box_count++] = box;
    launch->boxes = all;
    return EXIT_DONE;
}

/* A,B,K: what the author calls the parameters, in their order. */
int option_set_names(cli_invocation *invocation, cli_option option, const char *value)
{
    swp_audit_launch *launch = option_member(invocation, option);
    const char **names = keep(invocation, calloc(strlen(value) + 1, sizeof *names));
    if (!names)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    launch->names = names;
    launch->name_count = 0;
    for (const char *c = value;; c++) {
        const size_t length = strcspn(c, ",");
        if (!length || !(names[launch->name_count++] = keep(invocation, strndup(c, length))))
            return option_reject(invocation, option, value,
                                 "write the names of the parameters in their order, with commas "
                                 "between: A,B,K");
        c += length;
        if (!*c)
            return EXIT_DONE;
    }
}

int option_set_shared(cli_invocation *invocation, cli_option option, const char *value)
{
    swp_audit_launch *launch = option_member(invocation, option);
    uint64_t bytes = 0;
    if (!number_read(value, 0, SWP_AUDIT_MOST_SHARED, NULL, &bytes))
        return option_reject(invocation, option, value, "give bytes, from 0 to 262144");
    launch->has_shared = true;
    launch->shared = (int64_t)bytes;
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
