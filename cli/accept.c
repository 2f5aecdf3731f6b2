/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the value of --accept: kind:phase:entry, with warp roles kind:role:phase:entry. */
#include "invocation.h"
#include "number.h"

#include "swp/suggest.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ADD_KIND(constant, number, name, meaning) " " name
#define KINDS "the kinds are" SWP_HAZARDS(ADD_KIND)
static const char form_hint[] =
    "write kind:phase:entry, such as stale_read:epilogue:3, with warp roles "
    "kind:role:phase:entry; " KINDS "; the phases are prologue kernel epilogue, "
    "the last also for epilogue_1 or straight_2";

/* Returns whether the `length` bytes are the name. */
static bool is_name(const char *bytes, size_t length, const char *name)
{
    return strlen(name) == length && !memcmp(bytes, name, length);
}

static bool read_kind(const char *bytes, size_t length, swp_hazard_kind *out)
{
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        if (is_name(bytes, length, swp_hazard_name((swp_hazard_kind)kind))) {
            *out = (swp_hazard_kind)kind;
            return true;
        }
    return false;
}

static bool read_phase(const char *bytes, size_t length, swp_phase *out)
{
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_DRAIN; phase++)
        if (is_name(bytes, length, swp_phase_name(phase))) {
            *out = phase;
            return true;
        }
    return false;
}

/* Where the parts of an acceptance lie in its text. */
typedef struct parts {
    size_t kind_length; /* the kind may be unknown */
    const char *role;   /* NULL: none is named */
    size_t role_length;
} parts;

static const char *last_colon(const char *begin, const char *end)
{
    while (end > begin && end[-1] != ':')
        end--;
    return end > begin ? end - 1 : NULL;
}

/* Reads KIND:phase:entry, or KIND:role:phase:entry; returns false if the text is neither. */
static bool read_form(const char *text, parts *out, swp_entry_ref *at)
{
    const char *kind_end = strchr(text, ':');
    const char *entry = strrchr(text, ':');
    const char *phase = entry ? last_colon(text, entry) : NULL;
    uint64_t number = 0;
    if (!phase || kind_end == text ||
        !read_phase(phase + 1, (size_t)(entry - phase - 1), &at->phase) ||
        !number_read(entry + 1, 0, INT_MAX, NULL, &number))
        return false;
    *out = (parts){.kind_length = (size_t)(kind_end - text)};
    if (phase > kind_end) {
        out->role = kind_end + 1;
        out->role_length = (size_t)(phase - kind_end - 1);
    }
    at->entry = (int)number;
    return true;
}

/*
 * An unknown hazard cannot occur. A warning is enough, since the option may have been written for
 * another version.
 */
static void warn_of_kind(const cli_invocation *invocation, const char *text, size_t length)
{
    char typed[32] = "";
    if (length < sizeof typed)
        memcpy(typed, text, length);
    swp_suggestion near = swp_suggest_start(typed);
    for (int kind = 0; kind < SWP_HAZARD_KINDS; kind++)
        swp_suggest_offer(&near, swp_hazard_name((swp_hazard_kind)kind));
    char hint[SWP_HINT_SIZE];
    char message[160];
    (void)snprintf(message, sizeof message,
                   "there is no hazard `%.*s`, so --accept %.80s has no effect",
                   (int)(length < 40 ? length : 40), text, text);
    const swp_diag warning = {.severity = SWP_WARNING,
                              .code = "W0701",
                              .message = message,
                              .hint = swp_suggest_hint(&near, KINDS, hint)};
    diagnostics_print(&invocation->diagnostics, &warning);
}

/* Copies the role into memory that the invocation frees. */
static bool copy_role(const parts *of, const char **out)
{
    char *role = calloc(of->role_length + 1, 1);
    if (role)
        memcpy(role, of->role, of->role_length);
    *out = role;
    return role != NULL;
}

int option_set_acceptance(cli_invocation *invocation, cli_option option, const char *text)
{
    swp_acceptance accepted = {0};
    parts of = {0};
    if (!read_form(text, &of, &accepted.at))
        return option_reject(invocation, option, text, form_hint);
    if (!read_kind(text, of.kind_length, &accepted.kind)) {
        warn_of_kind(invocation, text, of.kind_length);
        return EXIT_DONE;
    }
    const size_t count = invocation->accepted_count + 1;
    swp_acceptance *list = realloc(invocation->accepted, count * sizeof *list);
    if (!list)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    invocation->accepted = list;
    if (of.role && !copy_role(&of, &accepted.role))
        return diagnostics_out_of_memory(&invocation->diagnostics);
    list[count - 1] = accepted;
    invocation->accepted_count = count;
    return EXIT_DONE;
}
