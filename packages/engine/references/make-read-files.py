"""Writes what version 0.30 of the application reads out of small files of many kinds: the files, and hashes of the floats.

    python make-read-files.py --application /path/to/the/application

The files are made here from a seed; a film is made by the ffmpeg on the path. Pictures go the way of LoadImage, films that
of LoadVideo: both are the application's own function.
"""

import argparse
import base64
import hashlib
import importlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--application", required=True, type=pathlib.Path)
given = parser.parse_args()
extras = next(given.application.glob("*_extras")).name
package = extras.removesuffix("_extras")
sys.argv = ["main.py", "--cpu"]
sys.path.insert(0, str(given.application))

import av  # noqa: E402
import numpy  # noqa: E402
import PIL  # noqa: E402
from PIL import Image  # noqa: E402

reader = importlib.import_module(f"{package}_api.latest._input_impl.video_types").VideoFromFile
draw = numpy.random.default_rng(30)


def drawn(height, width, channels):
    y, x = numpy.mgrid[0:height, 0:width]
    waves = [127 + 100 * numpy.sin(x / (3 + at) + y / (5 + 2 * at)) for at in range(channels)]
    return (numpy.stack(waves, -1) + draw.integers(-20, 20, (height, width, channels))).clip(0, 255).astype(numpy.uint8)


def saved(picture, kind, **options):
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def pictures():
    for height, width in ((40, 52), (33, 64)):
        at = f"{width}x{height}"
        rgb, rgba = Image.fromarray(drawn(height, width, 3)), Image.fromarray(drawn(height, width, 4))
        grey, clear = Image.fromarray(drawn(height, width, 1)[..., 0]), Image.fromarray(drawn(height, width, 2), "LA")
        deep = Image.fromarray(drawn(height, width, 1)[..., 0].astype(numpy.uint16) * 250)
        palette = rgb.quantize(16)
        for name, picture in (("rgb", rgb), ("rgba", rgba), ("grey", grey), ("clear-grey", clear), ("bit", grey.convert("1")), ("deep", deep), ("palette", palette)):
            yield f"{name}-{at}.png", saved(picture, "PNG")
        for name, subsampling in (("full", 0), ("half", 1), ("quarter", 2)):
            yield f"{name}-{at}.jpg", saved(rgb, "JPEG", quality=85, subsampling=subsampling)
        yield f"grey-{at}.jpg", saved(grey, "JPEG")
        turned = Image.Exif()
        for tag in (2, 6, 8):
            turned[0x0112] = tag
            yield f"turned{tag}-{at}.jpg", saved(rgb, "JPEG", subsampling=0, exif=turned)
        yield f"lossy-{at}.webp", saved(rgb, "WEBP", quality=80)
        yield f"lossless-{at}.webp", saved(rgba, "WEBP", lossless=True)
        yield f"rgb-{at}.bmp", saved(rgb, "BMP")
        yield f"rgba-{at}.bmp", saved(rgba, "BMP")
        yield f"palette-{at}.gif", saved(palette, "GIF")
        yield f"film-{at}.gif", saved(palette, "GIF", save_all=True, append_images=[rgba.convert("RGB").quantize(16)])
        yield f"film-{at}.png", saved(rgb, "PNG", save_all=True, append_images=[rgba.convert("RGB")])
        yield f"rgb-{at}.tiff", saved(rgb, "TIFF")
        yield f"rgb-{at}.ppm", saved(rgb, "PPM")


def films(folder):
    for name, codec in (("h264", ["libx264", "-pix_fmt", "yuv420p"]), ("deep", ["libx264", "-pix_fmt", "yuv420p10le"]), ("mpeg4", ["mpeg4"])):
        path = folder / f"{name}.mp4"
        source = ["-f", "lavfi", "-i", "testsrc2=s=52x40:d=1:r=3"]
        subprocess.run(["ffmpeg", "-v", "error", "-y", *source, "-c:v", *codec, "-fflags", "+bitexact", str(path)], check=True)
        yield path.name, path.read_bytes()


def told(values):
    floats = numpy.ascontiguousarray(values, dtype="<f4")
    return {"shape": list(floats.shape), "hash": hashlib.sha256(floats.tobytes()).hexdigest()[:16]}


def main():
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, content in [*pictures(), *films(folder)]:
            (folder / file).write_bytes(content)
            read = reader(str(folder / file)).get_components()
            row = {"name": file, "picture": told(read.images.float().numpy())}
            if read.alpha is not None:
                row["mask"] = told((1.0 - read.alpha[..., -1]).numpy())
            rows.append({**row, "bytes": base64.b64encode(content).decode()})
    versions = {"application": "0.30.0", "av": av.__version__, "pillow": PIL.__version__, "numpy": numpy.__version__}
    lines = ",\n".join(json.dumps(row) for row in rows)
    target = pathlib.Path(__file__).resolve().parent / "read-files-0.30.json"
    target.write_text(f'{{\n"versions": {json.dumps(versions)},\n"files": [\n{lines}\n]\n}}\n')
    print(target.name, len(rows))


main()
