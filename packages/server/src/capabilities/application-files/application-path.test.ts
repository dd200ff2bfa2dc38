import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  applicationRoots,
  isModelPath,
  modelFolders,
  nameInGraph,
  readApplicationPath,
  requireApplicationPath,
} from "./application-path.ts";

const codeOf = (run: () => unknown): string => {
  try {
    run();
    return "nothing";
  } catch (thrown) {
    return thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
  }
};

test("a file below one of the four folders has a place, every other name has none", () => {
  assert.deepEqual(readApplicationPath("output/a/b.png"), { root: "output", segments: ["a", "b.png"] });
  for (const name of ["a.png", "input", "models", "custom_nodes/x.py", "inputs/a.png", "Input/a.png", "user/x"])
    assert.equal(readApplicationPath(name), null, name);
});

test("what leads out, is absolute or lies elsewhere cannot be registered", () => {
  for (const name of [
    "input/../../etc/passwd",
    "output/..",
    "/etc/passwd",
    "input//etc",
    "C:/x",
    "input\\x",
    "custom_nodes/x.py",
    "input",
    "input/a\u0000b",
    "",
  ])
    assert.equal(
      codeOf(() => requireApplicationPath(name)),
      "validation_failed",
      name,
    );
});

test("every accepted path stays below its folder", () => {
  const piece = fc.oneof(fc.constantFrom("..", ".", "", "a", "b c", "...", "x.png", "\\", "\u0000"), fc.string());
  fc.assert(
    fc.property(fc.constantFrom(...applicationRoots, "other"), fc.array(piece, { maxLength: 5 }), (root, pieces) => {
      try {
        const { segments } = requireApplicationPath([root, ...pieces].join("/"));
        assert.ok(segments.every((segment) => segment !== "" && segment !== "." && segment !== ".."));
        assert.ok(segments.every((segment) => !/[/\\\0]/.test(segment)));
      } catch (thrown) {
        assert.equal(thrown instanceof Error && "code" in thrown ? thrown.code : thrown, "validation_failed");
      }
    }),
  );
});

describe("a model", () => {
  test("is a safetensors file in a folder for weights", () => {
    for (const folder of modelFolders) assert.equal(isModelPath(`models/${folder}/x.safetensors`), true);
    assert.equal(isModelPath("models/loras/styles/x.safetensors"), true);
    for (const name of ["a.png", "input/x.safetensors", "modelsx/loras/x.safetensors"])
      assert.equal(isModelPath(name), false, name);
  });
  test("is never a configuration, code, another format, a bare folder or hidden", () => {
    for (const name of [
      "models/configs/x.safetensors",
      "models/custom_nodes/x.safetensors",
      "models/x.safetensors",
      "models/loras",
      "models/loras/x.ckpt",
      "models/loras/x.pt",
      "models/loras/x.safetensors.pkl",
      "models/loras/x.SAFETENSORS",
      "models/loras/.safetensors",
      "models/loras/.hidden/x.safetensors",
    ])
      assert.equal(
        codeOf(() => isModelPath(name)),
        "validation_failed",
        name,
      );
  });
});

test("a graph names a file as the application's loaders do", () => {
  const named = (path: string) => nameInGraph(requireApplicationPath(path));
  assert.equal(named("input/sub/a.png"), "sub/a.png");
  assert.equal(named("output/sub/a.png"), "sub/a.png [output]");
  assert.equal(named("temp/a.png"), "a.png [temp]");
  assert.equal(named("models/checkpoints/x/y.safetensors"), "x/y.safetensors");
});
