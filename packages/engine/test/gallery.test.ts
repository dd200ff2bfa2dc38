// The gallery: every graph runs as written, has its picture, and is shown on the page.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import sharp from "sharp";
import { validateGraph } from "../src/graph/validate-graph.ts";

const folder = join(import.meta.dirname, "../../../examples/gallery");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -".json".length));
const pictures = readdirSync(join(folder, "pictures"));

test("there are twelve graphs, and each of them is valid and needs no file", () => {
  assert.equal(names.length, 12);
  for (const name of names) {
    const graph: unknown = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    const verdict = validateGraph(graph, { fileExists: () => false });
    assert.deepEqual([verdict.ok, verdict.nodeErrors], [true, {}], name);
    assert.deepEqual([...verdict.nodes].sort(), Object.keys(Object(graph)).sort(), `every node of ${name} is used`);
  }
});

test("each has a picture worth looking at, and all of them together are small", async () => {
  assert.deepEqual(pictures.map((file) => file.replace(/\.(png|webp)$/, "")).sort(), [...names].sort());
  for (const file of pictures) {
    const { width, height } = await sharp(join(folder, "pictures", file)).metadata();
    assert.ok(width >= 500 && width <= 800 && height >= 160 && height <= 800, file);
  }
  const bytes = pictures.reduce((sum, file) => sum + statSync(join(folder, "pictures", file)).size, 0);
  assert.ok(bytes <= 3 * 1024 ** 2, `${bytes}`);
});

test("each picture carries its graph, so that it can be run itself", () => {
  for (const file of pictures) {
    const text = readFileSync(join(folder, "pictures", file)).toString("utf8");
    const graph = JSON.parse(readFileSync(join(folder, `${file.replace(/\.\w+$/, "")}.json`), "utf8"));
    for (const { class_type } of Object.values<{ class_type: string }>(graph))
      assert.match(text, new RegExp(`"class_type": ?"${class_type}"`), `${file}: ${class_type}`);
  }
});

test("each has a small picture for the console, which carries its graph too", async () => {
  const small = readdirSync(join(folder, "thumbnails"));
  assert.deepEqual(small.toSorted(), names.map((name) => `${name}.webp`).toSorted());
  for (const file of small) {
    const path = join(folder, "thumbnails", file);
    const { width, height, format } = await sharp(path).metadata();
    assert.deepEqual([width, height, format], [480, 360, "webp"], file);
    const graph = JSON.parse(readFileSync(join(folder, file.replace(".webp", ".json")), "utf8"));
    assert.ok(readFileSync(path).includes(`prompt:${JSON.stringify(graph)}`), `${file} carries its graph`);
  }
  const bytes = small.reduce((sum, file) => sum + statSync(join(folder, "thumbnails", file)).size, 0);
  assert.ok(bytes <= 200_000, `${bytes}`);
});

test("the page shows every picture and leads to every graph", () => {
  const page = readFileSync(join(folder, "README.md"), "utf8");
  for (const file of pictures) assert.ok(page.includes(`](pictures/${file})`), file);
  for (const name of names) assert.ok(page.includes(`](${name}.json)`), name);
});
