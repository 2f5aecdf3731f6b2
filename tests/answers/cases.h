/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of the corpus: each has a sort, a seed and a number. */
#ifndef TEST_ANSWERS_CASES_H
#define TEST_ANSWERS_CASES_H

#include "generator.h"
#include "loop_programs.h"

typedef void answers_judge(const swp_schedule *schedule, void *user);

/* What the cases of a seed begin with. A derived loop has several cases, since deriving takes longer than a proof. */
typedef struct answers_source {
    uint64_t seed;
    program_library library;
    loop_program loop;
    size_t loop_number;
    bool has_loop;
} answers_source;

void answers_source_open(answers_source *source, uint64_t seed);
void answers_source_close(answers_source *source);

/* Shows a program to the judge: without roles, with roles. */
void answers_flat_case(answers_source *source, size_t index, answers_judge *judge, void *user);
void answers_roles_case(const answers_source *source, size_t index, answers_judge *judge,
                        void *user);

#endif
