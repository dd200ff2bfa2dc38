// Names in a graph, over HTTP: kept if possible, refused by name if not, never an internal error.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer } from "./support/app-client.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
before(async () => {
  app = await testApp({ env: { ATELIER_ENGINE_SLOTS: "0" } });
});
after(() => app.close());

const inputs = { width: 16, height: 16, batch_size: 1, color: 7 };
const picture = { class_type: "EmptyImage", inputs };
const save = (from: string) => ({ class_type: "SaveImage", inputs: { images: [from, 0], filename_prefix: "a" } });
const huge = "x".repeat(1_000_000);

test("ids, classes and names of inputs with U+0000 or beyond 255 characters are 422, and are not sent back whole", async () => {
  const graphs: readonly (readonly [RegExp, object])[] = [
    [/id .*U\+0000/, { "a\0b": picture, "2": save("a\0b") }],
    [/id .*255/, { [huge]: picture, "2": save(huge) }],
    [/id .*255/, { ["y".repeat(256)]: picture }],
    [/class .*U\+0000/, { "1": { class_type: "Empty\0Image", inputs } }],
    [/class .*255/, { "1": { class_type: huge, inputs } }],
    [/input .*U\+0000/, { "1": { class_type: "EmptyImage", inputs: { ...inputs, "\0": 1 } } }],
    [/input .*255/, { "1": { class_type: "EmptyImage", inputs: { ...inputs, [huge]: 1 } } }],
  ];
  const submit = (workflow: object) =>
    app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body: { workflow } });
  for (const [words, workflow] of graphs) {
    const answer = await submit(workflow);
    assert.equal(answer.status, 422, answer.text.slice(0, 300));
    assert.match(answer.text, words);
    assert.match(answer.text, /"code":"invalid_workflow"/);
    assert.ok(answer.text.length < 1_000);
  }
  const longest = "y".repeat(255);
  const taken = await submit({ [longest]: picture, "2": save(longest) });
  assert.equal(taken.status, 201, taken.text);
});
