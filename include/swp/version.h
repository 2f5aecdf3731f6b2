/* SPDX-License-Identifier: Apache-2.0 */
/** @file version.h  The library's version; the build reads it from here. */
#ifndef SWP_VERSION_H
#define SWP_VERSION_H

#define SWP_VERSION_MAJOR 0
#define SWP_VERSION_MINOR 2
#define SWP_VERSION_PATCH 0

#endif
