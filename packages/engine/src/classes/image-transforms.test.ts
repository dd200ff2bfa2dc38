import assert from "node:assert/strict";
import { test } from "node:test";
import { assertPicture, picture, pixel, runClass, runForImage, runForMask } from "../../test/support/run-class.ts";

const image = picture(7, 5, { seed: 6 });

test("an empty image has its colour in every pixel of every picture", async () => {
  const out = await runForImage("EmptyImage", { width: 4, height: 3, batch_size: 2, color: 0x336699 });
  assertPicture(out, { width: 4, height: 3, batch: 2 }, (_x, _y, channel) => ([0x33, 0x66, 0x99][channel] ?? 0) / 255);
  assert.deepEqual(
    [...out.data.subarray(0, 3)],
    [0x33, 0x66, 0x99].map((level) => Math.fround(level / 255)),
  );
});

test("cropping starts at the last pixel at most and ends at the edge at most", async () => {
  const out = await runForImage("ImageCrop", { image, width: 3, height: 2, x: 2, y: 1 });
  assertPicture(out, { width: 3, height: 2 }, (x, y, channel) => pixel(image, x + 2, y + 1, channel));
  const corner = await runForImage("ImageCrop", { image, width: 9, height: 9, x: 99, y: 99 });
  assertPicture(corner, { width: 1, height: 1 }, (_x, _y, channel) => pixel(image, 6, 4, channel));
});

test("flipping mirrors up and down, or left and right", async () => {
  const upside = await runForImage("ImageFlip", { image, flip_method: "x-axis: vertically" });
  assertPicture(upside, image, (x, y, channel) => pixel(image, x, 4 - y, channel));
  const mirrored = await runForImage("ImageFlip", { image, flip_method: "y-axis: horizontally" });
  assertPicture(mirrored, image, (x, y, channel) => pixel(image, 6 - x, y, channel));
});

test("rotating turns clockwise", async () => {
  const quarter = await runForImage("ImageRotate", { image, rotation: "90 degrees" });
  assertPicture(quarter, { width: 5, height: 7 }, (x, y, channel) => pixel(image, y, 4 - x, channel));
  const half = await runForImage("ImageRotate", { image, rotation: "180 degrees" });
  assertPicture(half, image, (x, y, channel) => pixel(image, 6 - x, 4 - y, channel));
  const three = await runForImage("ImageRotate", { image, rotation: "270 degrees" });
  assertPicture(three, { width: 5, height: 7 }, (x, y, channel) => pixel(image, 6 - y, x, channel));
  assert.equal(await runForImage("ImageRotate", { image, rotation: "none" }), image);
});

test("padding for outpainting is grey, with a mask that fades into the picture by squares", async () => {
  const source = picture(20, 16, { seed: 2 });
  const inputs = { image: source, left: 8, top: 0, right: 0, bottom: 4, feathering: 5 };
  const [padded, mask] = await runClass("ImagePadForOutpaint", inputs);
  assert.ok(typeof padded === "object" && padded.kind === "image" && typeof mask === "object" && mask.kind === "mask");
  const size = { width: 28, height: 20 };
  assertPicture(padded, size, (x, y, channel) => (x < 8 || y >= 16 ? 0.5 : pixel(source, x - 8, y, channel)));
  assertPicture(mask, size, (x, y) => {
    if (x < 8 || y >= 16) return 1;
    const distance = Math.min(x - 8, 16 - y);
    return distance >= 5 ? 0 : ((5 - distance) / 5) ** 2;
  });
});

test("nothing fades where the fade would not fit twice", async () => {
  const [, mask] = await runClass("ImagePadForOutpaint", {
    image,
    left: 1,
    top: 0,
    right: 0,
    bottom: 0,
    feathering: 3,
  });
  assert.ok(typeof mask === "object" && mask.kind === "mask");
  assertPicture(mask, { width: 8, height: 5 }, (x) => (x === 0 ? 1 : 0));
});

test("stitching puts pictures on each side, with an even gap of a colour", async () => {
  const other = picture(4, 5, { seed: 9 });
  const inputs = { image1: image, image2: other, match_image_size: true, spacing_width: 3, spacing_color: "green" };
  const right = await runForImage("ImageStitch", { ...inputs, direction: "right" });
  assertPicture(right, { width: 15, height: 5 }, (x, y, channel) => {
    if (x < 7) return pixel(image, x, y, channel);
    return x < 11 ? (channel === 1 ? 1 : 0) : pixel(other, x - 11, y, channel);
  });
  const left = await runForImage("ImageStitch", { ...inputs, direction: "left", spacing_width: 0 });
  assertPicture(left, { width: 11, height: 5 }, (x, y, channel) =>
    x < 4 ? pixel(other, x, y, channel) : pixel(image, x - 4, y, channel),
  );
  const down = await runForImage("ImageStitch", {
    ...inputs,
    direction: "down",
    match_image_size: false,
    spacing_width: 0,
    spacing_color: "white",
  });
  assertPicture(down, { width: 7, height: 10 }, (x, y, channel) => {
    if (y < 5) return pixel(image, x, y, channel);
    return x >= 1 && x < 5 ? pixel(other, x - 1, y - 5, channel) : 1;
  });
  assert.equal(await runForImage("ImageStitch", { ...inputs, image2: undefined, direction: "right" }), image);
});

test("batches can be joined, repeated and cut, and report their size", async () => {
  const two = picture(7, 5, { seed: 8, batch: 2 });
  const joined = await runForImage("ImageBatch", { image1: image, image2: two });
  assertPicture(joined, { ...image, batch: 3 }, (x, y, channel, index) =>
    index === 0 ? pixel(image, x, y, channel) : pixel(two, x, y, channel, index - 1),
  );
  const repeated = await runForImage("RepeatImageBatch", { image: two, amount: 2 });
  assertPicture(repeated, { ...image, batch: 4 }, (x, y, channel, index) => pixel(two, x, y, channel, index % 2));
  const cut = await runForImage("ImageFromBatch", { image: joined, batch_index: 1, length: 9 });
  assert.deepEqual(cut.data, two.data);
  assert.equal(cut.data.buffer, joined.data.buffer, "a slice of a batch is not a copy");
  assert.deepEqual(await runClass("GetImageSize", { image: two }), [7, 5, 2]);
});

test("the second picture of a batch gets the first's size and an alpha if it needs one", async () => {
  const alpha = picture(4, 4, { channels: 4 });
  const joined = await runForImage("ImageBatch", { image1: alpha, image2: image });
  assert.deepEqual([joined.batch, joined.width, joined.height, joined.channels], [2, 4, 4, 4]);
  assert.equal(pixel(joined, 0, 0, 3, 1), 1);
});

test("a solid mask and an empty image can be one pixel", async () => {
  assert.equal((await runForMask("SolidMask", { value: 1, width: 1, height: 1 })).data.length, 1);
});
