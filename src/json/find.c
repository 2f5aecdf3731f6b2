/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a path through a text of well-formed JSON to a value. */
#include "json/find.h"

#include <stdlib.h>
#include <string.h>

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static bool is_at(const cursor *c, char character)
{
    return c->at < c->end && *c->at == character;
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && *c->at && strchr(" \t\r\n", *c->at))
        c->at++;
}

/* Moves from the opening quote to behind the closing one. */
static void skip_string(cursor *c)
{
    for (c->at++; c->at < c->end && *c->at != '"'; c->at++)
        c->at += *c->at == '\\' && c->at + 1 < c->end;
    c->at += c->at < c->end;
}

/* A comma, a colon or a bracket, which stands between values. */
static bool is_separator(char character)
{
    return character != '\0' && strchr(" \t\r\n,:[]{}", character) != NULL;
}

static void skip_scalar(cursor *c)
{
    if (is_at(c, '"')) {
        skip_string(c);
        return;
    }
    while (c->at < c->end && !is_separator(*c->at))
        c->at++;
}

static void skip_value(cursor *c)
{
    size_t depth = 0;
    do {
        skip_space(c);
        if (is_at(c, '{') || is_at(c, '[')) {
            depth++;
            c->at++;
        } else if (is_at(c, '}') || is_at(c, ']')) {
            depth -= depth > 0;
            c->at++;
        } else if (is_at(c, ',') || is_at(c, ':'))
            c->at++;
        else
            skip_scalar(c);
    } while (depth > 0 && c->at < c->end);
}

/* Moves from behind a value to the next one of the same list; returns false if there is none. */
static bool go_on(cursor *c)
{
    skip_space(c);
    if (!is_at(c, ','))
        return false;
    c->at++;
    skip_space(c);
    return c->at < c->end;
}

/* Moves from the bracket of a list to its first value or key; returns false if it is empty or no such list. */
static bool enter(cursor *c, char bracket, char closing)
{
    if (!is_at(c, bracket))
        return false;
    c->at++;
    skip_space(c);
    return c->at < c->end && !is_at(c, closing);
}

static bool enter_element(cursor *c, size_t index)
{
    bool is_there = enter(c, '[', ']');
    for (; is_there && index > 0; index--) {
        skip_value(c);
        is_there = go_on(c);
    }
    return is_there;
}

/*
 * Returns how many characters of the path the key takes, or 0 if the path does not begin with it.
 * The key is given as it stands in JSON, so one with an escape is not found.
 */
static size_t length_in_path(const char *key, size_t length, const char *path)
{
    const bool begins = strncmp(path, key, length) == 0;
    const bool ends =
        begins && (path[length] == '\0' || path[length] == '.' || path[length] == '[');
    return ends ? length : 0;
}

/*
 * Moves to the value of the key that the path begins with; returns how many characters of the path
 * that takes.
 */
static size_t enter_member(cursor *c, const char *path, const char **key)
{
    bool is_there = enter(c, '{', '}');
    while (is_there) {
        const char *begin = c->at;
        skip_string(c);
        const size_t taken = length_in_path(begin + 1, (size_t)(c->at - begin) - 2, path);
        skip_space(c);
        c->at += is_at(c, ':');
        skip_space(c);
        if (taken) {
            *key = begin;
            return taken;
        }
        skip_value(c);
        is_there = go_on(c);
    }
    return 0;
}

/* Takes a step of the path; returns how many characters it takes, or 0 if it leads nowhere. */
static size_t enter_step(cursor *c, const char *path, const char **key)
{
    char *end = NULL;
    if (*path != '[')
        return enter_member(c, path, key);
    const size_t index = strtoull(path + 1, &end, 10);
    if (*end != ']' || !enter_element(c, index))
        return 0;
    *key = c->at;
    return (size_t)(end + 1 - path);
}

static cursor walk(const swp_problem_text *in, const char *path, const char **key)
{
    cursor found = {in->text, in->text + in->length};
    skip_space(&found);
    *key = found.at;
    for (size_t taken = 1; *path && taken > 0; path += taken) {
        cursor next = found;
        path += *path == '.';
        taken = enter_step(&next, path, key);
        if (taken > 0)
            found = next;
        else
            *key = found.at;
    }
    return found;
}

/* Moves a place from one character to a later one. A column is a character of UTF-8. */
static void move(swp_place *place, const char *from, const char *to)
{
    for (; from < to; from++) {
        if (*from == '\n') {
            place->line++;
            place->column = 1;
        } else if (((unsigned char)*from & 0xC0) != 0x80)
            place->column++;
    }
}

swp_place swp_json_find(const swp_problem_text *in, const char *path, bool its_key)
{
    swp_place place = in->place;
    const char *key = NULL;
    const cursor found = walk(in, path, &key);
    move(&place, in->text, its_key ? key : found.at);
    return place;
}

void swp_json_find_elements(const swp_problem_text *in, const char *path, size_t count,
                            swp_place *places)
{
    const char *key = NULL;
    const char *before = in->text;
    swp_place place = in->place;
    cursor c = walk(in, path, &key);
    bool is_there = enter_element(&c, 0);
    for (size_t i = 0; i < count; i++) {
        if (is_there)
            move(&place, before, c.at);
        places[i] = place;
        before = c.at;
        skip_value(&c);
        is_there = is_there && go_on(&c);
    }
}
