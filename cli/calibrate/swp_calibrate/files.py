# SPDX-License-Identifier: Apache-2.0
"""Writes a file whole or not at all; a device or a pipe is no file to replace."""
import os
import pathlib

from .refusal import Refused


def write_whole(path, text):
    path = pathlib.Path(path)
    is_replaced = path.is_file() or not path.exists()
    beside = path.with_name(path.name + ".new") if is_replaced else path
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        if is_replaced:
            os.replace(beside, path)
    except OSError as error:
        if is_replaced:
            beside.unlink(missing_ok=True)
        raise Refused(f"{path} cannot be written: {error.strerror}") from error


def make_folder(path):
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise Refused(f"{path} is no folder", "-o names the folder that the benchmarks go to") from error
    except OSError as error:
        raise Refused(f"the folder {path} cannot be made: {error.strerror}") from error
