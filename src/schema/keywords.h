/* SPDX-License-Identifier: Apache-2.0 */
/* Expands the keywords of a schema that stand for the library's tables. */
#ifndef SWP_SCHEMA_KEYWORDS_H
#define SWP_SCHEMA_KEYWORDS_H

#include <jansson.h>

/*
 * A copy of a schema in which each key that begins with `@` is replaced by what its table says:
 *
 *     "@words": TABLE            one of its names
 *     "@word": TABLE             the same, or an expression of a description
 *     "@number": [LEAST, MOST]   a whole number, or an expression; MOST may be left out, or be a limit's name
 *     "@truth": true             true or false, or an expression
 *     "@builtins", "@targets"    names
 *     "@list": NAME              elements of that definition, or ranges of them
 *     "@section": NAME           settings of a description
 *     "@setting": PATH           one of them
 *     "@written": NAME           settings as the JSON of a schedule has them
 *     "@object": NAME            an object of that JSON, with all members but those of "@optional"
 *     "@members": NAME           its members, among other properties
 *     "@figures": true           the figures of targets by section, among other properties
 *
 * NULL: memory ran out.
 */
json_t *swp_schema_expand(const json_t *schema);

#endif
