import assert from "node:assert/strict";
import { test } from "node:test";
import { runClass, testContext } from "../../test/support/run-class.ts";

const graph = { "1": { class_type: "SaveSVGNode", inputs: { note: "a ]]> b" } } };
const svg = (text: string) => Buffer.from(text);
const picture = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="8"><path d="M0 0"/></svg>';

test("vector pictures are saved one by one with the graph inside, and handed on unchanged", async () => {
  const context = testContext({ graph });
  const value = { kind: "file", format: "svg", contents: [svg(picture), svg("<svg></svg>")] } as const;
  assert.deepEqual(await runClass("SaveSVGNode", { svg: value, filename_prefix: "svg/mine" }, context), [value]);
  assert.deepEqual(
    context.saved.map(({ name, subfolder, kind, contentType }) => [name, subfolder, kind, contentType]),
    [
      ["mine_00001_.svg", "svg", "image", "image/svg+xml"],
      ["mine_00002_.svg", "svg", "image", "image/svg+xml"],
    ],
  );
  const [first = "", second = ""] = context.saved.map(({ bytes }) => Buffer.from(bytes).toString());
  assert.match(first, /^<\?xml version="1.0"\?><svg [^>]*width="8">\n<metadata><!\[CDATA\[\n\{"prompt": /);
  assert.ok(first.endsWith('<path d="M0 0"/></svg>') && second.endsWith("</metadata>\n</svg>"));
  const inside = first.slice(first.indexOf("<![CDATA["), first.indexOf("</metadata>"));
  assert.equal(inside.split("]]>").length, 3, "the graph's own ]]> is divided between two sections");
});

test("a 3D model is saved as it came, under the name of each class", async () => {
  const value = { kind: "file", format: "glb", contents: [Buffer.from("glTF…")] } as const;
  const context = testContext();
  assert.deepEqual(await runClass("SaveGLB", { mesh: value, filename_prefix: "3d/a" }, context), []);
  const sized = { width: 640, height: 480, camera_info: { fov: 35 } };
  const handed = await runClass("Save3DAdvanced", { model_3d: value, filename_prefix: "3d/b", ...sized }, context);
  assert.deepEqual(handed, [value, { kind: "data", json: null }, { kind: "data", json: { fov: 35 } }, 640, 480]);
  await runClass("Preview3D", { model_file: value }, context);
  assert.deepEqual(
    context.saved.map(({ name, folder, kind, contentType, bytes }) => [name, folder, kind, contentType, `${bytes}`]),
    [
      ["a_00001_.glb", "output", "file", "model/gltf-binary", "glTF…"],
      ["b_00001.glb", "output", "file", "model/gltf-binary", "glTF…"],
      ["preview3d_00001_.glb", "temp", "file", "model/gltf-binary", "glTF…"],
    ],
  );
});

test("a vector picture is no 3D model, and a path is no file", async () => {
  const value = { kind: "file", format: "svg", contents: [svg(picture)] } as const;
  await assert.rejects(async () => runClass("SaveGLB", { mesh: value }), /Expected a 3D model/);
  await assert.rejects(async () => runClass("Preview3D", { model_file: "3d/a.glb" }), /expected a file/);
  const model = { ...value, format: "glb" };
  await assert.rejects(async () => runClass("SaveSVGNode", { svg: model }), /Expected an SVG/);
});
