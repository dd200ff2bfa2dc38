"""Writes picture-files.json: small picture files of every kind, and what Pillow makes of them when it reads them step by
step as the application's LoadImage and LoadImageMask do.

    pip install pillow numpy; python3 packages/engine/test/python/write-picture-files.py
"""
import base64
import hashlib
import io
import json
import os
import struct
import sys
import warnings
import zlib

import numpy as np
import PIL
from PIL import Image, ImageOps, ImageSequence

warnings.simplefilter("ignore")
draw = np.random.default_rng(5)
W, H = 12, 9


def noise(channels, depth=8):
    shape = (H, W) if channels == 1 else (H, W, channels)
    return draw.integers(0, 2**depth, shape, dtype=np.uint8 if depth == 8 else np.uint16)


def written(image, **options):
    out = io.BytesIO()
    image.save(out, **options)
    return out.getvalue()


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(colour, depth, array, extra=b""):
    rows = b"".join(b"\0" + row.astype(">u2" if depth == 16 else np.uint8).tobytes() for row in array)
    head = struct.pack(">IIBBBBB", W, H, depth, colour, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def apng(colour, frames, with_default=False):
    """frames: (x, y, disposal, blend, array)"""
    head = struct.pack(">IIBBBBB", W, H, 8, colour, 0, 0, 0)
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"acTL", struct.pack(">II", len(frames), 0))
    number = 0
    if with_default:
        rows = b"".join(b"\0" + row.tobytes() for row in noise(4 if colour == 6 else 3))
        out += chunk(b"IDAT", zlib.compress(rows))
    for index, (x, y, disposal, blend, array) in enumerate(frames):
        height, width = array.shape[:2]
        out += chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, x, y, 1, 10, disposal, blend))
        number += 1
        data = zlib.compress(b"".join(b"\0" + row.tobytes() for row in array))
        if index == 0 and not with_default:
            out += chunk(b"IDAT", data)
        else:
            out += chunk(b"fdAT", struct.pack(">I", number) + data)
            number += 1
    return out + chunk(b"IEND", b"")


def frames_of(channels):
    part = lambda w, h: draw.integers(0, 256, (h, w, channels), dtype=np.uint8)
    return [(0, 0, 0, 0, part(W, H)), (2, 1, 0, 1, part(5, 4)), (0, 0, 1, 0, part(W, 3)), (3, 3, 2, 0, part(6, 6)), (1, 0, 0, 1, part(4, 9))]


def bmp(bits, compression, body, palette=b"", masks=b"", rows=H):
    at = 54 + len(masks) + len(palette)
    head = struct.pack("<IiiHHIIiiII", 40, W, rows, 1, bits, compression, len(body), 2835, 2835, len(palette) // 4, 0)
    return b"BM" + struct.pack("<IHHI", at + len(body), 0, 0, at) + head + masks + palette + body


def bmps():
    palette = lambda count: b"".join(bytes(int(v) for v in draw.integers(0, 256, 3)) + b"\0" for _ in range(count))
    row8 = lambda: draw.integers(0, 200, W, dtype=np.uint8).tobytes()
    runs = b"".join(bytes([5, 7, 0, 3, 1, 2, 3, 0, 4, 9, 0, 0]) for _ in range(H)) + b"\0\1"
    words = lambda: draw.integers(0, 65536, W, dtype=np.uint16).astype("<u2").tobytes()
    longs = lambda: draw.integers(0, 2**32, W, dtype=np.uint32).astype("<u4").tobytes()
    padded = lambda row: row + b"\0" * (-len(row) % 4)
    alpha = struct.pack("<IIII", 0xFF0000, 0xFF00, 0xFF, 0xFF000000)
    body32 = b"".join(longs() for _ in range(H))
    # A larger head that has room for four masks.
    large = b"BM" + struct.pack("<IHHI", 70 + len(body32), 0, 0, 70) + struct.pack("<IiiHHIIiiII", 56, W, H, 1, 32, 3, len(body32), 0, 0, 0, 0) + alpha + body32
    return {
        "bmp 1 bit": bmp(1, 0, b"".join(padded(draw.integers(0, 256, 2, dtype=np.uint8).tobytes()) for _ in range(H)), palette(2)),
        "bmp 4 bits": bmp(4, 0, b"".join(padded(draw.integers(0, 256, 6, dtype=np.uint8).tobytes()) for _ in range(H)), palette(16)),
        "bmp 8 bits": bmp(8, 0, b"".join(padded(row8()) for _ in range(H)), palette(256)),
        "bmp 8 bits in runs": bmp(8, 1, runs, palette(256)),
        "bmp 16 bits": bmp(16, 0, b"".join(words() for _ in range(H))),
        "bmp 16 bits, 5 6 5": bmp(16, 3, b"".join(words() for _ in range(H)), masks=struct.pack("<III", 0xF800, 0x7E0, 0x1F)),
        "bmp 24 bits": written(Image.fromarray(noise(3)), format="BMP"),
        "bmp 24 bits, top down": bmp(24, 0, b"".join(padded(draw.integers(0, 256, W * 3, dtype=np.uint8).tobytes()) for _ in range(H)), rows=-H),
        "bmp 32 bits": bmp(32, 0, b"".join(longs() for _ in range(H))),
        "bmp 32 bits with alpha": large,
    }


def gifs():
    flat = [Image.fromarray(noise(3)).quantize(32) for _ in range(3)]
    clear = Image.fromarray(noise(3)).quantize(32)
    ramp = Image.fromarray(noise(1))
    return {
        "gif": written(flat[0], format="GIF"),
        "gif of three": written(flat[0], format="GIF", save_all=True, append_images=flat[1:], duration=100),
        "gif, transparent": written(clear, format="GIF", transparency=3),
        "gif of greys": written(ramp, format="GIF"),
    }


def files():
    cmyk = written(Image.fromarray(noise(4), "CMYK").resize((24, 18)), format="JPEG", quality=95)
    trns = lambda *values: chunk(b"tRNS", struct.pack(">%dH" % len(values), *values))
    rgb = noise(3)
    grey = noise(1)
    indexed = draw.integers(0, 4, (H, W), dtype=np.uint8)
    palette = chunk(b"PLTE", bytes(range(12)))
    tif = Image.fromarray(noise(1, 16))
    steps = np.arange(W * H, dtype=np.uint16).reshape(H, W) * 5
    return {
        "png": written(Image.fromarray(rgb), format="PNG"),
        "png with alpha": written(Image.fromarray(noise(4)), format="PNG"),
        "png, a colour transparent": png(2, 8, rgb.reshape(H, -1), trns(*[int(v) for v in rgb[0, 0]])),
        "png, a grey transparent": png(0, 8, grey, trns(int(grey[0, 0]))),
        "png, palette": png(3, 8, indexed, palette),
        "png, palette with alpha": png(3, 8, indexed, palette + chunk(b"tRNS", bytes([0, 128, 255]))),
        "png, grey, 16 bits": png(0, 16, steps),
        "png, colours, 16 bits": png(2, 16, noise(3, 16).reshape(H, -1)),
        "png, grey and alpha, 16 bits": png(4, 16, noise(2, 16).reshape(H, -1)),
        "png with alpha, 16 bits": png(6, 16, noise(4, 16).reshape(H, -1)),
        "png, animated": apng(2, frames_of(3)),
        "png, animated with alpha": apng(6, frames_of(4)),
        "png, animated beside another picture": apng(6, frames_of(4), with_default=True),
        "jpeg of inks": cmyk,
        "jpeg of inks without Adobe's word": cmyk.replace(b"\xff\xee\x00\x0eAdobe", b"\xff\xee\x00\x0eNobod"),
        "tiff, grey, 16 bits": written(tif, format="TIFF"),
        "webp, lossless": written(Image.fromarray(noise(4)), format="WEBP", lossless=True, exact=True),
        **bmps(),
        **gifs(),
    }


def digest(arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:32]


def load_image(data):
    image = Image.open(io.BytesIO(data))
    pictures, masks = [], []
    for frame in ImageSequence.Iterator(image):
        frame = ImageOps.exif_transpose(frame)
        if frame.mode == "I":
            frame = frame.point(lambda level: level * (1 / 255))
        pictures.append(np.array(frame.convert("RGB")))
        if "A" in frame.getbands():
            masks.append(255 - np.array(frame.getchannel("A")))
        elif frame.mode == "P" and "transparency" in frame.info:
            masks.append(255 - np.array(frame.convert("RGBA").getchannel("A")))
        else:
            masks.append(np.zeros((64, 64), np.uint8))
    return pictures, masks


def load_alpha(data):
    image = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    if image.getbands() != ("R", "G", "B", "A"):
        image = image.convert("RGBA")
    return 255 - np.array(image.getchannel("A"))


rows = []
for name, data in files().items():
    pictures, masks = load_image(data)
    rows.append({
        "name": name,
        "file": base64.b64encode(data).decode(),
        "size": [len(pictures), pictures[0].shape[0], pictures[0].shape[1]],
        "picture": digest(pictures),
        "maskSize": [len(masks), masks[0].shape[0], masks[0].shape[1]],
        "mask": digest(masks),
        "alpha": digest([load_alpha(data)]),
    })
path = os.environ.get("REFERENCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "picture-files.json"))
with open(path, "w") as out:
    versions = {"python": sys.version.split()[0], "pillow": PIL.__version__, "numpy": np.__version__}
    lines = ",\n".join(json.dumps(row) for row in rows)
    out.write('{"versions": %s,\n"files": [\n%s\n]}\n' % (json.dumps(versions), lines))
