/* SPDX-License-Identifier: Apache-2.0 */
/* The value of --accept: kind:phase:entry. */
#include "invocation.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

#define ADD_KIND(constant, number, name, meaning) " " name
static const char hint[] =
    "write kind:phase:entry, such as stale_read:epilogue:3; the kinds are" SWP_HAZARDS(
        ADD_KIND) "; the phases are prologue kernel epilogue";
#undef ADD_KIND

/* Whether the `length` bytes are the name. */
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
    for (swp_phase phase = SWP_PROLOGUE; phase <= SWP_EPILOGUE; phase++)
        if (is_name(bytes, length, swp_phase_name(phase))) {
            *out = phase;
            return true;
        }
    return false;
}

static bool read_entry(const char *text, int *out)
{
    errno = 0;
    const unsigned long entry = strtoul(text, NULL, 10);
    *out = (int)entry;
    return *text && !text[strspn(text, DIGITS)] && errno != ERANGE && entry <= INT_MAX;
}

static bool read_acceptance(const char *text, swp_acceptance *out)
{
    const char *phase = strchr(text, ':');
    const char *entry = phase ? strchr(phase + 1, ':') : NULL;
    return entry && read_kind(text, (size_t)(phase - text), &out->kind) &&
           read_phase(phase + 1, (size_t)(entry - phase - 1), &out->at.phase) &&
           read_entry(entry + 1, &out->at.entry);
}

int option_take_acceptance(cli_invocation *invocation, const char *text)
{
    swp_acceptance accepted;
    if (!read_acceptance(text, &accepted))
        return option_reject(invocation, OPTION_ACCEPT, text, hint);
    const size_t count = invocation->accepted_count + 1;
    swp_acceptance *list = realloc(invocation->accepted, count * sizeof *list);
    if (!list)
        return diagnostics_out_of_memory(&invocation->diagnostics);
    list[count - 1] = accepted;
    invocation->accepted = list;
    invocation->accepted_count = count;
    return EXIT_DONE;
}
