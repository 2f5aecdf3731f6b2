/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the objects of a JSON text by their tables of members, reporting every error. */
#ifndef SWP_JSON_DECODE_H
#define SWP_JSON_DECODE_H

#include "base/diag.h"
#include "json/find.h"
#include "json/members.h"

#include <jansson.h>
#include <stddef.h>

/* The kinds of files in JSON. */
typedef enum swp_json_file {
    SWP_JSON_COUNTEREXAMPLE,
    SWP_JSON_CERTIFICATE,
    SWP_JSON_ANSWER,
    SWP_JSON_PROBLEM,
    SWP_JSON_SCHEDULE
} swp_json_file;

/* A complaint that was shown: what says the same of other places is counted with it. */
typedef struct swp_json_said {
    const char *what;
    size_t diag; /* its number */
    int others;
} swp_json_said;

/* People read no more errors than this at once. */
enum { SWP_JSON_MOST_ERRORS = 20 };

typedef struct swp_json_reader {
    swp_context *ctx;    /* builds into the schedule's memory */
    swp_problem_text in; /* what is read, for the places of complaints */
    swp_code code;       /* of the complaints; 0: those of a schedule */
    const char *about;   /* where the format is described, as a hint; NULL: nowhere */
    const struct swp_json_path *within; /* begins every path; NULL: paths begin at the whole */
    size_t errors;
    size_t unshown; /* of them */
    swp_json_said said[SWP_JSON_MOST_ERRORS];
    size_t said_count;
    swp_status status; /* SWP_OUT_OF_MEMORY and SWP_STOPPED stick */
} swp_json_reader;

/* Where a value stands: in an object by its key, else in an array by its index. */
typedef struct swp_json_path {
    const struct swp_json_path *up; /* NULL for a member of the whole */
    const char *key;                /* NULL in an array */
    size_t index;
} swp_json_path;

/*
 * Reports an error as "PATH: message", at the place of the value. What was said before of another place, in the
 * same words of a member of the same name, is counted with that; so is what comes after SWP_JSON_MOST_ERRORS.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void swp_json_complain(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                       const char *format, ...);

/* The names of the items of an array. */
typedef struct swp_json_names {
    const char *list; /* what they are called in the file; NULL: nothing */
    const void *items;
    size_t count;
    size_t size;   /* of an item */
    size_t offset; /* of its name in it */
} swp_json_names;

/* Of items that have the name as a member of that name. */
#define SWP_JSON_NAMES(list, items, count, type)                                                   \
    (swp_json_names)                                                                               \
    {                                                                                              \
        list, items, count, sizeof(type), offsetof(type, name)                                     \
    }

/* Which item has the name; `count` if none has it. */
size_t swp_json_find_name(const swp_json_names *names, const char *name);

/* Complains of a name that no item has, once for all places that have it. */
void swp_json_complain_of_name(swp_json_reader *reader, const swp_json_path *path,
                               const swp_json_names *names, const char *name);

/* The same as swp_json_complain(), of what a whole file has in two ways: the message alone tells whether it was said. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void swp_json_complain_once(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                            const char *format, ...);

/* The place of a value. */
swp_place swp_json_place(swp_json_reader *reader, const swp_json_path *path);

/* The places of the first `count` elements of an array. */
void swp_json_places(swp_json_reader *reader, const swp_json_path *path, size_t count,
                     swp_place *places);

/* Gives the diagnostics from `first` on, whose subject is a path, the place of what is there. */
void swp_json_place_diags(swp_json_reader *reader, size_t first);

/* Says how many errors were only counted; returns what the reading comes to. */
swp_status swp_json_finish(swp_json_reader *reader);

/* Whether the value is of the type; if not, complains. */
bool swp_json_expect(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                     json_type type);

/* A member of an object that must be there; NULL, with a complaint, if it is not. */
json_t *swp_json_require(swp_json_reader *reader, const swp_json_path *path, const json_t *object,
                         const char *key);

/*
 * Complains of every key of the object that is none of the known ones. It comes before the members are read: one
 * that is a known key misspelt is read as that, so that nothing else is wrong because of it.
 */
void swp_json_refuse_unknown(swp_json_reader *reader, const swp_json_path *path, json_t *object,
                             const char *const *known, size_t count);

/* An integer in a range. */
bool swp_json_read_int(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                       int least, int most, int *out);

/* The same, 64 bits wide. */
bool swp_json_read_integer(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                           int64_t least, int64_t most, int64_t *out);

/* true or false. */
bool swp_json_read_bool(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        bool *out);

/* A word of a table, for a member that its path names. */
bool swp_json_read_word(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        const swp_name_table *words, int *out);

/* Every member of an object into a record; false, with complaints, if one is missing or wrong. */
bool swp_json_read_object(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                          const swp_json_object *object, void *record);

/* jansson's reading of a text, with its flags. Where a limit ends it, `status` says so and it is NULL. */
json_t *swp_json_load(const swp_context *ctx, const char *text, size_t length, size_t flags,
                      json_error_t *error, swp_status *status);

/*
 * The value of a text that begins at the first column of `at`; `wanted` is the kind of file that it should be. JSON that is well-formed and refused all the same (a key twice, a number that
 * is too large, a NUL) gets `code`.
 */
swp_status swp_json_parse(swp_context *ctx, const char *text, size_t length, swp_place at,
                          swp_code code, swp_json_file wanted, json_t **root);

#endif
