/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: answers flat|roles SEED FIRST COUNT [accept|programs]
 *        answers read [accept] <PROGRAMS
 *
 * Prints a line for each random program: its number, a hash of its text, its traits, and what the proof says of it. With
 * `accept` the line goes on with what the proof says once the first hazard is accepted, then the next, until none is left.
 * `programs` prints the programs themselves, as a line of JSON each, and `read` judges such lines: so one build judges
 * the programs that another one made.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "dress.h"
#include "traits.h"

#include "swp/emit.h"
#include "swp/verify.h"

typedef enum mode { MODE_SETS, MODE_ACCEPT, MODE_PROGRAMS } mode;

typedef struct printer {
    mode mode;
    size_t index;
} printer;

/* --- The program --- */

static const char *last_message(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    return count > 0 ? diags[count - 1].message : "no message";
}

static char *text_of(swp_context *ctx, const swp_schedule *schedule)
{
    const swp_emit_format *json = swp_emit_format_find("json");
    char *text = NULL;
    size_t length = 0;
    if (!json || json->emit(ctx, schedule, &text, &length) != SWP_OK) {
        (void)fprintf(stderr, "answers: %s\n", last_message(ctx));
        exit(2);
    }
    return text;
}

/* FNV-1a of all but white space. */
static uint64_t hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++)
        if (*text > ' ')
            hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static void print_in_a_line(const char *text)
{
    for (; *text; text++)
        if (*text != '\n')
            (void)putchar(*text);
    (void)putchar('\n');
}

static void print_traits(const swp_schedule *schedule)
{
    const unsigned traits = answers_traits(schedule);
    const char *divider = "";
    for (int t = 0; t < ANSWERS_TRAIT_COUNT; t++)
        if (answers_has(traits, (answers_trait)t)) {
            printf("%s%s", divider, answers_trait_word((answers_trait)t));
            divider = ",";
        }
    if (!*divider)
        printf("-");
}

/* --- What the proof says --- */

static void print_hazard(const swp_hazard *h)
{
    printf(" %s:", swp_hazard_name(h->kind));
    if (h->role)
        printf("%s:", h->role);
    printf("%s:%d:N=%d", swp_phase_name(h->at.phase), h->at.entry, h->smallest_n);
    for (int t = 0; t < h->tile_count; t++)
        printf("%c%d", t == 0 ? '=' : '+', h->tiles[t]);
}

static const char *first_error(const swp_context *ctx)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    for (size_t i = 0; i < count; i++)
        if (diags[i].severity == SWP_ERROR)
            return diags[i].code;
    return "no error";
}

typedef struct acceptances {
    swp_acceptance *items;
    size_t count;
} acceptances;

static void accept(acceptances *a, const swp_hazard *h)
{
    a->items = realloc(a->items, (a->count + 1) * sizeof *a->items);
    if (!a->items)
        abort();
    char *role = h->role ? strdup(h->role) : NULL;
    a->items[a->count++] = (swp_acceptance){.kind = h->kind, .at = h->at, .role = role};
}

static void free_acceptances(acceptances *a)
{
    for (size_t i = 0; i < a->count; i++)
        free((char *)a->items[i].role);
    free(a->items);
}

static const swp_hazard *first_left(const swp_verdict *verdict)
{
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (!verdict->hazards.items[i].accepted)
            return &verdict->hazards.items[i];
    return NULL;
}

/* @return whether a hazard is left, which `a` has then */
static bool print_answer(const swp_schedule *schedule, acceptances *a)
{
    /* Behind some acceptances a proof goes on for minutes; such seconds are the same on every machine. */
    const swp_limits limits = {.total_seconds = 0.25, .nominal = true};
    swp_context *ctx = swp_context_new(NULL);
    swp_verdict verdict = {0};
    if (!ctx)
        abort();
    swp_context_set_limits(ctx, &limits);
    const swp_hazard *left = NULL;
    if (swp_verify(ctx, schedule, a->items, a->count, &verdict) != SWP_OK) {
        printf(" undecided %s", first_error(ctx));
    } else {
        printf(" %s", verdict.safe ? "safe" : "unsafe");
        for (size_t i = 0; i < verdict.hazards.count; i++)
            print_hazard(&verdict.hazards.items[i]);
        left = first_left(&verdict);
    }
    if (left)
        accept(a, left);
    swp_context_free(ctx);
    return left != NULL;
}

static void print_answers(const swp_schedule *schedule, bool accepts)
{
    acceptances a = {0};
    bool is_left = print_answer(schedule, &a);
    while (accepts && is_left) {
        printf(" |");
        is_left = print_answer(schedule, &a);
    }
    free_acceptances(&a);
}

static void print_program(const swp_schedule *given, void *user)
{
    printer *p = user;
    const char *names[SWP_SCHEDULE_TAGS];
    const swp_schedule dressed = answers_dress(given, names);
    const swp_schedule *schedule = &dressed;
    swp_context *ctx = swp_context_new(NULL);
    if (!ctx)
        abort();
    char *text = text_of(ctx, schedule);
    if (p->mode == MODE_PROGRAMS) {
        print_in_a_line(text);
    } else {
        printf("%zu %016" PRIx64 " ", p->index, hash(text));
        print_traits(schedule);
        print_answers(schedule, p->mode == MODE_ACCEPT);
        printf("\n");
    }
    p->index++;
    swp_context_free(ctx);
}

/* --- The command --- */

static bool read_program(const char *line, size_t length, printer *p)
{
    swp_context *ctx = swp_context_new(NULL);
    swp_schedule *schedule = NULL;
    const bool is_read =
        ctx && swp_schedule_read_json(ctx, line, length, "standard input", &schedule) == SWP_OK;
    if (is_read)
        print_program(schedule, p);
    else
        (void)fprintf(stderr, "answers: program %zu: %s\n", p->index, ctx ? last_message(ctx) : "");
    p->index += !is_read;
    swp_schedule_free(schedule);
    swp_context_free(ctx);
    return is_read;
}

static int read_programs(printer *p)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    bool all = true;
    while ((length = getline(&line, &size, stdin)) > 0)
        all = read_program(line, (size_t)length, p) && all;
    free(line);
    return all ? 0 : 2;
}

static void make_programs(bool roles, uint64_t seed, size_t count, printer *p)
{
    answers_source source;
    answers_source_open(&source, seed);
    for (const size_t end = p->index + count; p->index < end;)
        if (roles)
            answers_roles_case(&source, p->index, print_program, p);
        else
            answers_flat_case(&source, p->index, print_program, p);
    answers_source_close(&source);
}

static mode mode_of(const char *word)
{
    if (!word)
        return MODE_SETS;
    return strcmp(word, "accept") == 0 ? MODE_ACCEPT : MODE_PROGRAMS;
}

int main(int count, char **words)
{
    if (count >= 2 && strcmp(words[1], "read") == 0) {
        printer p = {.mode = mode_of(count > 2 ? words[2] : NULL)};
        return read_programs(&p);
    }
    if (count < 5) {
        (void)fprintf(stderr, "usage: answers flat|roles SEED FIRST COUNT [accept|programs]\n"
                              "       answers read [accept] <PROGRAMS\n");
        return 2;
    }
    printer p = {.mode = mode_of(count > 5 ? words[5] : NULL),
                 .index = strtoull(words[3], NULL, 10)};
    make_programs(strcmp(words[1], "roles") == 0, strtoull(words[2], NULL, 10),
                  strtoull(words[4], NULL, 10), &p);
    return 0;
}
