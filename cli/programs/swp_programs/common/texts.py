# SPDX-License-Identifier: Apache-2.0
"""Texts that others wrote: as JSON and terminals can have them."""


def whole_text(text):
    """Without halves of surrogate pairs, which JSON can name and no encoding has."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def is_whole_text(text):
    """Whether a command or a file can have it."""
    return "\0" not in text and whole_text(text) == text


def whole_texts(value):
    """A value of JSON, with such texts alone."""
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, list):
        return [whole_texts(each) for each in value]
    if isinstance(value, dict):
        return {whole_text(key): whole_texts(each) for key, each in value.items()}
    return value


def harmless(text):
    """What a terminal may be given: what would act there is shown as an escape."""
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in whole_text(text))


def shown(value):
    """A value in a message: the begin of it, however long it is."""
    try:
        return whole_text(repr(value))[:80]
    except (ValueError, RecursionError):  # an integer of thousands of digits, or a list in itself
        return "a value that cannot be shown"
