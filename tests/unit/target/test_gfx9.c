/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields of s_waitcnt against an assembler that knows gfx942 and gfx950: LLVM_MC, or llvm-mc-22. What
 * the header writes of them is held against the assembler by tests/header, macro by macro.
 */
#define _POSIX_C_SOURCE 200809L

#include "fixture.h"

#include "audit/amd/amd.h"
#include "target/gfx9.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VM = SWP_GFX9_VM_MAX, LGKM = SWP_GFX9_LGKM_MAX, EXP = SWP_GFX9_EXP_MAX };

static unsigned code_of(int vm, int exp, int lgkm)
{
    unsigned code = swp_target_gfx9_set_count(swp_target_gfx9_no_wait(), SWP_GFX9_VM, vm);
    code = swp_target_gfx9_set_count(code, SWP_GFX9_EXP, exp);
    return swp_target_gfx9_set_count(code, SWP_GFX9_LGKM, lgkm);
}

/* Calls with all counts that there are. */
static void for_all_counts(void (*call)(void *user, int vm, int exp, int lgkm), void *user)
{
    for (int vm = 0; vm <= VM; vm++)
        for (int exp = 0; exp <= EXP; exp++)
            for (int lgkm = 0; lgkm <= LGKM; lgkm++)
                call(user, vm, exp, lgkm);
}

static void check_inverse(void *user, int vm, int exp, int lgkm)
{
    const unsigned code = code_of(vm, exp, lgkm);
    (void)user;
    assert_int_equal(swp_target_gfx9_count_of(code, SWP_GFX9_VM), vm);
    assert_int_equal(swp_target_gfx9_count_of(code, SWP_GFX9_EXP), exp);
    assert_int_equal(swp_target_gfx9_count_of(code, SWP_GFX9_LGKM), lgkm);
}

static void counts_come_back_from_their_code(void **state)
{
    (void)state;
    for_all_counts(check_inverse, NULL);
    assert_int_equal(code_of(VM, EXP, LGKM), swp_target_gfx9_no_wait());
}

static swp_insn decode(const char *operands)
{
    swp_insn insn;
    const swp_statement statement = {.kind = SWP_STATEMENT_INSTRUCTION,
                                     .name = {"s_waitcnt", strlen("s_waitcnt")},
                                     .rest = {operands, strlen(operands)}};
    swp_amd_decode(&statement, SWP_PROCESSOR_GFX950, &insn);
    return insn;
}

/* The audit reads the number as it reads the names. */
static void check_reading(void *user, int vm, int exp, int lgkm)
{
    char names[64];
    char number[16];
    (void)user;
    (void)snprintf(names, sizeof names, "vmcnt(%d) expcnt(%d) lgkmcnt(%d)", vm, exp, lgkm);
    (void)snprintf(number, sizeof number, "0x%x", code_of(vm, exp, lgkm));
    const swp_insn by_name = decode(names);
    const swp_insn by_number = decode(number);
    assert_true(!by_name.unknown && !by_name.invalid && !by_number.unknown && !by_number.invalid);
    assert_int_equal(by_name.waits[SWP_AUDIT_VM], vm);
    assert_int_equal(by_name.waits[SWP_AUDIT_LGKM], lgkm);
    assert_memory_equal(by_name.waits, by_number.waits, sizeof by_name.waits);
}

static void the_audit_reads_names_and_numbers_alike(void **state)
{
    (void)state;
    for_all_counts(check_reading, NULL);
}

static void write_wait(void *user, int vm, int exp, int lgkm)
{
    assert_true(fprintf(user, "s_waitcnt vmcnt(%d) expcnt(%d) lgkmcnt(%d)\n", vm, exp, lgkm) > 0);
}

typedef struct assembled {
    FILE *listing;
    int count;
} assembled;

static void check_next_encoding(void *user, int vm, int exp, int lgkm)
{
    assembled *from = user;
    char line[256];
    unsigned bytes[4] = {0};
    const char *encoding = NULL;
    while (!encoding && fgets(line, sizeof line, from->listing))
        encoding = strstr(line, "encoding: [");
    if (!encoding)
        fail_msg("%d waits are assembled, and no more", from->count);
    assert_int_equal(
        sscanf(encoding, "encoding: [%x,%x,%x,%x]", &bytes[0], &bytes[1], &bytes[2], &bytes[3]), 4);
    const unsigned code = bytes[0] | bytes[1] << 8;
    if (bytes[3] != 0xbf || bytes[2] != 0x8c || code != code_of(vm, exp, lgkm))
        fail_msg("vmcnt(%d) expcnt(%d) lgkmcnt(%d) is 0x%04x, not 0x%04x", vm, exp, lgkm, code,
                 code_of(vm, exp, lgkm));
    from->count++;
}

static void check_assembler(const char *assembler, const char *processor, const char *path)
{
    char command[512];
    (void)snprintf(command, sizeof command,
                   "%s --triple=amdgcn-amd-amdhsa -mcpu=%s --show-encoding %s", assembler,
                   processor, path);
    assembled from = {popen(command, "r"), 0};
    assert_non_null(from.listing);
    for_all_counts(check_next_encoding, &from);
    assert_int_equal(pclose(from.listing), 0);
    assert_int_equal(from.count, (VM + 1) * (EXP + 1) * (LGKM + 1));
}

static void the_assembler_encodes_every_wait_so(void **state)
{
    const char *named = getenv("LLVM_MC");
    const char *assembler = named ? named : "llvm-mc-22";
    char command[256];
    char path[] = "/tmp/swp-waits-XXXXXX";
    (void)state;
    (void)snprintf(command, sizeof command, "command -v %s >/dev/null", assembler);
    if (system(command) != 0) {
        print_message("skipped: no %s: the encoding of s_waitcnt is not compared\n", assembler);
        skip();
    }
    FILE *source = fdopen(mkstemp(path), "w");
    assert_non_null(source);
    for_all_counts(write_wait, source);
    assert_int_equal(fclose(source), 0);
    check_assembler(assembler, "gfx942", path);
    check_assembler(assembler, "gfx950", path);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_come_back_from_their_code),
        cmocka_unit_test(the_audit_reads_names_and_numbers_alike),
        cmocka_unit_test(the_assembler_encodes_every_wait_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
