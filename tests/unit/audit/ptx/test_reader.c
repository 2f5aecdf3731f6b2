/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of PTX: operands, names in scopes, labels, where variables lie, and text that is cut short. */
#include "runs.h"

static const swp_ptx_operand *operand(const swp_ptx_module *module, int line, int number)
{
    const swp_ptx_insn *insn = insn_in_line(module, line);
    assert_true(insn->first + number < insn->end);
    return &module->operands.items[insn->first + number];
}

/* The value of the second operand of `mov.u32 %r1, TEXT;`, which is to be a number. */
static int64_t number_of(swp_context *ctx, const char *text)
{
    char all[512];
    (void)snprintf(all, sizeof all, KERNEL(32, "mov.u32 %%r1, %s;"), text);
    const swp_ptx_module module = read_text(ctx, all);
    const swp_ptx_operand *read = operand(&module, FIRST_LINE, 1);
    assert_int_equal(read->atom, SWP_PTX_NUMBER);
    return read->value;
}

static void numbers_are_read_in_all_notations(void **state)
{
    assert_int_equal(number_of(*state, "17"), 17);
    assert_int_equal(number_of(*state, "-17"), -17);
    assert_int_equal(number_of(*state, "0x1F"), 31);
    assert_int_equal(number_of(*state, "31U"), 31);
    assert_int_equal(number_of(*state, "7+-3"), 4);
    assert_int_equal(number_of(*state, "7-3"), 4);
}

static void what_is_no_sum_of_numbers_is_no_number(void **state)
{
    static const char *const texts[] = {"(3+4)*2", "3*4",   "1<<4",         "0b101", "017",
                                        "8/2",     "~1",    "5%3",          "1|2",   "0f3F800000",
                                        "1==1",    "1?2:3", "generic(tile)"};
    char all[512];
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        (void)snprintf(all, sizeof all, KERNEL(32, "mov.u32 %%r1, %s;"), texts[i]);
        const swp_ptx_module module = read_text(*state, all);
        const swp_ptx_insn *insn = insn_in_line(&module, FIRST_LINE);
        for (int o = insn->first + 1; o < insn->end; o++)
            assert_int_equal(module.operands.items[o].atom, SWP_PTX_SINK);
    }
}

static void an_expression_spoils_its_own_operand_only(void **state)
{
    const swp_ptx_module module = read_text(*state, KERNEL(32, "mad.lo.u32 %r1, 3, 2*2, 5;"));
    const swp_ptx_insn *insn = insn_in_line(&module, FIRST_LINE);
    assert_int_equal(swp_ptx_operand_of(&module, insn, 0)->atom, SWP_PTX_REGISTER);
    assert_int_equal(swp_ptx_operand_of(&module, insn, 1)->value, 3);
    assert_int_equal(swp_ptx_operand_of(&module, insn, 2)->atom, SWP_PTX_SINK);
    assert_int_equal(swp_ptx_operand_of(&module, insn, 3)->value, 5);
}

static void brackets_hold_a_register_and_what_is_added(void **state)
{
    const swp_ptx_module module =
        read_text(*state, KERNEL(32, "ld.shared.b32 %r1, [%r2+16];\nld.shared.b32 %r1, [%r2+-16];\n"
                                     "ld.shared.b32 %r1, [%r2-16];\nld.shared.b32 %r1, [%r2];"));
    static const int64_t added[] = {16, -16, -16, 0};
    for (int i = 0; i < 4; i++) {
        const swp_ptx_operand *read = operand(&module, FIRST_LINE + i, 1);
        assert_true(read->address);
        assert_int_equal(read->atom, SWP_PTX_REGISTER);
        assert_int_equal(swp_ptx_offset(read), added[i]);
    }
}

static void two_registers_are_no_address(void **state)
{
    const swp_ptx_module module = read_text(*state, KERNEL(32, "ld.shared.b32 %r1, [%r2+%r3];"));
    assert_int_equal(operand(&module, FIRST_LINE, 1)->atom, SWP_PTX_SINK);
}

static void braces_and_bars_hold_parts_of_one_operand(void **state)
{
    const swp_ptx_module module = read_text(
        *state, KERNEL(32, "ld.shared.v2.b32 {%r1, _}, [%r2];\nsetp.eq.u32 %p1|%p2, %r1, 0;\n"
                           "selp.b32 %r1, 1, 2, !%p1;"));
    assert_int_equal(operand(&module, FIRST_LINE, 0)->group, 0);
    assert_int_equal(operand(&module, FIRST_LINE, 1)->group, 0);
    assert_int_equal(operand(&module, FIRST_LINE, 1)->atom, SWP_PTX_SINK);
    assert_int_equal(operand(&module, FIRST_LINE, 2)->group, 1);
    assert_int_equal(operand(&module, FIRST_LINE + 1, 1)->group, 0);
    assert_int_equal(operand(&module, FIRST_LINE + 1, 1)->atom, SWP_PTX_REGISTER);
    assert_true(operand(&module, FIRST_LINE + 2, 3)->negated);
    assert_false(operand(&module, FIRST_LINE + 2, 2)->negated);
}

static void a_guard_names_a_predicate_or_its_inverse(void **state)
{
    const swp_ptx_module module = read_text(
        *state, KERNEL(32, "@%p1 mov.u32 %r1, 1;\n@!%p1 mov.u32 %r1, 2;\nmov.u32 %r1, 3;"));
    const swp_ptx_insn *plain = insn_in_line(&module, FIRST_LINE);
    const swp_ptx_insn *inverse = insn_in_line(&module, FIRST_LINE + 1);
    assert_true(plain->guard >= 0);
    assert_false(plain->guard_negated);
    assert_int_equal(inverse->guard, plain->guard);
    assert_true(inverse->guard_negated);
    assert_int_equal(insn_in_line(&module, FIRST_LINE + 2)->guard, -1);
}

/* As CUTLASS writes its waits, with one name for each register and label. */
static void scopes_have_registers_and_labels_of_their_own(void **state)
{
    const swp_ptx_module module = read_text(
        *state, KERNEL(32, "mov.u32 %r1, 1;\n{ .reg .b32 %r1; L: mov.u32 %r1, 2;\nbra L; }\n"
                           "{ .reg .b32 %r1; L: mov.u32 %r1, 3;\nbra L; }\nmov.u32 %r1, 4;"));
    const int outer = operand(&module, FIRST_LINE, 0)->reg;
    const int first = operand(&module, FIRST_LINE + 1, 0)->reg;
    const int second = operand(&module, FIRST_LINE + 3, 0)->reg;
    assert_true(outer != first && first != second && outer != second);
    assert_int_equal(operand(&module, FIRST_LINE + 5, 0)->reg, outer);
    assert_int_equal(module.insns.items[insn_in_line(&module, FIRST_LINE + 2)->target].line,
                     FIRST_LINE + 1);
    assert_int_equal(module.insns.items[insn_in_line(&module, FIRST_LINE + 4)->target].line,
                     FIRST_LINE + 3);
}

static void names_of_outer_scopes_are_seen_within(void **state)
{
    const swp_ptx_module module =
        read_text(*state, KERNEL(32, ".reg .b32 x; mov.u32 x, 1;\n{ .reg .b32 y; { mov.u32 y, x;\n"
                                     "bra OUT; } }\nOUT: mov.u32 x, 2;"));
    assert_int_equal(operand(&module, FIRST_LINE + 1, 1)->atom, SWP_PTX_REGISTER);
    assert_int_equal(operand(&module, FIRST_LINE + 1, 1)->reg,
                     operand(&module, FIRST_LINE, 0)->reg);
    assert_int_equal(module.insns.items[insn_in_line(&module, FIRST_LINE + 2)->target].line,
                     FIRST_LINE + 3);
}

static void static_variables_lie_one_behind_the_other(void **state)
{
    const swp_ptx_module module = read_text(
        *state,
        KERNEL(32, ".shared .align 16 .b8 a[20]; .shared .align 4 .b32 b[4][2]; .shared .b64 c;\n"
                   "mov.u32 %r1, a;\nmov.u32 %r1, b;\nmov.u32 %r1, c;\nmov.u32 %r1, tile+4;"));
    const int64_t a = operand(&module, FIRST_LINE + 1, 1)->value;
    const int64_t b = operand(&module, FIRST_LINE + 2, 1)->value;
    const int64_t c = operand(&module, FIRST_LINE + 3, 1)->value;
    assert_int_equal(operand(&module, FIRST_LINE + 1, 1)->atom, SWP_PTX_VARIABLE);
    assert_true(a % 16 == 0 && b >= a + 20 && b % 4 == 0 && c >= b + 32 && c % 8 == 0);
    assert_int_equal(operand(&module, FIRST_LINE + 4, 1)->value, 4);
}

/* CUDA gives all `extern __shared__` arrays one address. */
static void arrays_without_a_size_lie_behind_the_others_and_on_each_other(void **state)
{
    const swp_ptx_module module = read_text(
        *state,
        ".version 8.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 x[];\n"
        ".extern .shared .align 4 .b8 y[];\n.entry k() .maxntid 32\n{\n"
        "mov.u32 %r1, x;\nmov.u32 %r1, y+8;\n.shared .b8 z[100];\nmov.u32 %r1, z;\n}\n");
    const int64_t x = operand(&module, 8, 1)->value;
    assert_int_equal(operand(&module, 9, 1)->value, x + 8);
    assert_true(x >= operand(&module, 11, 1)->value + 100);
}

static void a_kernel_has_the_shared_variables_that_it_names(void **state)
{
    const swp_ptx_module module =
        read_text(*state, ".version 8.0\n.target sm_80\n.address_size 64\n.shared .b8 all[4096];\n"
                          ".extern .shared .align 16 .b8 x[];\n.entry k() .maxntid 32\n{\n"
                          "mov.u32 %r1, x;\n}\n.entry l() .maxntid 32\n{\n.shared .b8 own[64];\n"
                          "mov.u32 %r1, own+4;\nmov.u32 %r1, all;\nmov.u32 %r1, x;\n}\n");
    assert_int_equal(operand(&module, 8, 1)->value, 0);
    assert_int_equal(module.kernels.items[0].shared_bytes, 0);
    const int64_t own = operand(&module, 13, 1)->value - 4;
    const int64_t all = operand(&module, 14, 1)->value;
    assert_true(own >= all + 4096 || all >= own + 64);
    assert_true(operand(&module, 15, 1)->value >= 4096 + 64);
    assert_int_equal(module.kernels.items[1].shared_bytes, 4096 + 64);
}

static void variables_of_other_spaces_have_no_address_here(void **state)
{
    const swp_ptx_module module =
        read_text(*state, KERNEL(32, ".local .align 4 .b8 l[16];\nmov.u64 %rd1, l;"));
    assert_int_equal(operand(&module, FIRST_LINE + 1, 1)->atom, SWP_PTX_SINK);
}

static void comments_and_strings_are_blank(void **state)
{
    const swp_ptx_module module = read_text(
        *state,
        KERNEL(32, "mov.u32 /* ; bra X; \n */ %r1, 1; // } ;\n.pragma \"a;b{\";\nmov.u32 %r1, 2;"));
    assert_int_equal(operand(&module, FIRST_LINE, 1)->value, 1);
    assert_int_equal(operand(&module, FIRST_LINE + 3, 1)->value, 2);
}

static void a_kernel_has_the_threads_that_a_directive_gives(void **state)
{
    static const struct {
        const char *directive;
        int threads[3];
        bool sized;
    } rows[] = {
        {".maxntid 64", {64, 1, 1}, true},       {".reqntid 32, 2", {32, 2, 1}, true},
        {".maxntid 8, 4, 2", {8, 4, 2}, true},   {"", {1024, 1, 1}, false},
        {".maxntid 0", {1024, 1, 1}, false},     {".maxntid 1025", {1024, 1, 1}, false},
        {".maxntid -64", {1024, 1, 1}, false},   {".maxntid 4294967328", {1024, 1, 1}, false},
        {".minnctapersm 2", {1024, 1, 1}, false}};
    char all[512];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        (void)snprintf(
            all, sizeof all,
            ".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n%s\n{\nret;\n}\n",
            rows[i].directive);
        const swp_ptx_module module = read_text(*state, all);
        const swp_ptx_kernel *kernel = &module.kernels.items[0];
        for (int d = 0; d < 3; d++)
            assert_int_equal(kernel->threads[d], rows[i].threads[d]);
        assert_int_equal(kernel->sized, rows[i].sized);
    }
}

static void names_say_what_instructions_do(void **state)
{
    static const struct {
        const char *name;
        swp_ptx_kind kind;
        int bits;
        bool is_signed;
    } rows[] = {
        {"add.s32", SWP_PTX_ADD, 32, true},
        {"add.cc.u32", SWP_PTX_OPAQUE, 32, false},
        {"add.f32", SWP_PTX_ADD, 0, false},
        {"min.s32", SWP_PTX_MIN, 32, true},
        {"min.relu.s32", SWP_PTX_OPAQUE, 32, true},
        {"ld.param.u64", SWP_PTX_LOAD_PARAM, 64, false},
        {"ld.param::entry.u32", SWP_PTX_LOAD_PARAM, 32, false},
        {"ld.shared.b16", SWP_PTX_LOAD, 16, false},
        {"ld.volatile.shared.u32", SWP_PTX_LOAD, 32, false},
        {"ld.volatile.global.u32", SWP_PTX_LOAD, 32, false},
        {"ld.shared::cluster.u32", SWP_PTX_LOAD, 32, false},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", SWP_PTX_BULK_LOAD, 0,
         false},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster",
         SWP_PTX_BULK_LOAD, 0, false},
        {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
         ".multicast::cluster",
         SWP_PTX_UNSUPPORTED, 0, false},
        {"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
         ".cta_group::2",
         SWP_PTX_UNSUPPORTED, 0, false},
        {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
         SWP_PTX_UNSUPPORTED, 0, false},
        {"cp.async.bulk.global.shared::cta.bulk_group", SWP_PTX_BULK_STORE, 0, false},
        {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32", SWP_PTX_BULK_STORE, 32,
         false},
        {"cp.async.bulk.prefetch.L2.global", SWP_PTX_NOTHING, 0, false},
        {"cp.async.mbarrier.arrive.noinc.shared.b64", SWP_PTX_COPY_ARRIVE, 64, false},
        {"mbarrier.arrive.shared.b64", SWP_PTX_ARRIVE, 64, false},
        {"mbarrier.arrive.relaxed.cta.shared.b64", SWP_PTX_UNSUPPORTED, 64, false},
        {"mbarrier.arrive.noComplete.shared.b64", SWP_PTX_UNSUPPORTED, 64, false},
        {"mbarrier.arrive.expect_tx.shared.b64", SWP_PTX_ARRIVE_EXPECT, 64, false},
        {"mbarrier.test_wait.shared.b64", SWP_PTX_WAIT, 64, false},
        {"mbarrier.pending_count.b64", SWP_PTX_UNSUPPORTED, 64, false},
        {"mbarrier.test_wait.parity.shared.b64", SWP_PTX_WAIT, 64, false},
        {"bar.red.popc.u32", SWP_PTX_BARRIER, 32, false},
        {"bar.warp.sync", SWP_PTX_WARP_BARRIER, 0, false},
        {"barrier.cluster.arrive.relaxed", SWP_PTX_CLUSTER_ARRIVE, 0, false},
        {"barrier.cluster.wait.acquire.aligned", SWP_PTX_CLUSTER_WAIT, 0, false},
        {"mapa.shared::cluster.u32", SWP_PTX_MAP_ADDRESS, 32, false},
        {"mbarrier.arrive.release.cluster.shared::cluster.b64", SWP_PTX_ARRIVE, 64, false},
        {"mbarrier.arrive.relaxed.cluster.shared::cluster.b64", SWP_PTX_UNSUPPORTED, 64, false},
        {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32", SWP_PTX_STORE_ASYNC,
         32, false},
        {"st.async.mmio.release.sys.global.b32", SWP_PTX_UNSUPPORTED, 32, false},
        {"st.shared::cluster.u32", SWP_PTX_STORE, 32, false},
        {"ld.relaxed.cluster.shared::cluster.u32", SWP_PTX_LOAD, 32, false},
        {"fence.proxy.async", SWP_PTX_FENCE_PROXY, 0, false},
        {"fence.proxy.async.shared::cta", SWP_PTX_FENCE_PROXY, 0, false},
        {"fence.proxy.async.global", SWP_PTX_FENCE_PROXY, 0, false},
        {"fence.proxy.alias", SWP_PTX_NOTHING, 0, false},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", SWP_PTX_LDMATRIX, 16, false},
        {"ldmatrix.sync.aligned.x4.m8n8.shared.b16", SWP_PTX_LDMATRIX, 16, false},
        {"ldmatrix.b16.trans.x2.shared.m8n8.aligned.sync", SWP_PTX_LDMATRIX, 16, false},
        {"stmatrix.sync.aligned.x4.trans.m8n8.shared.b16", SWP_PTX_STMATRIX, 16, false},
        {"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8", SWP_PTX_STMATRIX, 8, false},
        {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", SWP_PTX_LDMATRIX, 8, false},
        {"ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32", SWP_PTX_LDMATRIX, 0, false},
        {"ldmatrix.sync.aligned.m32n32.x1.shared.b16", SWP_PTX_UNSUPPORTED, 16, false},
        {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16", SWP_PTX_UNSUPPORTED, 0, false},
        {"frobnicate", SWP_PTX_UNSUPPORTED, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        swp_ptx_insn insn = {.name = {rows[i].name, strlen(rows[i].name)}};
        swp_ptx_classify(&insn);
        if (insn.kind != rows[i].kind || insn.type.bits != rows[i].bits ||
            insn.type.is_signed != rows[i].is_signed)
            fail_msg("%s: kind %d, %d bits, signed %d", rows[i].name, (int)insn.kind,
                     insn.type.bits, insn.type.is_signed);
    }
}

static void too_few_operands_are_not_followed(void **state)
{
    const swp_ptx_module module = read_text(
        *state,
        KERNEL(32, "bar.sync;\nbar.sync 0;\nst.shared.b32 [%r1];\nst.shared.b32 [%r1], 2;"));
    assert_int_equal(insn_in_line(&module, FIRST_LINE)->kind, SWP_PTX_UNSUPPORTED);
    assert_int_equal(insn_in_line(&module, FIRST_LINE + 1)->kind, SWP_PTX_BARRIER);
    assert_int_equal(insn_in_line(&module, FIRST_LINE + 2)->kind, SWP_PTX_UNSUPPORTED);
    assert_int_equal(insn_in_line(&module, FIRST_LINE + 3)->kind, SWP_PTX_STORE);
}

static void text_that_ends_early_is_refused(void **state)
{
    static const char *const texts[] = {
        ".version 8.0\n.target sm_80\n.entry k()\n{\nbra X;\n}\n",
        ".version 8.0\n.target sm_80\n.entry k()\n{\nX: X: ret;\n}\n",
        ".version 8.0\n.target sm_80\n.entry k()\n{\nret\n}\n",
        ".version 8.0\n.target sm_80\n.entry k()\n{\nret;\n",
        ".version 8.0\n.target sm_80\n.entry k(",
        ".version 8.0\n.target sm_80\n.entry k()",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        swp_ptx_module module;
        assert_status(
            *state, swp_ptx_read(*state, (swp_slice){texts[i], strlen(texts[i])}, "k.ptx", &module),
            SWP_INVALID);
        assert_diag(*state, "E0813", NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(numbers_are_read_in_all_notations),
        CONTEXT_TEST(what_is_no_sum_of_numbers_is_no_number),
        CONTEXT_TEST(an_expression_spoils_its_own_operand_only),
        CONTEXT_TEST(brackets_hold_a_register_and_what_is_added),
        CONTEXT_TEST(two_registers_are_no_address),
        CONTEXT_TEST(braces_and_bars_hold_parts_of_one_operand),
        CONTEXT_TEST(a_guard_names_a_predicate_or_its_inverse),
        CONTEXT_TEST(scopes_have_registers_and_labels_of_their_own),
        CONTEXT_TEST(names_of_outer_scopes_are_seen_within),
        CONTEXT_TEST(static_variables_lie_one_behind_the_other),
        CONTEXT_TEST(arrays_without_a_size_lie_behind_the_others_and_on_each_other),
        CONTEXT_TEST(a_kernel_has_the_shared_variables_that_it_names),
        CONTEXT_TEST(variables_of_other_spaces_have_no_address_here),
        CONTEXT_TEST(comments_and_strings_are_blank),
        CONTEXT_TEST(a_kernel_has_the_threads_that_a_directive_gives),
        CONTEXT_TEST(names_say_what_instructions_do),
        CONTEXT_TEST(too_few_operands_are_not_followed),
        CONTEXT_TEST(text_that_ends_early_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
