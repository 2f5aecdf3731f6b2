// SPDX-License-Identifier: Apache-2.0
// An outside program, valid C11 and C++17, that only audits: it is linked against libswp-audit alone. It prints the answer of each file.
#include <stdio.h>
#include <stdlib.h>

#include <swp/audit.h>

enum { MOST_BYTES = 1 << 20 };

static char text[MOST_BYTES];

static const char *answer_of(const char *name)
{
    FILE *file = fopen(name, "rb");
    swp_context *ctx = swp_context_new(NULL);
    swp_audit_report report;
    const char *answer = "no answer";
    if (file && ctx) {
        const size_t length = fread(text, 1, sizeof text, file);
        if (swp_audit(ctx, text, length, name, &report) == SWP_OK)
            answer = swp_audit_answer_name(report.answer);
    }
    swp_context_free(ctx);
    if (file)
        fclose(file);
    return answer;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("%s\n", answer_of(argv[i]));
    return 0;
}
