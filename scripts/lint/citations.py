#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: citations.py [FILE...]

What a source or test cites is in the manual: no text cites numbered pages or sections, sources cite a chapter by its
path, and one cited as docs/NAME.md, "Heading", has that heading. Without FILEs all files of the project are read.
"""

import os
import re
import subprocess
import sys

TOP = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SKIPPED = ("LICENSE",)  # speaks of its own sections
# Vendors' manuals, which a reader has, number their sections 4.4 or 9.7.16.
NUMBERED = re.compile(r"\b(?:pages?|sections?)(?:'s)?[\s-]+\d+\b(?!\.\d)", re.IGNORECASE)
CHAPTER = re.compile(r'docs/([a-z][\w-]*)\.md((?:(?:,| and| to) "[^"]+")*)')
# A bare name in a source, where no link says which folder is meant.
BARE = re.compile(r"(?<![\w/.-])([a-z][\w-]*)\.md\b")
SOURCES = ("src/", "include/", "cli/")
# A sentence of a comment goes on behind the next line's indentation and comment leader.
CONTINUED = re.compile(r"\n[ \t]*(?:\*(?!/)|//|#)?[ \t]*")


def files():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=TOP, capture_output=True, text=True, check=True).stdout
    return sorted(set(name for name in listed.split("\0") if name and name not in SKIPPED))


def text_of(name):
    try:
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            return file.read()
    except (FileNotFoundError, IsADirectoryError, UnicodeDecodeError):  # removed but still tracked; a link; binary
        return ""


def headings(chapter):
    """Returns the headings of a chapter and the bold words that open its paragraphs; none if there is no such chapter."""
    text = text_of(f"docs/{chapter}.md")
    lines = re.findall(r"^#+ (.*)$|^\*\*(.+?)\.?\*\*", text, re.MULTILINE)
    return [(title or words).replace("`", "") for title, words in lines]


def mistakes(name, text):
    sentences = CONTINUED.sub(" ", text)
    for match in NUMBERED.finditer(sentences):
        yield f'{name}: "{match.group()}" is of something that a reader does not have: cite docs/'
    for chapter in BARE.findall(text) if name.startswith(SOURCES) else ():
        if headings(chapter):
            yield f"{name}: cite {chapter}.md as docs/{chapter}.md"
    for chapter, cited in CHAPTER.findall(sentences):
        known = headings(chapter)
        if not known:
            yield f"{name}: there is no docs/{chapter}.md"
        for heading in re.findall(r'"([^"]+)"', cited):
            if heading.rstrip(",.").replace("\\", "") not in known:
                yield f'{name}: docs/{chapter}.md has no heading "{heading}"'


def main(names):
    found = [line for name in names or files() for line in mistakes(name, text_of(name))]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
