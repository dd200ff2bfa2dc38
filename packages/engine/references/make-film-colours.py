"""Writes what the film library of the application makes of stored colours: hashes of red, green and blue in bytes.

    python make-film-colours.py

The planes come from a formula that the test has too. Where colours belong among the brightnesses only a decoder can say,
so those frames are first coded and decoded, then filled.
"""

import hashlib
import io
import json
import pathlib

import av
import numpy

spaces = {"": 2, "bt709": 1, "fcc": 4, "smpte240m": 7, "bt2020nc": 9}


def plane(at, height, width, depth):
    y, x = numpy.mgrid[0:height, 0:width]
    return (x * 37 + y * 101 + at * 59 + x * y * 13) % (1 << depth)


def decoded(width, height, kind):
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=1)
        stream.width, stream.height, stream.pix_fmt = width, height, kind
        frame = av.VideoFrame(width, height, kind)
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    file.seek(0)
    return next(av.open(file).decode(video=0))


def told(width, height, kind, place, space, full):
    frame = decoded(width, height, kind) if place else av.VideoFrame(width, height, kind)
    depth = int(kind[7:-2]) if kind.endswith("le") else 8
    for at, stored in enumerate(frame.planes):
        size = (height, width) if at == 0 else (-(-height // 2), -(-width // 2))
        rows = numpy.frombuffer(memoryview(stored), "<u2" if depth > 8 else "u1").reshape(-1, stored.line_size // (2 if depth > 8 else 1))
        rows[: size[0], : size[1]] = plane(at, *size, depth)
    frame.colorspace, frame.color_range = spaces[space], 2 if full else 1
    colours = frame.to_ndarray(format="rgb24")
    return {
        **{"width": width, "height": height, "pixelFormat": kind, "chromaLocation": place},
        **{"colorSpace": space, "isFullRange": full, "hash": hashlib.sha256(colours.tobytes()).hexdigest()[:16]},
    }


cases = [
    (64, 48, "yuv420p10le", "left", "", False),
    (90, 70, "yuv420p10le", "left", "bt709", False),
    (34, 30, "yuv420p10le", "left", "bt2020nc", True),
    (90, 70, "yuv420p10le", "", "", False),
    (91, 71, "yuv420p10le", "", "smpte240m", False),
    (91, 70, "yuv420p10le", "", "fcc", True),
    (90, 70, "yuv420p12le", "", "", False),
    (91, 71, "yuv420p12le", "", "bt709", True),
    (90, 71, "yuv420p", "", "", False),
    (91, 71, "yuv420p", "", "bt709", False),
    (33, 33, "yuvj420p", "", "", True),
    (52, 41, "yuvj420p", "", "", True),
]
rows = ",\n".join(json.dumps(told(*case)) for case in cases)
target = pathlib.Path(__file__).resolve().parent / "film-colours.json"
target.write_text(f'{{\n"versions": {json.dumps({"av": av.__version__})},\n"cases": [\n{rows}\n]\n}}\n')
print(target.name, len(cases))
