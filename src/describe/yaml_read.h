/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking a YAML document: every value with its place, every error reported and read past.
 *
 * The functions return SWP_OK also where they report an error of the input, so that the rest is
 * looked at too; other statuses end the reading. A caller that depends on a value compares
 * `errors` before and after.
 */
#ifndef SWP_DESCRIBE_YAML_READ_H
#define SWP_DESCRIBE_YAML_READ_H

#include "base/diag.h"
#include "base/names.h"

#include <yaml.h>

/* What the nodes of ranges are called in errors; NULL for those that are no element of one. */
typedef struct swp_yaml_instances {
    const char **items;
    size_t count;
    size_t capacity;
    int after; /* the first of them follows this node, the last of the file */
} swp_yaml_instances;

enum { SWP_YAML_MOST_TOLD = 50 };

/* An error that was told, of which instance, and how often the same came again. */
typedef struct swp_yaml_told {
    size_t diag; /* its number in the context */
    swp_place place;
    const char *instance;
    size_t repeats;
    int last_line;
} swp_yaml_told;

typedef struct swp_yaml_reader {
    swp_context *ctx;
    const char *file;
    yaml_document_t document;
    size_t errors;
    swp_yaml_told told[SWP_YAML_MOST_TOLD];
    size_t told_count;
    swp_yaml_instances instances;
    const char *instance; /* which is being read; NULL: none */
} swp_yaml_reader;

/* A key of a mapping and what stands after it; `value` is NULL where the key is absent. */
typedef struct swp_yaml_item {
    const char *name;
    yaml_node_t *key;
    yaml_node_t *value;
} swp_yaml_item;

/* A key that a mapping may have. */
typedef struct swp_yaml_key {
    const char *name;
    swp_status (*read)(swp_yaml_reader *reader, const swp_yaml_item *item, void *into);
    bool required;
} swp_yaml_key;

/* The range of a number, and the code for one outside of it. */
typedef struct swp_yaml_range {
    int least;
    int most;
    swp_code code;
} swp_yaml_range;

swp_place swp_describe_yaml_place(const swp_yaml_reader *reader, const yaml_node_t *node);
yaml_node_t *swp_describe_yaml_node(swp_yaml_reader *reader, int index);

/* Goes on to an element of a list, which errors name from then on; returns reader->instance as it was. */
const char *swp_describe_yaml_enter(swp_yaml_reader *reader, int index);

/* An absent value: nothing, ~ or null. */
bool swp_describe_yaml_is_null(const yaml_node_t *node);
bool swp_describe_yaml_is_plain(const yaml_node_t *node);

/* Says of each error that came again how often: to be called when all is read. */
swp_status swp_describe_yaml_tell_repeats(swp_yaml_reader *reader);

/*
 * Reports an error. The same error in another place is only counted. When there are too many, says so and returns
 * SWP_INVALID.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
swp_status
swp_describe_yaml_report(swp_yaml_reader *reader, swp_code code, swp_place place, const char *hint,
                         const char *format, ...);

/* Reports that a value is not what it must be: "a list", "text". */
swp_status swp_describe_yaml_report_type(swp_yaml_reader *reader, const yaml_node_t *node,
                                         const char *name, const char *wanted);

/* Reports that a key stands again in `what`; `before` is its first place. */
swp_status swp_describe_yaml_report_twice(swp_yaml_reader *reader, const swp_yaml_item *item,
                                          swp_place before, const char *what);

/* Digits after a leading zero: YAML 1.1 and 1.2 disagree on what number that is. */
bool swp_describe_yaml_is_octal(const char *text);
/* Digits with or without a sign, and no octal number. */
bool swp_describe_yaml_is_decimal(const char *text);
#define SWP_YAML_OCTAL_HINT "a number has no leading zeros"
#define SWP_YAML_UNCLOSED_HINT "write ${name} or ${bm * bk}"

/* The text of a scalar, or NULL after a report. */
swp_status swp_describe_yaml_text(swp_yaml_reader *reader, const yaml_node_t *node,
                                  const char *name, const char **out);

/* A whole number; `*out` keeps its value after a report. */
swp_status swp_describe_yaml_int(swp_yaml_reader *reader, const yaml_node_t *node, const char *name,
                                 swp_yaml_range range, int *out);

/* A word of a table; `*number` keeps its value after a report. */
swp_status swp_describe_yaml_word(swp_yaml_reader *reader, const yaml_node_t *node,
                                  const char *name, const swp_name_table *words, int *number);

/*
 * Finds the keys of a mapping: found[i] is that of keys[i]. Reports keys that are unknown, stand
 * twice or are missing. `what` names the mapping.
 */
swp_status swp_describe_yaml_find(swp_yaml_reader *reader, yaml_node_t *mapping, const char *what,
                                  const swp_yaml_key *keys, size_t count, swp_yaml_item *found);

/* Reads what was found, in the order of the table. */
swp_status swp_describe_yaml_read_found(swp_yaml_reader *reader, const swp_yaml_key *keys,
                                        size_t count, const swp_yaml_item *found, void *into);

#endif
