/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the items of an array. */
#ifndef CLI_COUNT_OF_H
#define CLI_COUNT_OF_H

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
