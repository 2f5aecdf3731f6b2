/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an audit, for what has more to ask of the same file. */
#ifndef SWP_AUDIT_FILE_H
#define SWP_AUDIT_FILE_H

#include "audit/code/insn.h"
#include "audit/flow/judge.h"
#include "swp/audit.h"

/* PTX has no `code`: its report is whole when the file has been opened. */
typedef struct swp_audit_file {
    const char *name;
    bool is_ptx;
    swp_machine_code code;
    const char
        *sized_as; /* who says how many threads there are where the file does not; "": nobody */
} swp_audit_file;

/* Reads the file and begins its report. */
swp_status swp_audit_open(swp_context *ctx, swp_slice text, const char *name,
                          const swp_audit_options *options, swp_audit_file *file,
                          swp_audit_report *out);

/* Judges a function. What is only needed meanwhile, and `f`, is taken from `work`; without code `f` has no blocks. */
swp_status swp_audit_function(swp_context *ctx, swp_context *work, const swp_audit_file *file,
                              const swp_function *function, swp_judged *f, swp_audit_report *out);

/* Gives the answer, when all functions have been judged. */
swp_status swp_audit_answer_file(swp_context *ctx, const swp_audit_file *file,
                                 swp_audit_report *out);

/* Warns of a file without a loop (W0812), and refuses it where nothing could go wrong (E0814). */
swp_status swp_audit_check_loops(swp_context *ctx, const swp_audit_file *file,
                                 const swp_audit_report *report);

#endif
