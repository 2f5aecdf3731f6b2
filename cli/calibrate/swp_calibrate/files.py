# SPDX-License-Identifier: Apache-2.0
"""Writes a file whole or not at all."""
import os
import pathlib

from .refusal import Refused


def write_whole(path, text):
    path = pathlib.Path(path)
    beside = path.with_name(path.name + ".new")
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    except OSError as error:
        try:
            beside.unlink()
        except OSError:
            pass
        raise Refused(f"{path} cannot be written: {error.strerror}") from error


def make_folder(path):
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise Refused(f"{path} is no folder", "-o names the folder that the benchmarks go to") from error
    except OSError as error:
        raise Refused(f"the folder {path} cannot be made: {error.strerror}") from error
