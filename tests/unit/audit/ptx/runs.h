/* SPDX-License-Identifier: Apache-2.0 */
/* Small kernels of PTX, read, and run once without arguments. */
#ifndef TEST_AUDIT_PTX_RUNS_H
#define TEST_AUDIT_PTX_RUNS_H

#include "fixture.h"

#include "audit/ptx/order.h"

#include <stdio.h>
#include <string.h>

/* The body begins in this line. */
enum { FIRST_LINE = 7 };
#define KERNEL(threads, body)                                                                      \
    ".version 8.0\n.target sm_90a\n.address_size 64\n"                                             \
    ".visible .entry k(.param .u64 p, .param .u32 n) .maxntid " #threads "\n{\n"                   \
    ".shared .align 1024 .b8 tile[8192]; .shared .align 8 .b8 bars[64];\n" body "\nret;\n}\n"

static inline swp_ptx_module read_text(swp_context *ctx, const char *text)
{
    swp_ptx_module module;
    assert_ok(ctx, swp_ptx_read(ctx, (swp_slice){text, strlen(text)}, "k.ptx", &module));
    return module;
}

static inline const swp_ptx_insn *insn_in_line(const swp_ptx_module *module, int line)
{
    for (size_t i = 0; i < module->insns.count; i++)
        if (module->insns.items[i].line == line)
            return &module->insns.items[i];
    fail_msg("no instruction in line %d", line);
    return NULL;
}

/* What a run needs besides. */
typedef struct ptx_world {
    swp_ptx_module module;
    swp_audit_launch launch; /* of which nothing is stated */
    swp_ptx_arguments arguments;
    swp_ptx_equations equations;
    swp_ptx_places places;
    swp_ptx_places sources;
    swp_ptx_run run;
} ptx_world;

static inline ptx_world *make_world(swp_context *ctx, const char *text)
{
    ptx_world *w = NULL;
    assert_ok(ctx, SWP_TAKE(ctx, 1, &w));
    w->module = read_text(ctx, text);
    w->arguments.launch = &w->launch;
    w->run = (swp_ptx_run){.ctx = ctx,
                           .outer = ctx,
                           .module = &w->module,
                           .kernel = &w->module.kernels.items[0],
                           .arguments = &w->arguments,
                           .equations = &w->equations,
                           .places = &w->places,
                           .sources = &w->sources};
    return w;
}

static inline const swp_ptx_run *run_text(swp_context *ctx, const char *text)
{
    ptx_world *w = make_world(ctx, text);
    assert_ok(ctx, swp_ptx_run_follow(&w->run));
    return &w->run;
}

static inline void expect_end(swp_context *ctx, const char *text, const char *file, int line)
{
    const swp_ptx_run *run = run_text(ctx, text);
    if (run->outcome == SWP_PTX_ENDED)
        return;
    print_error("outcome %d: %s\n%s", (int)run->outcome, run->finding.detail, text);
    _fail(file, line);
}
#define assert_ends(ctx, text) expect_end((ctx), (text), __FILE__, __LINE__)

/* A fault of this kind, seen at this line. */
static inline void expect_run_fault(swp_context *ctx, const char *text, swp_hazard_kind kind,
                                    int at, const char *file, int line)
{
    const swp_ptx_run *run = run_text(ctx, text);
    const bool found = run->outcome == SWP_PTX_FAULT && run->finding.kind == kind &&
                       run->module->insns.items[run->finding.at].line == at;
    if (found)
        return;
    print_error("outcome %d, %s in line %d: %s\n%s", (int)run->outcome,
                swp_hazard_name(run->finding.kind),
                run->outcome == SWP_PTX_FAULT ? run->module->insns.items[run->finding.at].line : 0,
                run->finding.detail ? run->finding.detail : "", text);
    _fail(file, line);
}
#define assert_run_fault(ctx, text, kind, at)                                                      \
    expect_run_fault((ctx), (text), (kind), (at), __FILE__, __LINE__)

static inline void expect_doubt(swp_context *ctx, const char *text, const char *words,
                                const char *file, int line)
{
    const swp_ptx_run *run = run_text(ctx, text);
    if (run->outcome == SWP_PTX_INCONCLUSIVE && strstr(run->finding.detail, words))
        return;
    print_error("outcome %d: %s; wanted a doubt: %s\n%s", (int)run->outcome,
                run->finding.detail ? run->finding.detail : "", words, text);
    _fail(file, line);
}
#define assert_doubt(ctx, text, words) expect_doubt((ctx), (text), (words), __FILE__, __LINE__)

/* What warp 0 has at the end in the first register that the instruction of a line writes. */
static inline const swp_ptx_value *value_in_line(const swp_ptx_run *run, int line)
{
    const swp_ptx_operand *to = swp_ptx_operand_of(run->module, insn_in_line(run->module, line), 0);
    assert_true(to && to->atom == SWP_PTX_REGISTER);
    return &run->warps[0].registers[to->reg].value;
}

#endif
