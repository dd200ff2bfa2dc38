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
    description: "Scales to a size; 0 keeps the shape on that side.",
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
