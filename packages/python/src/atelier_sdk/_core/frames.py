"""Parses an event stream into frames, however its bytes are split."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Iterator, List, Optional

_frame_end = re.compile(r"\r\n\r\n|\n\n|\r\r")


@dataclass(frozen=True)
class Frame:
    event: str
    id: Optional[str]
    data: str


class FrameReader:
    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def feed(self, piece: bytes) -> Iterator[Optional[Frame]]:
        """The frames that the piece completes; None for a comment, which only shows that the server is alive."""
        self._rest += self._decoder.decode(piece)
        while True:
            end = _frame_end.search(self._rest)
            if end is None:
                return
            text, self._rest = self._rest[: end.start()], self._rest[end.end() :]
            yield read_frame(text)


def read_frame(text: str) -> Optional[Frame]:
    event, id_, data = "message", None, []  # type: str, Optional[str], List[str]
    for line in re.split(r"\r\n|\n|\r", text):
        name, colon, value = line.partition(":")
        if not colon or not name:
            continue
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            event = value
        elif name == "id":
            id_ = value
        elif name == "data":
            data.append(value)
    return Frame(event, id_, "\n".join(data)) if data else None
