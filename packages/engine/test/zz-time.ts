import { maskOf, picture, runClass } from "./support/run-class.ts";
const p = picture(1024, 1024), q = picture(1024, 1024, { seed: 2 }), m = maskOf(1024, 1024);
const jobs: [string, Record<string, unknown>][] = [
  ["ImageQuantize", { image: p, colors: 32, dither: "floyd-steinberg" }], ["ImageQuantize", { image: p, colors: 16, dither: "bayer-8" }],
  ["ImageAddNoise", { image: p, seed: 5, strength: 0.3 }], ["GrowMask", { mask: m, expand: 10, tapered_corners: true }],
  ["PorterDuffImageComposite", { source: p, source_alpha: m, destination: q, destination_alpha: m, mode: "SRC_OVER" }], ["PorterDuffImageComposite", { source: p, source_alpha: m, destination: q, destination_alpha: m, mode: "OVERLAY" }],
  ["MaskComposite", { destination: m, source: m, x: 0, y: 0, operation: "multiply" }], ["MaskComposite", { destination: m, source: m, x: 0, y: 0, operation: "xor" }],
  ["ImageScale", { image: p, upscale_method: "area", width: 512, height: 512, crop: "disabled" }], ["ImageScale", { image: p, upscale_method: "nearest-exact", width: 2048, height: 2048, crop: "disabled" }],
  ["ImageScale", { image: p, upscale_method: "lanczos", width: 2048, height: 2048, crop: "disabled" }], ["ImageScale", { image: p, upscale_method: "bilinear", width: 2048, height: 2048, crop: "disabled" }],
  ["JoinImageWithAlpha", { image: p, alpha: m }], ["ImageCompositeMasked", { destination: p, source: q, x: 0, y: 0, resize_source: false, mask: m }], ["ImageStitch", { image1: p, image2: q, direction: "right", match_image_size: true, spacing_width: 8, spacing_color: "white" }],
  ["ImageColorToMask", { image: p, color: 5 }], ["FeatherMask", { mask: m, left: 100, top: 100, right: 100, bottom: 100 }], ["ImageBlur", { image: p, blur_radius: 31, sigma: 1 }], ["ImagePadForOutpaint", { image: p, left: 64, top: 64, right: 64, bottom: 64, feathering: 40 }],
  ["ImageInvert", { image: p }], ["ImageFlip", { image: p, flip_method: "y-axis: horizontally" }], ["ImageRotate", { image: p, rotation: "90 degrees" }],
];
for (const [name, inputs] of jobs) { const times: number[] = []; for (let i = 0; i < 3; i++) { const u = process.cpuUsage(); await runClass(name, inputs); const v = process.cpuUsage(u); times.push((v.user + v.system) / 1000); } console.log(name.padEnd(26), times.map((t) => t.toFixed(0).padStart(6)).join(""), Object.values(inputs).filter((x) => typeof x === "string").join(" ")); }
