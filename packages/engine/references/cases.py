"""Which classes are tried, and with which parameters. A tensor is written as {"image": [kind, seed, …shape]}."""

import itertools

methods = ["nearest-exact", "bilinear", "area", "bicubic", "lanczos"]
modes = [
    "ADD", "CLEAR", "DARKEN", "DST", "DST_ATOP", "DST_IN", "DST_OUT", "DST_OVER", "LIGHTEN", "MULTIPLY", "OVERLAY",
    "SCREEN", "SRC", "SRC_ATOP", "SRC_IN", "SRC_OUT", "SRC_OVER", "XOR",
]  # fmt: skip


def image(height, width, channels=3, *, batch=1, kind="levels", seed=1):
    return {"image": [kind, seed, batch, height, width, channels]}


def mask(height, width, *, batch=1, kind="levels", seed=2):
    return {"mask": [kind, seed, batch, height, width]}


def latent(*shape, kind="wide", seed=3, **extra):
    return {"latent": [kind, seed, *shape], **extra}


def audio(channels, length, *, batch=1, rate=8000, kind="signed", seed=4):
    return {"audio": [kind, seed, rate, batch, channels, length]}


def case(name, **inputs):
    return {"class": name, "inputs": inputs}


def named(name, inputs, **more):
    return {"class": name, "inputs": inputs, **more}


def fails(name, **inputs):
    return {"class": name, "inputs": inputs, "fails": True}


# From small to small, from small to large, to less, and with one side kept.
sizes = [(20, 30, 45, 50), (20, 30, 100, 61), (120, 90, 41, 37), (90, 120, 80, 75), (33, 47, 33, 64), (64, 64, 128, 128)]


def scaling():
    for method, (height, width, to_height, to_width), channels in itertools.product(methods, sizes, (1, 3, 4)):
        if channels == 1 and method == "lanczos":
            continue
        picture = image(height, width, channels, kind="smooth", seed=height)
        yield case("ImageScale", image=picture, upscale_method=method, width=to_width, height=to_height, crop="disabled")
    # Where the generations of the picture library take their passes in different order.
    for (height, width, to_height, to_width), channels in itertools.product(
        ((200, 30, 45, 50), (100, 100, 50, 80), (100, 100, 20, 90), (100, 60, 75, 48), (100, 60, 75, 47)), (3, 4)
    ):
        picture = image(height, width, channels)
        yield case("ImageScale", image=picture, upscale_method="lanczos", width=to_width, height=to_height, crop="disabled")
    for method, crop, (width, height) in itertools.product(methods, ("disabled", "center"), ((70, 90), (0, 40), (100, 30))):
        yield case("ImageScale", image=image(50, 60, batch=2), upscale_method=method, width=width, height=height, crop=crop)
    for (height, width), batch in itertools.product(((61, 40), (40, 61)), (1, 2)):
        clear = image(height, width, 4, batch=batch)
        yield case("ImageScale", image=clear, upscale_method="bilinear", width=110, height=60, crop="center")
    yield case("ImageScale", image=image(50, 60), upscale_method="area", width=0, height=0, crop="disabled")
    for method in methods:
        yield case("ImageScaleBy", image=image(31, 37), upscale_method=method, scale_by=0.37)
        yield case("ImageScaleBy", image=image(31, 37), upscale_method=method, scale_by=3.3)
        yield case("ImageScaleToTotalPixels", image=image(90, 71), upscale_method=method, megapixels=0.01, resolution_steps=1)
        yield case("ImageScaleToTotalPixels", image=image(40, 71), upscale_method=method, megapixels=0.02, resolution_steps=16)
        yield case("ImageScaleToMaxDimension", image=image(90, 71), upscale_method=method, largest_size=64)
        yield case("ImageScaleToMaxDimension", image=image(50, 71), upscale_method=method, largest_size=130)
        for colour in ("white", "black"):
            yield case(
                "ResizeAndPadImage",
                image=image(50, 71), target_width=64, target_height=90, padding_color=colour, interpolation=method,
            )  # fmt: skip
    yield case("FluxKontextImageScale", image=image(48, 64))


def resized():
    picture, small = image(50, 71), image(33, 21, seed=5)
    kinds = {
        "scale by multiplier": [{"multiplier": 0.7}, {"multiplier": 2.1}],
        "scale dimensions": [{"width": 40, "height": 60, "crop": "center"}, {"width": 0, "height": 60, "crop": "disabled"}],
        "scale longer dimension": [{"longer_size": 96}],
        "scale shorter dimension": [{"shorter_size": 96}],
        "scale width": [{"width": 96}],
        "scale height": [{"height": 30}],
        "scale total pixels": [{"megapixels": 0.01}],
        "match size": [{"match": small, "crop": "center"}, {"match": mask(21, 60), "crop": "disabled"}],
    }
    for kind, choices in kinds.items():
        for values, method, given in itertools.product(choices, ("area", "bilinear"), (picture, mask(50, 71))):
            inner = {f"resize_type.{name}": value for name, value in values.items()}
            yield named("ResizeImageMaskNode", {"input": given, "resize_type": kind, **inner, "scale_method": method})


# The weights come from an exponential that is not the same on every processor: where one of them is not the nearest float
# there, the floats themselves are kept, and the engine may differ by a little.
inexact = {(3, 0.3), (3, 2.7), (7, 0.3), (7, 1.0), (7, 2.7), (31, 1.0)}


def filters():
    for radius, sigma, channels in itertools.product((1, 2, 3, 7), (0.3, 1.0, 2.7), (3, 4)):
        more = {"floats": True} if (radius, sigma) in inexact else {}
        height, width = (10, 9) if more else (24, 37)
        blurred = {"image": image(height, width, channels, kind="smooth"), "blur_radius": radius, "sigma": sigma}
        sharpened = {"image": image(height, width, channels), "sharpen_radius": radius, "sigma": sigma, "alpha": 0.6}
        if channels == 3 or not more:
            yield named("ImageBlur", blurred, **more)
            yield named("ImageSharpen", sharpened, **more)
    large = image(32, 33)
    yield named("ImageBlur", {"image": large, "blur_radius": 31, "sigma": 1.0}, floats=True)
    yield named("ImageSharpen", {"image": large, "sharpen_radius": 31, "sigma": 1.0, "alpha": 1.0}, floats=True)
    yield case("ImageSharpen", image=image(40, 45, batch=2), sharpen_radius=1, sigma=0.5, alpha=0.0)


def blends():
    for mode, factor in itertools.product(
        ("normal", "multiply", "screen", "overlay", "soft_light", "difference"), (0.0, 0.3, 0.5, 1.0)
    ):
        yield case(
            "ImageBlend",
            image1=image(24, 37, kind="smooth"), image2=image(24, 37, seed=9), blend_factor=factor, blend_mode=mode,
        )  # fmt: skip
    for channels in (3, 4):
        yield case(
            "ImageBlend",
            image1=image(24, 37), image2=image(60, 31, channels, seed=9), blend_factor=0.7, blend_mode="normal",
        )  # fmt: skip
    yield case(
        "ImageBlend", image1=image(24, 37, batch=2), image2=image(24, 37, seed=9), blend_factor=0.7, blend_mode="screen"
    )
    for mode in modes:
        yield case(
            "PorterDuffImageComposite",
            source=image(24, 37, seed=5), source_alpha=mask(24, 37, seed=6),
            destination=image(24, 37, seed=7), destination_alpha=mask(24, 37, seed=8), mode=mode,
        )  # fmt: skip
        yield case(
            "PorterDuffImageComposite",
            source=image(31, 33, seed=5), source_alpha=mask(20, 21, seed=6),
            destination=image(24, 37, seed=7), destination_alpha=mask(90, 14, kind="spots", seed=8), mode=mode,
        )  # fmt: skip


def composites():
    for resize, through in itertools.product((False, True), (None, mask(20, 21), mask(24, 37), mask(10, 31, batch=2))):
        more = {} if through is None else {"mask": through}
        yield case(
            "ImageCompositeMasked",
            destination=image(24, 37, batch=2), source=image(24, 37, seed=7), x=5, y=3, resize_source=resize, **more,
        )  # fmt: skip
        yield case(
            "ImageCompositeMasked",
            destination=image(80, 97), source=image(24, 37, 4, seed=7), x=90, y=0, resize_source=resize, **more,
        )  # fmt: skip
    yield case("SplitImageWithAlpha", image=image(9, 7, 4))
    yield case("SplitImageWithAlpha", image=image(9, 7, 3))
    yield case("JoinImageWithAlpha", image=image(9, 7, 3), alpha=mask(9, 7))
    yield case("JoinImageWithAlpha", image=image(90, 70, 4, batch=2), alpha=mask(50, 71, batch=2))


def quantized():
    dithers = ["none", "floyd-steinberg", "bayer-2", "bayer-4", "bayer-8", "bayer-16"]
    for dither, colours, kind in itertools.product(dithers, (1, 2, 3, 7, 16, 100, 256), ("levels", "photo")):
        yield case("ImageQuantize", image=image(37, 41, kind=kind), colors=colours, dither=dither)
    yield case("ImageQuantize", image=image(300, 301), colors=256, dither="none")
    yield case("ImageQuantize", image=image(64, 64, kind="spots"), colors=256, dither="floyd-steinberg")


def arranged():
    picture, other = image(12, 17), image(20, 9, seed=5)
    yield case("ImageInvert", image=image(12, 17, kind="smooth"))
    yield case("ImageCrop", image=picture, width=5, height=9, x=3, y=2)
    yield case("ImageCrop", image=picture, width=50, height=90, x=16, y=100)
    for method in ("x-axis: vertically", "y-axis: horizontally"):
        yield case("ImageFlip", image=picture, flip_method=method)
        yield case("LatentFlip", samples=latent(2, 4, 5, 7), flip_method=method)
    for turn in ("none", "90 degrees", "180 degrees", "270 degrees"):
        yield case("ImageRotate", image=picture, rotation=turn)
        yield case("LatentRotate", samples=latent(2, 4, 5, 7), rotation=turn)
    for direction, matched, spacing, colour in itertools.product(
        ("right", "down", "left", "up"), (True, False), (0, 4), ("white", "red")
    ):
        yield case(
            "ImageStitch",
            image1=picture, direction=direction, match_image_size=matched, spacing_width=spacing, spacing_color=colour,
            image2=other,
        )  # fmt: skip
    yield case(
        "ImageStitch",
        image1=image(12, 17, 4, batch=2), direction="right", match_image_size=True, spacing_width=3, spacing_color="blue",
        image2=image(20, 9, 3, batch=3),
    )  # fmt: skip
    yield case("ImageStitch", image1=picture, direction="up", match_image_size=True, spacing_width=2, spacing_color="black")
    yield case("ImageBatch", image1=picture, image2=other)
    yield case("ImageBatch", image1=image(12, 17, 4), image2=image(50, 90, 3))
    yield case("RepeatImageBatch", image=picture, amount=3)
    yield case("ImageFromBatch", image=image(5, 4, batch=4), batch_index=1, length=2)
    yield case("ImageFromBatch", image=image(5, 4, batch=4), batch_index=9, length=20)
    yield case("GetImageSize", image=image(5, 4, batch=4))
    yield case("EmptyImage", width=5, height=4, batch_size=2, color=0x12F00D)
    yield case("ImagePadForOutpaint", image=picture, left=8, top=0, right=16, bottom=8, feathering=5)
    yield case("ImagePadForOutpaint", image=image(80, 90), left=8, top=8, right=16, bottom=8, feathering=20)
    for strength, seed in ((0.5, 0), (0.1, f"{2**64 - 1}n"), (1.0, 12345678901)):
        yield case("ImageAddNoise", image=image(13, 17), seed=seed, strength=strength)
    inputs = {"images.image0": picture, "images.image1": other}
    yield named("BatchImagesNode", inputs)
    yield named("BatchImagesNode", {**inputs, "images.image2": image(7, 7, 4)})
    yield named("BatchMasksNode", {"masks.mask0": mask(9, 8), "masks.mask1": mask(20, 31), "masks.mask2": mask(9, 8, batch=2)})
    yield named("BatchLatentsNode", {"latents.latent0": latent(1, 4, 8, 9), "latents.latent1": latent(2, 4, 12, 7)})
    for size in (3, 60):
        yield case("AdjustBrightness", images=image(9, 8), factor=1.0 + size / 100)
        yield case("AdjustContrast", images=image(9, 8, batch=2), factor=0.3 + size / 100)
        yield case("NormalizeImages", images=image(9, 8), mean=0.5, std=0.3 + size / 100)
        yield case("CenterCropImages", images=image(9, 8), width=size, height=5)
        yield case("RandomCropImages", images=image(70, 80), width=size, height=5, seed=7)
        yield case("ResizeImagesByLongerEdge", images=image(70, 80), longer_edge=size)
        yield case("ResizeImagesByShorterEdge", images=image(70, 80), shorter_edge=size)


def analysed():
    operations = ("erode", "dilate", "open", "close", "gradient", "bottom_hat", "top_hat")
    for operation, size in itertools.product(operations, (3, 4, 7)):
        yield case("Morphology", image=image(15, 19, batch=2), operation=operation, kernel_size=size)
    for low, high in ((0.4, 0.8), (0.1, 0.3), (0.01, 0.02)):
        yield case("Canny", image=image(40, 51, kind="photo"), low_threshold=low, high_threshold=high)
        yield case("Canny", image=image(20, 31, batch=2), low_threshold=low, high_threshold=high)
    yield case("ImageRGBToYUV", image=image(9, 8, kind="smooth"))
    yield case("ImageYUVToRGB", Y=image(9, 8, seed=1), U=image(9, 8, seed=2), V=image(9, 8, seed=3))


def masks():
    yield case("MaskToImage", mask=mask(5, 4, batch=2))
    yield case("SolidMask", value=0.3, width=5, height=4)
    for channel in ("red", "green", "blue", "alpha"):
        yield case("ImageToMask", image=image(5, 4, 4), channel=channel)
    yield case("ImageColorToMask", image=image(40, 40, kind="spots"), color=0)
    yield case("ImageColorToMask", image=image(40, 40, kind="spots"), color=0xFF00FF)
    yield case("InvertMask", mask=mask(5, 4, kind="smooth"))
    yield case("CropMask", mask=mask(9, 8), x=2, y=3, width=4, height=90)
    for operation, place in itertools.product(("multiply", "add", "subtract", "and", "or", "xor"), ((0, 0), (3, 5))):
        yield case(
            "MaskComposite", destination=mask(12, 13), source=mask(8, 9, seed=5), x=place[0], y=place[1], operation=operation
        )
    yield case("FeatherMask", mask=mask(20, 21), left=3, top=5, right=7, bottom=50)
    yield case("FeatherMask", mask=mask(20, 21, batch=2), left=30, top=0, right=1, bottom=0)
    for expand, tapered in itertools.product((-3, -1, 0, 1, 4), (True, False)):
        yield case("GrowMask", mask=mask(15, 16, batch=2), expand=expand, tapered_corners=tapered)
    yield case("ThresholdMask", mask=mask(15, 16), value=0.5)
    yield case("ThresholdMask", mask=mask(15, 16, kind="spots"), value=0.0)


def compressed():
    for quality in (0, 1, 35, 60, 100):
        more = {"needs": "ffmpeg"} if quality > 0 else {}
        yield named("LTXVPreprocess", {"image": image(37, 51, kind="photo", seed=5), "img_compression": quality}, **more)
    several = {"image": image(64, 40, batch=2, kind="wide"), "img_compression": 20}
    yield named("LTXVPreprocess", several, needs="ffmpeg")


def latents():
    one, two = latent(2, 4, 9, 11), latent(2, 4, 9, 11, seed=5)
    other = latent(1, 4, 20, 7, seed=6)
    film, longer = latent(1, 16, 5, 8, 9), latent(1, 16, 3, 8, 9, seed=7)
    pairs = ((one, two), (one, other))
    for name, (first, second) in itertools.product(("LatentAdd", "LatentSubtract", "LatentBatch"), pairs):
        yield case(name, samples1=first, samples2=second)
    yield case("LatentBatch", samples1=latent(1, 4, 8, 8, batch_index=[5]), samples2=latent(2, 4, 8, 8))
    for factor in (0.3, 1.7, -10.0):
        yield case("LatentMultiply", samples=one, multiplier=factor)
    for ratio in (0.0, 0.3, 1.0):
        yield case("LatentInterpolate", samples1=latent(1, 4, 9, 11), samples2=latent(1, 4, 9, 11, seed=5), ratio=ratio)
    for dim in ("x", "-x", "y", "-y"):
        yield case("LatentConcat", samples1=one, samples2=two, dim=dim)
    for dim in ("t", "-t"):
        yield case("LatentConcat", samples1=one, samples2=two, dim=dim)
        yield case("LatentConcat", samples1=film, samples2=longer, dim=dim)
    for dim, index, amount in itertools.product(("x", "y", "t"), (0, 2, 90, -3, -90), (1, 3)):
        yield case("LatentCut", samples=one, dim=dim, index=index, amount=amount)
    yield case("LatentCut", samples=film, dim="t", index=1, amount=2)
    for dim, size in itertools.product(("t", "x", "y"), (1, 2, 90)):
        yield case("LatentCutToBatch", samples=one, dim=dim, slice_size=size)
        yield case("LatentCutToBatch", samples=film, dim=dim, slice_size=size)
    for behaviour in ("random", "fixed"):
        yield case("LatentBatchSeedBehavior", samples=one, seed_behavior=behaviour)
        yield case("LatentBatchSeedBehavior", samples=latent(2, 4, 8, 8, batch_index=[5, 6]), seed_behavior=behaviour)
    # Arc cosine and sine are not the same on every processor.
    for crop in ("disabled", "center"):
        small = {"samples": latent(1, 4, 7, 6), "upscale_method": "bislerp", "width": 80, "height": 96, "crop": crop}
        yield named("LatentUpscale", small, floats=True)
    yield named("LatentUpscaleBy", {"samples": latent(1, 4, 7, 6), "upscale_method": "bislerp", "scale_by": 1.7}, floats=True)
    for method, crop in itertools.product(("nearest-exact", "bilinear", "area", "bicubic"), ("disabled", "center")):
        yield case("LatentUpscale", samples=one, upscale_method=method, width=128, height=200, crop=crop)
        yield case("LatentUpscale", samples=one, upscale_method=method, width=700, height=500, crop=crop)
    wide = latent(1, 16, 9, 11, seed=8)
    yield case("LatentUpscale", samples=wide, upscale_method="bilinear", width=200, height=128, crop="disabled")
    yield case("LatentUpscale", samples=film, upscale_method="bilinear", width=200, height=128, crop="center")
    yield case("LatentUpscale", samples=wide, upscale_method="bilinear", width=700, height=500, crop="center")
    for method in ("nearest-exact", "bilinear", "area", "bicubic"):
        yield case("LatentUpscaleBy", samples=one, upscale_method=method, scale_by=1.5)
        yield case("LatentUpscaleBy", samples=one, upscale_method=method, scale_by=8.0)
        yield case("LatentUpscale", samples=one, upscale_method=method, width=0, height=128, crop="disabled")
    yield case("LatentComposite", samples_to=latent(1, 4, 20, 21), samples_from=latent(1, 4, 9, 9), x=32, y=16, feather=0)
    yield case("LatentComposite", samples_to=latent(1, 4, 20, 21), samples_from=latent(1, 4, 9, 9), x=32, y=16, feather=24)
    yield case("LatentComposite", samples_to=latent(1, 4, 20, 21), samples_from=latent(1, 4, 9, 9), x=120, y=0, feather=16)
    for feather in (0, 16):
        yield case("LatentComposite", samples_to=latent(3, 4, 16, 12), samples_from=latent(1, 4, 9, 11, seed=6), x=8, y=20, feather=feather)
        yield case("LatentComposite", samples_to=latent(2, 4, 16, 12), samples_from=latent(2, 1, 9, 5, seed=6), x=16, y=0, feather=feather)
        yield case("LatentComposite", samples_to=film, samples_from=latent(1, 16, 3, 6, 9, seed=7), x=16, y=8, feather=feather)
        yield fails("LatentComposite", samples_to=latent(1, 4, 16, 12), samples_from=latent(3, 4, 9, 5), x=0, y=0, feather=feather)
        yield fails("LatentComposite", samples_to=latent(3, 4, 16, 12), samples_from=latent(1, 4, 3, 9, 11), x=0, y=0, feather=feather)
    yield case("LatentBlend", samples1=one, samples2=two, blend_factor=0.3)
    yield case("LatentBlend", samples1=latent(1, 4, 9, 11), samples2=other, blend_factor=0.3)
    yield case("LatentCrop", samples=latent(1, 4, 20, 21), width=64, height=80, x=32, y=16)
    yield case("LatentCrop", samples=latent(1, 4, 20, 21), width=640, height=80, x=1000, y=1000)
    through = mask(40, 50)
    for resize, more in itertools.product((False, True), ({}, {"mask": through})):
        yield case(
            "LatentCompositeMasked",
            destination=latent(2, 4, 20, 21), source=latent(1, 4, 9, 9, seed=8), x=40, y=16, resize_source=resize, **more,
        )  # fmt: skip
    yield case("SetLatentNoiseMask", samples=one, mask=mask(72, 88))
    masked = latent(3, 4, 8, 8, noise_mask=["levels", 5, 1, 1, 64, 64], batch_index=[4, 5, 6])
    for samples in (latent(3, 4, 8, 8), masked):
        yield case("LatentFromBatch", samples=samples, batch_index=1, length=2)
        yield case("LatentFromBatch", samples=samples, batch_index=9, length=20)
        yield case("RepeatLatentBatch", samples=samples, amount=3)
    yield case("ReplaceVideoLatentFrames", destination=film, source=longer, index=1)
    yield case("ReplaceVideoLatentFrames", destination=film, source=longer, index=-4)
    yield case("ReplaceVideoLatentFrames", destination=film, source=longer, index=4)
    yield case("ReplaceVideoLatentFrames", destination=film, index=1)
    yield case("TrimVideoLatent", samples=film, trim_amount=2)
    for starts, references in ((4, 5), (1, 1), (2, 90)):
        yield case("NormalizeVideoLatentStart", latent=film, start_frame_count=starts, reference_frame_count=references)
    for shape in ((2, 4, 6, 2, 3), (1, 16, 6, 12, 13), (2, 3, 4, 9, 7), (1, 4, 3, 1, 4)):
        for kind in ("wide", "smooth", "signed"):
            samples = latent(*shape, kind=kind, seed=9)
            yield case("NormalizeVideoLatentStart", latent=samples, start_frame_count=2, reference_frame_count=3)
    yield case("NormalizeVideoLatentStart", latent=latent(2, 4, 1, 8, 9), start_frame_count=4, reference_frame_count=5)
    yield case("NormalizeVideoLatentStart", latent=latent(2, 16, 5, 12, 8), start_frame_count=2, reference_frame_count=1)
    yield case("NormalizeVideoLatentStart", latent=latent(2, 16, 5, 12, 8), start_frame_count=12, reference_frame_count=1)
    for radius, sigma, alpha in ((9, 1.0, 0.1), (1, 0.5, 1.0)):
        operation = {"operation": ["LatentOperationSharpen", {"sharpen_radius": radius, "sigma": sigma, "alpha": alpha}]}
        more = {"floats": True} if radius > 1 else {}
        yield named("LatentApplyOperation", {"samples": latent(1, 4, 11, 10), "operation": operation}, **more)
    for factor in (1.0, 0.2):
        operation = {"operation": ["LatentOperationTonemapReinhard", {"multiplier": factor}]}
        yield case("LatentApplyOperation", samples=latent(2, 4, 20, 21), operation=operation)
        for sides in ((3, 9, 11), (5, 10, 70), (4, 9, 7), (2, 3, 1)):
            yield case("LatentApplyOperation", samples=latent(2, 4, *sides), operation=operation)


def films():
    """Latents of five dimensions: the application counts the sides from the front."""
    film, small = latent(2, 4, 3, 9, 11), latent(1, 4, 3, 7, 6)
    for method in ("x-axis: vertically", "y-axis: horizontally"):
        yield case("LatentFlip", samples=film, flip_method=method)
        yield case("LatentFlip", samples=latent(1, 4, 10, 9, 9), flip_method=method)
    for turn in ("none", "90 degrees", "180 degrees", "270 degrees"):
        yield case("LatentRotate", samples=film, rotation=turn)
    for size in ({"width": 64, "height": 64, "x": 8, "y": 8}, {"width": 128, "height": 80, "x": 200, "y": 200}):
        yield case("LatentCrop", samples=film, **size)
        yield case("LatentCrop", samples=latent(1, 4, 13, 14, 9), **size)
        yield case("LatentCrop", samples=latent(1, 4, 5, 6), **size)
    bislerp = {"samples": small, "upscale_method": "bislerp"}
    yield named("LatentUpscaleBy", {**bislerp, "scale_by": 1.5}, floats=True)
    yield named("LatentUpscale", {**bislerp, "width": 80, "height": 96, "crop": "center"}, floats=True)
    yield case("LatentUpscaleBy", samples=film, upscale_method="bicubic", scale_by=1.5)
    yield case("LatentBlend", samples1=film, samples2=latent(2, 4, 3, 9, 11, seed=9), blend_factor=0.3)
    yield fails("LatentBlend", samples1=film, samples2=small, blend_factor=0.3)
    one, two, three = latent(1, 4, 8, 9), latent(2, 4, 8, 9, seed=6), latent(3, 4, 8, 9, seed=7)
    yield case("LatentBlend", samples1=one, samples2=three, blend_factor=0.7)
    yield case("LatentBlend", samples1=three, samples2=one, blend_factor=0.7)
    yield case("LatentBlend", samples1=one, samples2=latent(2, 4, 12, 7), blend_factor=0.7)
    yield case("LatentBlend", samples1=two, samples2=latent(2, 1, 8, 9), blend_factor=0.7)
    yield fails("LatentBlend", samples1=two, samples2=three, blend_factor=0.7)
    yield case("TrimVideoLatent", samples=film, trim_amount=9)


def single():
    """A batch of one: the application is content with it."""
    yield named("BatchImagesNode", {"images.image0": image(5, 6, batch=2)})
    yield named("BatchMasksNode", {"masks.mask0": mask(5, 6)})
    yield named("BatchLatentsNode", {"latents.latent0": latent(2, 4, 8, 9)})


def sliced():
    """From 128 rows on the encoder makes slices, as many as there are cores: two up to 191 rows."""
    for height in (128, 150, 190):
        yield named("LTXVPreprocess", {"image": image(height, 70, kind="photo"), "img_compression": 30}, needs="ffmpeg", cores=2)


def newer_cases():
    """What only the newer version does."""
    for index in (-1, -2, -9, 9):
        yield case("ImageFromBatch", image=image(5, 6, batch=4), batch_index=index, length=2)
        yield case("LatentFromBatch", samples=latent(4, 4, 8, 9), batch_index=index, length=2)
    for size, multiple in itertools.product(((37, 50), (50, 37), (64, 64), (5, 90)), (1, 8, 16)):
        resize = {"resize_type": "scale to multiple", "resize_type.multiple": multiple}
        for method in ("area", "bicubic", "lanczos"):
            yield named("ResizeImageMaskNode", {"input": image(*size), **resize, "scale_method": method})
        yield named("ResizeImageMaskNode", {"input": mask(*size), **resize, "scale_method": "bilinear"})
    batch = image(20, 30, batch=3)
    yield case("CenterCropImages", images=batch, width=12, height=40)
    yield case("RandomCropImages", images=batch, width=12, height=9, seed=7)
    yield case("ResizeImagesByShorterEdge", images=batch, shorter_edge=33)
    yield case("ResizeImagesByLongerEdge", images=batch, longer_edge=33)
    yield case("ShuffleDataset", images={"list": [batch, image(9, 8)]}, seed=5)
    yield case("MergeImageLists", images={"list": [batch, image(9, 8)]})
    yield case("ImageDeduplication", images={"list": [batch, batch]}, similarity_threshold=0.9)
    yield case("ImageGrid", images={"list": [batch, image(9, 8)]}, columns=2, cell_width=32, cell_height=40, padding=3)
    yield case("CustomCombo", choice="two", index=4)
    for kernel, operation in itertools.product((4, 6, 8), ("erode", "dilate", "open", "close", "gradient", "bottom_hat", "top_hat")):
        yield case("Morphology", image=image(17, 19), operation=operation, kernel_size=kernel)


def empty_latents():
    sized = [
        "EmptyLatentImage", "EmptySD3LatentImage", "EmptyFlux2LatentImage", "EmptyHunyuanImageLatent",
        "EmptyChromaRadianceLatentImage",
    ]  # fmt: skip
    for name in sized:
        yield case(name, width=144, height=80, batch_size=2)
    films = [
        "EmptyHunyuanLatentVideo", "EmptyHunyuanVideo15Latent", "EmptyMochiLatentVideo", "EmptyLTXVLatentVideo",
        "EmptyCosmosLatentVideo",
    ]  # fmt: skip
    for name in films:
        yield case(name, width=160, height=96, length=25, batch_size=2)
    yield case("EmptyQwenImageLayeredLatentImage", width=144, height=80, layers=3, batch_size=2)
    yield case("EmptyLatentHunyuan3Dv2", resolution=300, batch_size=2)
    yield case("EmptyLatentAudio", seconds=3.3, batch_size=2)
    yield case("EmptyAceStepLatentAudio", seconds=3.3, batch_size=2)
    yield case("StableCascade_EmptyLatentImage", width=1024, height=640, compression=42, batch_size=2)


def sounds():
    one, two = audio(2, 500), audio(2, 700, seed=9)
    for slow, fast in ((22050, 44100), (24000, 48000), (11025, 44100), (44100, 48000), (22050, 48000)):
        low, high = audio(1, 500, rate=slow), audio(2, 700, rate=fast, seed=9)
        yield case("AudioConcat", audio1=low, audio2=high, direction="after")
        yield case("AudioConcat", audio1=high, audio2=low, direction="after")
    for duration, rate in ((0.25, 8000), (0.00003, 44100)):
        yield case("EmptyAudio", duration=duration, sample_rate=rate, channels=2)
    for start, length in ((0.0, 60.0), (0.01, 0.02), (-0.02, 0.01), (-90.0, 0.01)):
        yield case("TrimAudioDuration", audio=one, start_index=start, duration=length)
    yield fails("TrimAudioDuration", audio=one, start_index=0.0, duration=0.0)
    yield case("SplitAudioChannels", audio=one)
    yield fails("SplitAudioChannels", audio=audio(1, 500))
    for direction in ("after", "before"):
        yield case("AudioConcat", audio1=one, audio2=two, direction=direction)
        yield case("AudioConcat", audio1=audio(1, 50), audio2=two, direction=direction)
    for method in ("add", "mean", "subtract", "multiply"):
        yield case("AudioMerge", audio1=one, audio2=two, merge_method=method)
        yield case("AudioMerge", audio1=two, audio2=one, merge_method=method)
    for volume in (-100, -6, 0, 1, 7):
        yield case("AudioAdjustVolume", audio=one, volume=volume)


def values():
    yield case("CustomCombo", choice="anything")
    for switch in (True, False):
        yield case("ComfySwitchNode", switch=switch, on_false=3, on_true="yes")
    for name, values in (
        ("PrimitiveInt", (0, -5, f"{2**63 - 1}n")), ("PrimitiveFloat", (0.1, 3.0)), ("PrimitiveBoolean", (True, False)),
        ("PrimitiveString", ("", "ä")), ("PrimitiveStringMultiline", ("a\nb",)),
    ):  # fmt: skip
        for value in values:
            yield case(name, value=value)


def lists():
    pictures = [image(9, 8, batch=2), image(9, 8, seed=5), image(9, 8, batch=4, seed=6)]
    for size in (1, 2, 3, 90):
        yield case("RebatchImages", images={"list": pictures}, batch_size=size)
        yield case("RebatchImages", images=image(9, 8, batch=3), batch_size=size)
    yield case("RebatchImages", images={"list": pictures}, batch_size={"list": [2, 5]})
    yield fails("RebatchImages", images={"list": [image(9, 8), image(8, 8)]}, batch_size=2)
    plain = [latent(3, 4, 8, 9), latent(2, 4, 8, 9, seed=5), latent(2, 4, 6, 9, seed=6), latent(1, 4, 6, 9, seed=7)]
    masked = [
        latent(3, 4, 8, 9, noise_mask=["levels", 5, 1, 1, 64, 72], batch_index=[7, 3, 9]), latent(2, 4, 8, 9, seed=5),
        latent(1, 4, 8, 9, seed=8, noise_mask=["levels", 6, 1, 1, 64, 72]),
    ]  # fmt: skip
    films = [latent(2, 16, 3, 8, 9), latent(1, 16, 3, 8, 9, seed=5)]
    crowded = latent(1, 4, 8, 9, noise_mask=["levels", 5, 3, 1, 64, 72])
    for size, group in itertools.product((1, 2, 3, 4, 90), (plain, masked, films, [crowded, plain[1]])):
        yield case("RebatchLatents", latents={"list": group}, batch_size=size)
    yield case("RebatchLatents", latents=latent(4, 4, 8, 9), batch_size=3)
    odd = latent(1, 4, 8, 9, noise_mask=["levels", 5, 1, 1, 60, 70])
    yield fails("RebatchLatents", latents={"list": [odd, plain[1]]}, batch_size=90)
    yield fails("RebatchLatents", latents={"list": [plain[0], latent(1, 16, 8, 9)]}, batch_size=90)
    several = [image(20 + at, 30, seed=at % 4) for at in range(7)]
    for seed in (0, 5, f"{2**64 - 1}n"):
        yield case("ShuffleDataset", images={"list": several}, seed=seed)
        texts = {"list": [f"text {at}" for at in range(7)]}
        yield case("ShuffleImageTextDataset", images={"list": several}, texts=texts, seed=seed)
    yield case("ShuffleDataset", images=several[0], seed=3)
    yield fails("ShuffleImageTextDataset", images={"list": several}, texts="one", seed=5)
    yield case("MergeImageLists", images={"list": several})
    alike = [image(40, 30, kind="photo", seed=1), image(40, 30, kind="photo", seed=2), image(33, 30, kind="photo", seed=3)]
    clear = [image(20, 30, 4, seed=4), image(64, 64, kind="smooth", seed=4)]
    for threshold in (0.0, 0.5, 0.7, 0.9, 0.95, 1.0):
        yield case("ImageDeduplication", images={"list": [*alike, *several, *clear]}, similarity_threshold=threshold)
    for columns, padding in ((4, 4), (1, 0), (3, 7), (20, 1)):
        grid = {"columns": columns, "cell_width": 40, "cell_height": 33, "padding": padding}
        yield case("ImageGrid", images={"list": [*several, *clear]}, **grid)
    yield case("ImageGrid", images=several[1], columns=2, cell_width=32, cell_height=32, padding=0)
    yield fails("ImageGrid", images=image(9, 8, batch=2), columns=2, cell_width=32, cell_height=32, padding=0)


def all_cases():
    groups = {
        "scaling": [scaling, resized],
        "colours": [filters, blends, composites, quantized, analysed],
        "arranging": [arranged, masks, compressed, single, sliced],
        "latents": [latents, empty_latents, films],
        "sounds-and-values": [sounds, values],
        "lists": [lists],
    }
    return {group: [case for make in makers for case in make()] for group, makers in groups.items()}
