import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nodeOutputs } from "./node-outputs.ts";

const file = (filename: string, subfolder = "", type = "output") => ({ filename, subfolder, type });
const read = (output: Parameters<typeof nodeOutputs>[0]) =>
  nodeOutputs(output).map((each) => [each.kind, each.name, each.kind === "file" ? each.contentType : each.text]);

test("a file's type comes from its extension, whatever key it is listed under", () => {
  assert.deepEqual(read({ images: [file("x_00001_.mp4", "video")], animated: [true] }), [
    ["file", "video/x_00001_.mp4", "video/mp4"],
  ]);
  assert.deepEqual(read({ images: [file("a.PNG"), file("w.webm")] }), [
    ["file", "a.PNG", "image/png"],
    ["file", "w.webm", "video/webm"],
  ]);
  assert.deepEqual(read({ audio: [file("x.flac", "audio")] }), [["file", "audio/x.flac", "audio/flac"]]);
  assert.deepEqual(read({ latents: [file("x.latent")] }), [["file", "x.latent", "application/octet-stream"]]);
  assert.deepEqual(read({ "3d": [file("mesh.glb", "3d")] }), [["file", "3d/mesh.glb", "model/gltf-binary"]]);
  assert.deepEqual(read({ gifs: [{ ...file("v.mp4"), format: "video/h264-mp4" }] }), [["file", "v.mp4", "video/mp4"]]);
  assert.deepEqual(read({ odd: [file("thing.xyz")] }), [["file", "thing.xyz", null]]);
});

test("texts become text files, in order", () => {
  assert.deepEqual(read({ text: ["hello", "", "wörld"] }), [
    ["text", "text_1.txt", "hello"],
    ["text", "text_2.txt", ""],
    ["text", "text_3.txt", "wörld"],
  ]);
  assert.deepEqual(read({ text: "alone" }), [["text", "text_1.txt", "alone"]]);
});

test("a model shown by name is tried, and other words are ignored", () => {
  const shown = nodeOutputs({ result: ["3d/mesh.glb [output]", null, "temp/bg.png [temp]", "just words"] });
  assert.deepEqual(
    shown.map((each) => [each.name, each.kind === "file" && each.isGuess]),
    [["3d/mesh.glb", true]],
  );
});

test("shown inputs and flags are not results, and previews are marked as such", () => {
  const output = { images: [file("t.png", "", "temp"), file("i.png", "", "input")], animated: [true], tags: ["a"] };
  const [preview, ...others] = nodeOutputs(output);
  assert.deepEqual(others, []);
  assert.ok(preview?.kind === "file" && preview.isGuess, "an application may have thrown it away");
  assert.deepEqual(preview.location, { name: "t.png", subfolder: "", folder: "temp" });
});

test("a name that leaves its folder is ignored", () => {
  for (const [name, folder] of [
    ["../a.png", ""],
    ["a.png", ".."],
    ["a.png", "x/../../y"],
    ["", ""],
    ["x".repeat(600), "y".repeat(600)],
  ] as const)
    assert.deepEqual(nodeOutputs({ images: [file(name, folder)] }), [], JSON.stringify([name, folder]));
  assert.deepEqual(read({ images: [file("a.png", "one\\two")] }), [["file", "one/two/a.png", "image/png"]]);
});

test("a name that no asset may have is put right, and the application is asked for the one it gave", () => {
  for (const [name, folder, kept] of [
    ["pic.png", "out ", "out/pic.png"],
    [" pic.png ", "", "pic.png"],
    ["a\n.png", "", "a_.png"],
    ["\u202egnp.exe", "", "_gnp.exe"],
    ["C:pic.png", "", "C_pic.png"],
    ["...", "x", "x/_"],
    [`${"é".repeat(200)}.png`, "", `${"é".repeat(125)}.png`],
  ] as const) {
    const [found] = nodeOutputs({ images: [file(name, folder)] });
    assert.deepEqual(
      [found?.name, found?.kind === "file" && found.location],
      [kept, { name, subfolder: folder, folder: "output" }],
    );
  }
});

test("any node output keeps names inside their folder and the number bounded", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string(),
        fc.oneof(fc.jsonValue(), fc.array(fc.record({ filename: fc.string(), subfolder: fc.string() }))),
      ),
      (output) => {
        for (const each of nodeOutputs(output)) {
          assert.ok(Buffer.byteLength(each.name) <= 1_024 && !/^[A-Za-z]:|\\|\p{Cc}/u.test(each.name));
          for (const part of each.name.split("/")) {
            assert.ok(part.trim() === part && !/^\.*$/.test(part) && Buffer.byteLength(part) <= 255, each.name);
          }
        }
      },
    ),
  );
});
