/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the scripts of completion, each in the language of its shell. */
#include "completion.h"

#include <string.h>

static void print_head(FILE *stream, const char *mark, const void *folder)
{
    (void)fprintf(stream, "%s\n# Completion of swp %s. It belongs into %s\n", mark, swp_version(),
                  (const char *)folder);
}

/* --- bash ---------------------------------------------------------------------------------------- */

static void bash_case(FILE *stream, completion_value value)
{
    (void)fputs("            words=\"", stream);
    completion_print_words(stream, value.words, " ");
    (void)fprintf(stream, "\"%s%s ;;\n", value.is_file ? " files=1" : "",
                  value.goes_on ? " goes_on=1" : "");
}

static void bash_option(FILE *stream, cli_option option)
{
    const cli_option_row *row = option_row_of(option);
    if (!*row->value)
        return;
    (void)fprintf(stream, "    --%s", row->name);
    if (row->letter)
        (void)fprintf(stream, " | -%c", row->letter);
    (void)fputs(")\n", stream);
    bash_case(stream, completion_of_option(option));
}

static void bash_subcommand(FILE *stream, const cli_subcommand *subcommand)
{
    (void)fprintf(stream, "        *,%s)\n            options=\"", subcommand->name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (completion_takes(subcommand, i))
            (void)fprintf(stream, "%s--%s", i ? " " : "", option_row_of((cli_option)i)->name);
    (void)fputs("\"\n", stream);
    bash_case(stream, completion_of_argument(subcommand));
}

static const char bash_end[] =
    "    if [[ $word == -* && -n $options ]]; then\n"
    "        words=$options files=\n"
    "    fi\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
    "    if [[ -n $files ]]; then\n"
    "        compopt -o filenames\n"
    "        mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f -- \"$word\")\n"
    "    fi\n"
    "    [[ -z $goes_on ]] || compopt -o nospace\n"
    "}\n"
    "complete -F _swp swp\n";

void completion_bash(FILE *stream, const void *user)
{
    size_t count = 0;
    const cli_subcommand *rows = subcommand_rows(&count);
    print_head(stream, "# bash", user);
    (void)fputs("_swp() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                "    local words= options= files= goes_on=\n"
                "    # bash takes the sign of --option=value for a word.\n"
                "    [[ $word != = ]] || word=\n"
                "    [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                "    case $before in\n",
                stream);
    for (int i = 0; i < OPTION_COUNT; i++)
        bash_option(stream, (cli_option)i);
    (void)fputs(
        "    *)\n        case $COMP_CWORD,${COMP_WORDS[1]} in\n        1,*)\n            words=\"",
        stream);
    for (size_t i = 0; i < count; i++)
        (void)fprintf(stream, "%s ", rows[i].name);
    (void)fputs("--help --version\" ;;\n", stream);
    for (size_t i = 0; i < count; i++)
        bash_subcommand(stream, &rows[i]);
    (void)fputs("        esac ;;\n    esac\n", stream);
    (void)fputs(bash_end, stream);
}

/* --- zsh ----------------------------------------------------------------------------------------- */

/* Prints a meaning within single quotes, and escapes brackets and colons, which zsh would interpret. */
static void zsh_meaning(FILE *stream, const char *meaning)
{
    for (; *meaning; meaning++) {
        if (strchr("[]:\\", *meaning))
            (void)fputc('\\', stream);
        (void)fputs(*meaning == '\'' ? "'\\''" : (const char[]){*meaning, '\0'}, stream);
    }
}

static void zsh_action(FILE *stream, completion_value value)
{
    if (value.words && value.is_file)
        (void)fputs(" _alternative \"words\\:word\\:(", stream);
    else if (value.words)
        (void)fputs(value.goes_on ? " compadd -S \"\" -- " : "(", stream);
    completion_print_words(stream, value.words, " ");
    if (value.words && value.is_file)
        (void)fputs(")\" \"files\\:file\\:_files\"", stream);
    else if (value.words && !value.goes_on)
        (void)fputs(")", stream);
    else if (value.is_file)
        (void)fputs("_files", stream);
}

static void zsh_spec(FILE *stream, const cli_option_row *row, const char *spelling,
                     completion_value value)
{
    (void)fprintf(stream, "            '*%s[", spelling);
    zsh_meaning(stream, row->meaning);
    (void)fputs("]", stream);
    if (*row->value) {
        (void)fputs(":", stream);
        zsh_meaning(stream, row->value);
        (void)fputs(":", stream);
        zsh_action(stream, value);
    }
    (void)fputs("' \\\n", stream);
}

static void zsh_option(FILE *stream, cli_option option)
{
    const cli_option_row *row = option_row_of(option);
    const char letter[] = {'-', row->letter, *row->value ? '+' : '\0', '\0'};
    char spelling[40];
    (void)snprintf(spelling, sizeof spelling, "--%s%s", row->name, *row->value ? "=" : "");
    zsh_spec(stream, row, spelling, completion_of_option(option));
    if (row->letter)
        zsh_spec(stream, row, letter, completion_of_option(option));
}

static void zsh_subcommand(FILE *stream, const cli_subcommand *subcommand)
{
    (void)fprintf(stream, "    %s)\n        _arguments \\\n", subcommand->name);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (completion_takes(subcommand, i))
            zsh_option(stream, (cli_option)i);
    (void)fputs("            '*:", stream);
    zsh_meaning(stream, subcommand->arguments);
    (void)fputs(":", stream);
    zsh_action(stream, completion_of_argument(subcommand));
    (void)fputs("' ;;\n", stream);
}

void completion_zsh(FILE *stream, const void *user)
{
    size_t count = 0;
    const cli_subcommand *rows = subcommand_rows(&count);
    print_head(stream, "#compdef swp", user);
    (void)fputs("_swp() {\n    local -a subcommands\n    subcommands=(\n", stream);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(stream, "        '%s:", rows[i].name);
        zsh_meaning(stream, rows[i].meaning);
        (void)fputs("'\n", stream);
    }
    (void)fputs("    )\n"
                "    if (( CURRENT == 2 )); then\n"
                "        _describe subcommand subcommands\n"
                "        return\n"
                "    fi\n"
                "    shift words\n"
                "    (( CURRENT-- ))\n"
                "    case $words[1] in\n",
                stream);
    for (size_t i = 0; i < count; i++)
        zsh_subcommand(stream, &rows[i]);
    (void)fputs("    esac\n}\ncompdef _swp swp\n[[ $funcstack[1] != _swp ]] || _swp \"$@\"\n",
                stream);
}

/* --- fish ---------------------------------------------------------------------------------------- */

static void fish_quoted(FILE *stream, const char *text)
{
    (void)fputc('\'', stream);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            (void)fputc('\\', stream);
        (void)fputc(*text, stream);
    }
    (void)fputc('\'', stream);
}

static void fish_words(FILE *stream, completion_value value)
{
    if (!value.words)
        return;
    (void)fputs(" -a '", stream);
    completion_print_words(stream, value.words, " ");
    (void)fputc('\'', stream);
}

static void fish_option(FILE *stream, const cli_subcommand *subcommand, cli_option option)
{
    const cli_option_row *row = option_row_of(option);
    const completion_value value = completion_of_option(option);
    (void)fprintf(stream, "complete -c swp -n '__fish_seen_subcommand_from %s' -l %s",
                  subcommand->name, row->name);
    if (row->letter)
        (void)fprintf(stream, " -s %c", row->letter);
    if (*row->value)
        (void)fputs(value.is_file ? " -r -F" : " -x", stream);
    fish_words(stream, value);
    (void)fputs(" -d ", stream);
    fish_quoted(stream, row->meaning);
    (void)fputc('\n', stream);
}

static void fish_subcommand(FILE *stream, const cli_subcommand *subcommand)
{
    const completion_value value = completion_of_argument(subcommand);
    (void)fprintf(stream, "complete -c swp -n __fish_use_subcommand -f -a %s -d ",
                  subcommand->name);
    fish_quoted(stream, subcommand->meaning);
    (void)fprintf(stream, "\ncomplete -c swp -n '__fish_seen_subcommand_from %s' %s",
                  subcommand->name, value.is_file ? "-F" : "-f");
    fish_words(stream, value);
    (void)fputc('\n', stream);
    for (int i = 0; i < OPTION_COUNT; i++)
        if (completion_takes(subcommand, i))
            fish_option(stream, subcommand, (cli_option)i);
}

void completion_fish(FILE *stream, const void *user)
{
    size_t count = 0;
    const cli_subcommand *rows = subcommand_rows(&count);
    print_head(stream, "# fish", user);
    for (size_t i = 0; i < count; i++)
        fish_subcommand(stream, &rows[i]);
}
