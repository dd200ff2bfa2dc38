import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInClasses } from "./built-in-classes.ts";
import { describeClasses } from "./describe-classes.ts";

const info = describeClasses(builtInClasses, ["a.png"]);

test("every class is described in the application's shape", () => {
  assert.deepEqual(info["ImageScale"], {
    input: {
      required: {
        image: ["IMAGE", {}],
        upscale_method: [["nearest-exact", "bilinear", "area", "bicubic", "lanczos"], {}],
        width: ["INT", { default: 512, min: 0, max: 16384, step: 1 }],
        height: ["INT", { default: 512, min: 0, max: 16384, step: 1 }],
        crop: [["disabled", "center"], {}],
      },
    },
    input_order: { required: ["image", "upscale_method", "width", "height", "crop"] },
    output: ["IMAGE"],
    output_is_list: [false],
    output_name: ["IMAGE"],
    name: "ImageScale",
    display_name: "Upscale Image",
    description: "Scales to a size; 0 for one side keeps the aspect ratio.",
    python_module: "nodes",
    category: "image/upscaling",
    output_node: false,
  });
});

test("optional, hidden and file inputs, and output nodes, are marked", () => {
  assert.deepEqual(info["ImageCompositeMasked"]?.input.optional, { mask: ["MASK", {}] });
  assert.deepEqual(info["SaveImage"]?.input.hidden, { prompt: "PROMPT", extra_pnginfo: "EXTRA_PNGINFO" });
  assert.equal(info["SaveImage"]?.output_node, true);
  assert.deepEqual(info["LoadImage"]?.input.required["image"], [["a.png"], { image_upload: true }]);
  assert.deepEqual(info["ImageAddNoise"]?.input.required["seed"]?.[1]["control_after_generate"], true);
  assert.equal(info["LoadImageOutput"]?.experimental, true);
});

test("every default lies in its range and on its list, and every name is given once", () => {
  for (const { name, inputs } of builtInClasses.values()) {
    assert.equal(new Set(inputs.map((input) => input.name)).size, inputs.length, name);
    for (const input of inputs) {
      if (input.type === "INT" || input.type === "FLOAT")
        assert.ok(input.default >= input.min && input.default <= input.max, name);
      if (input.type === "COMBO" && input.default !== undefined)
        assert.ok(input.options?.includes(input.default), name);
    }
  }
  assert.deepEqual(JSON.parse(JSON.stringify(info)), info);
});

// The application's weight-free classes: inputs in order, optional ones in brackets, then the outputs.
const published = `
EmptyImage width height batch_size color -> IMAGE
LoadImage image -> IMAGE MASK
LoadImageMask image channel -> MASK
LoadImageOutput image -> IMAGE MASK
SolidMask value width height -> MASK
EmptyLatentImage width height batch_size -> LATENT
EmptyAudio duration sample_rate channels -> AUDIO
LoadAudio audio -> AUDIO
LoadVideo file -> VIDEO
LoadLatent latent -> LATENT
PrimitiveInt value -> INT
PrimitiveFloat value -> FLOAT
PrimitiveString value -> STRING
PrimitiveBoolean value -> BOOLEAN
ImageScale image upscale_method width height crop -> IMAGE
ImageScaleBy image upscale_method scale_by -> IMAGE
ImageScaleToTotalPixels image upscale_method megapixels resolution_steps -> IMAGE
ImageScaleToMaxDimension image upscale_method largest_size -> IMAGE
ImageInvert image -> IMAGE
ImageBatch image1 image2 -> IMAGE
ImagePadForOutpaint image left top right bottom feathering -> IMAGE MASK
ImageCrop image width height x y -> IMAGE
ImageFlip image flip_method -> IMAGE
ImageRotate image rotation -> IMAGE
ImageBlend image1 image2 blend_factor blend_mode -> IMAGE
ImageBlur image blur_radius sigma -> IMAGE
ImageSharpen image sharpen_radius sigma alpha -> IMAGE
ImageQuantize image colors dither -> IMAGE
ImageStitch image1 direction match_image_size spacing_width spacing_color [image2] -> IMAGE
ImageAddNoise image seed strength -> IMAGE
ResizeAndPadImage image target_width target_height padding_color interpolation -> IMAGE
RepeatImageBatch image amount -> IMAGE
ImageFromBatch image batch_index length -> IMAGE
GetImageSize image -> INT INT INT
ImageCompositeMasked destination source x y resize_source [mask] -> IMAGE
MaskToImage mask -> IMAGE
ImageToMask image channel -> MASK
ImageColorToMask image color -> MASK
InvertMask mask -> MASK
CropMask mask x y width height -> MASK
MaskComposite destination source x y operation -> MASK
GrowMask mask expand tapered_corners -> MASK
FeatherMask mask left top right bottom -> MASK
SplitImageWithAlpha image -> IMAGE MASK
JoinImageWithAlpha image alpha -> IMAGE
PorterDuffImageComposite source source_alpha destination destination_alpha mode -> IMAGE MASK
LatentFlip samples flip_method -> LATENT
StringConcatenate string_a string_b delimiter -> STRING
CreateVideo images fps [audio] -> VIDEO
GetVideoComponents video -> IMAGE AUDIO FLOAT
SaveImage images filename_prefix ->
PreviewImage images ->
SaveAnimatedWEBP images filename_prefix fps lossless quality method ->
SaveAnimatedPNG images filename_prefix fps compress_level ->
SaveVideo video filename_prefix format codec ->
SaveWEBM images filename_prefix codec fps crf ->
SaveAudio audio filename_prefix ->
SaveAudioMP3 audio filename_prefix quality ->
SaveLatent samples filename_prefix ->
PreviewAny source ->
SaveImageWebsocket images ->`;

test("the application's classes have its inputs, in its order, and its outputs", () => {
  for (const line of published.trim().split("\n")) {
    const [name = "", ...words] = line.trim().split(" ");
    const entry = info[name];
    assert.ok(entry, name);
    const required = entry.input_order["required"] ?? [];
    const optional = (entry.input_order["optional"] ?? []).map((input) => `[${input}]`);
    assert.deepEqual([...required, ...optional, "->", ...entry.output], words, name);
    assert.equal(entry.output_node, entry.output.length === 0, name);
  }
});

test("choices and ranges are the application's", () => {
  const required = (name: string) => info[name]?.input.required ?? {};
  assert.deepEqual(required("ImageFlip")["flip_method"]?.[0], ["x-axis: vertically", "y-axis: horizontally"]);
  assert.deepEqual(required("ImageRotate")["rotation"]?.[0], ["none", "90 degrees", "180 degrees", "270 degrees"]);
  assert.deepEqual(required("LoadImageMask")["channel"]?.[0], ["alpha", "red", "green", "blue"]);
  assert.deepEqual(required("SaveAnimatedWEBP")["method"]?.[0], ["default", "fastest", "slowest"]);
  assert.deepEqual(required("SaveVideo")["format"]?.[0].slice(0, 2), ["auto", "mp4"]);
  assert.deepEqual(required("SaveWEBM")["codec"]?.[0], ["vp9", "av1"]);
  assert.deepEqual(required("SaveAudioMP3")["quality"]?.[0], ["V0", "128k", "320k"]);
  const range = (name: string, input: string) => {
    const { min, max } = required(name)[input]?.[1] ?? {};
    return [min, max];
  };
  assert.deepEqual(range("ImageBlur", "blur_radius"), [1, 31]);
  assert.deepEqual(range("ImageScaleBy", "scale_by"), [0.01, 8]);
  assert.deepEqual(range("EmptyImage", "color"), [0, 0xffffff]);
  assert.deepEqual(range("EmptyLatentImage", "width"), [16, 16384]);
});
