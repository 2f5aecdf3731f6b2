/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the objects of a JSON text by their tables of members, and reports every error. */
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
    SWP_JSON_SCHEDULE,
    SWP_JSON_BASELINE,
    SWP_JSON_LAUNCH
} swp_json_file;

/* A complaint that was shown. The same complaint about other places is counted with it. */
typedef struct swp_json_said {
    const char *what;
    size_t diag; /* its number among the diagnostics */
    int others;
} swp_json_said;

/* People read no more errors than this at once. */
enum { SWP_JSON_MOST_ERRORS = 20 };

typedef struct swp_json_reader {
    swp_context *ctx;    /* builds into the schedule's memory */
    swp_problem_text in; /* what is read, for the places of complaints */
    swp_code code;       /* code of the complaints; 0: that of a schedule */
    const char *about;   /* where the format is described, as a hint; NULL: nowhere */
    const struct swp_json_path *within; /* prefix of every path; NULL: paths begin at the whole */
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
 * Reports an error as "PATH: message", at the place of the value. If the same words were said of a
 * member of the same name elsewhere, it is only counted with those. So is what comes after
 * SWP_JSON_MOST_ERRORS.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void swp_json_complain(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                       const char *format, ...);

/* Describes where the items of an array have their names. */
typedef struct swp_json_names {
    const char *list; /* what they are called in the file; NULL: nothing */
    const void *items;
    size_t count;
    size_t size;   /* of one item */
    size_t offset; /* of the name in an item */
} swp_json_names;

/* For items that have the name as a member called `name`. */
#define SWP_JSON_NAMES(list, items, count, type)                                                   \
    (swp_json_names)                                                                               \
    {                                                                                              \
        list, items, count, sizeof(type), offsetof(type, name)                                     \
    }

/* Returns which item has the name, or `count` if none has it. */
size_t swp_json_find_name(const swp_json_names *names, const char *name);

/* Complains of a name that no item has, once for all places that have it. */
void swp_json_complain_of_name(swp_json_reader *reader, const swp_json_path *path,
                               const swp_json_names *names, const char *name);

/*
 * Does what swp_json_complain() does, about two parts of a file that disagree. The message alone
 * tells whether it was said before.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void swp_json_complain_once(swp_json_reader *reader, const swp_json_path *path, const char *hint,
                            const char *format, ...);

/* Returns the place of a value. */
swp_place swp_json_place(swp_json_reader *reader, const swp_json_path *path);

/* Finds the places of the first `count` elements of an array. */
void swp_json_places(swp_json_reader *reader, const swp_json_path *path, size_t count,
                     swp_place *places);

/* Gives a place to the diagnostics from `first` on whose subject is a path. */
void swp_json_place_diags(swp_json_reader *reader, size_t first);

/* Says how many errors were only counted; returns the status of the reading. */
swp_status swp_json_finish(swp_json_reader *reader);

/* Returns whether the value is of the type, and complains if not. */
bool swp_json_expect(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                     json_type type);

/* Returns a member of an object that must be there, or NULL with a complaint. */
json_t *swp_json_require(swp_json_reader *reader, const swp_json_path *path, const json_t *object,
                         const char *key);

/*
 * Complains of every key of the object that is not known. Call it before the members are read: a
 * misspelt key is then read as the one that it means, and causes no further errors.
 */
void swp_json_refuse_unknown(swp_json_reader *reader, const swp_json_path *path, json_t *object,
                             const char *const *known, size_t count);

/* Reads an integer in a range. */
bool swp_json_read_int(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                       int least, int most, int *out);

/* Does the same with 64 bits. */
bool swp_json_read_integer(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                           int64_t least, int64_t most, int64_t *out);

/* Reads true or false. */
bool swp_json_read_bool(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        bool *out);

/* Reads a word of a table, for a member that its path names. */
bool swp_json_read_word(swp_json_reader *reader, const swp_json_path *path, const json_t *value,
                        const swp_name_table *words, int *out);

/* Reads every member of an object into a record; returns false, with complaints, if one is missing or wrong. */
bool swp_json_read_object(swp_json_reader *reader, const swp_json_path *path, json_t *value,
                          const swp_json_object *object, void *record);

/* Lets jansson read a text, with its flags. If a limit ends that, it returns NULL and `status` says so. */
json_t *swp_json_load(const swp_context *ctx, const char *text, size_t length, size_t flags,
                      json_error_t *error, swp_status *status);

/*
 * Reads the value of a text that begins at the first column of `at`; `wanted` is the kind of file
 * that it should be. `code` is for JSON that is well-formed but refused: a key that stands twice, a
 * number that is too large, a NUL.
 */
swp_status swp_json_parse(swp_context *ctx, const char *text, size_t length, swp_place at,
                          swp_code code, swp_json_file wanted, json_t **root);

#endif
