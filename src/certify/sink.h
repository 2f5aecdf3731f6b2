/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the encoder's clauses go: into a formula, while each is compared with the certificate's
 * clause of the same number. The first that differs ends the encoding, so that a formula never grows
 * larger than the certificate itself. Where the step has no text of its formula there is nothing to
 * compare, and its proof is one of the encoder's formula all the same.
 */
#ifndef SWP_CERTIFY_SINK_H
#define SWP_CERTIFY_SINK_H

#include "certify/formula.h"
#include "certify/judgement.h"
#include "swp/certify.h"

/* Literals that need no variable. They are each other's negation. */
#define SWP_TRUE INT32_MAX
#define SWP_FALSE (-INT32_MAX)

/* What a clause is about, for a refusal. */
typedef enum swp_subject { SWP_ABOUT_TIMES, SWP_ABOUT_ARC, SWP_ABOUT_RESOURCE } swp_subject;

typedef struct swp_sink {
    swp_context *ctx;
    swp_judgement *judgement;
    const swp_certificate_step *step;
    swp_certify_formula formula;
    size_t at; /* in the certificate's clauses */
    int line;
    swp_literal_list clause; /* that is being made */
    bool satisfied;          /* it has a literal that is true by definition */
    swp_subject subject;
    int64_t about[2]; /* an op; a producer and a consumer; a resource and a slot */
} swp_sink;

swp_sink swp_certify_sink_open(swp_context *ctx, swp_judgement *judgement,
                               const swp_certificate_step *step);

/* Says what the clauses from here on are about. */
void swp_certify_sink_about(swp_sink *sink, swp_subject subject, int64_t first, int64_t second);

/* A new variable; refused if the certificate's formula has fewer. */
swp_status swp_certify_sink_variable(swp_sink *sink, int *variable);

/* The same for several, numbered from `first` on, however many they are. */
swp_status swp_certify_sink_variables(swp_sink *sink, int64_t count, int *first);

/* A clause: a literal that is false by definition disappears, one that is true makes it disappear. */
swp_status swp_certify_sink_clause(swp_sink *sink, const int *literals, size_t count);

/* Refuses a certificate whose formula goes on, or has more variables. */
swp_status swp_certify_sink_close(swp_sink *sink);

#endif
