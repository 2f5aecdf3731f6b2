/* SPDX-License-Identifier: Apache-2.0 */
/* swp list settings: prints the table of fields in aligned columns. */
#include "list.h"

#include "swp/fields.h"

#include <string.h>

enum { COLUMN_GAP = 2 };

typedef struct row {
    char path[SWP_FIELD_PATH_SIZE];
    char value[SWP_FIELD_TEXT_SIZE];
    char domain[2 * SWP_FIELD_TEXT_SIZE]; /* with its unit */
    const char *meaning;
} row;

typedef struct widths {
    int path;
    int value;
    int domain;
} widths;

static row row_of(const swp_field *field, const swp_settings *defaults)
{
    row made = {.meaning = field->meaning};
    char domain[SWP_FIELD_TEXT_SIZE];
    (void)swp_field_path(field, made.path);
    swp_field_format(field, defaults, made.value);
    swp_field_domain(field, domain);
    (void)snprintf(made.domain, sizeof made.domain, "%s%s%s", domain, *field->unit ? " " : "",
                   field->unit);
    return made;
}

static int wider(int width, const char *text)
{
    const int length = (int)strlen(text) + COLUMN_GAP;
    return length > width ? length : width;
}

static widths widen(widths columns, const row *one)
{
    return (widths){.path = wider(columns.path, one->path),
                    .value = wider(columns.value, one->value),
                    .domain = wider(columns.domain, one->domain)};
}

static void print_row(FILE *stream, widths columns, const row *one)
{
    (void)fprintf(stream, "%-*s%-*s%-*s%s\n", columns.path, one->path, columns.value, one->value,
                  columns.domain, one->domain, one->meaning);
}

void list_print_settings(FILE *stream)
{
    const row heading = {"SETTING", "DEFAULT", "VALUES", "MEANING"};
    const swp_settings defaults = swp_settings_default();
    size_t count = 0;
    const swp_field *fields = swp_fields(&count);
    widths columns = widen((widths){0}, &heading);
    for (size_t i = 0; i < count; i++) {
        const row one = row_of(&fields[i], &defaults);
        columns = widen(columns, &one);
    }
    print_row(stream, columns, &heading);
    for (size_t i = 0; i < count; i++) {
        const row one = row_of(&fields[i], &defaults);
        print_row(stream, columns, &one);
    }
    (void)fputs("\nA built-in starts from defaults of its own: `swp new NAME --from BUILTIN` lists "
                "them.\n",
                stream);
}
