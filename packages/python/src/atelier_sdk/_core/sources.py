"""Bytes to store: from memory, a path, or an open file. Read while they are sent."""

from __future__ import annotations

import io
import mimetypes
import os
import tempfile
from contextlib import contextmanager
from typing import BinaryIO, Iterator, Optional, Union, cast

AssetSource = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]", BinaryIO]

_KNOWN = {".webp": "image/webp", ".flac": "audio/flac", ".webm": "video/webm", ".safetensors": "application/octet-stream"}


class Source:
    def __init__(self, file: BinaryIO, name: str, start: int, size: int) -> None:
        self._file = file
        self._start = start
        self.name = name
        self.size = size

    def read_at(self, offset: int, length: int) -> bytes:
        self._file.seek(self._start + offset)
        return self._file.read(min(length, self.size - offset))

    def whole(self) -> BinaryIO:
        """From the beginning, for one attempt to send it."""
        self._file.seek(self._start)
        return self._file if self._start == 0 else io.BytesIO(self._file.read())


@contextmanager
def opened(source: AssetSource) -> Iterator[Source]:
    """A string is a path; bytes are the content itself. A file that cannot be rewound is copied first."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(source)
        yield Source(io.BytesIO(content), "file", 0, len(content))
    elif isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        with open(path, "rb") as file:
            yield Source(file, os.path.basename(path), 0, os.fstat(file.fileno()).st_size)
    else:
        name = getattr(source, "name", None)
        called = os.path.basename(name) if isinstance(name, str) else "file"
        if source.seekable():
            start = source.tell()
            end = source.seek(0, os.SEEK_END)
            source.seek(start)
            yield Source(source, called, start, end - start)
            return
        with tempfile.TemporaryFile() as copy:
            while True:
                piece = source.read(1024 * 1024)
                if not piece:
                    break
                copy.write(piece)
            yield Source(cast(BinaryIO, copy), called, 0, copy.tell())


def content_type_of(file_path: str) -> str:
    ending = os.path.splitext(file_path)[1].lower()
    return _KNOWN.get(ending) or mimetypes.guess_type(file_path)[0] or "application/octet-stream"


def hash_of(source: Source) -> Optional[str]:
    """The hash that assets go by, if the package blake3 is installed; otherwise the server hashes what it receives."""
    try:
        from blake3 import blake3  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    hasher = blake3()
    for offset in range(0, source.size, 1024 * 1024):
        hasher.update(source.read_at(offset, 1024 * 1024))
    return f"blake3:{hasher.hexdigest()}"
