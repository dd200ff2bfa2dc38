// Saved workflows through the SDK, against the real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestApp, testApp } from "../../server/test/support/test-app.ts";
import { Atelier, AtelierError, type Graph } from "../src/index.ts";

let app: TestApp;
let atelier: Atelier;
before(async () => {
  app = await testApp({ env: { ATELIER_SANDBOX: "off" } });
  atelier = new Atelier({ baseUrl: app.baseUrl, apiKey: app.key });
});
after(() => app.close());

const graph: Graph = { "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0 } } };

test("a text is kept byte for byte, a graph with a seed beyond 2^53 comes back exactly", async () => {
  const text = '{ "1": {"class_type":"EmptyImage", "inputs":{"seed":18446744073709551615}} }';
  const { id } = await atelier.workflows.save("Exact", text, { folder: "sdk", tags: ["one"], note: "first" });
  assert.equal(await atelier.workflows.text(id), text);
  const seeded = { "1": { class_type: "EmptyImage", inputs: { seed: 18446744073709551614n } } };
  await atelier.workflows.saveVersion(id, seeded);
  assert.deepEqual(await atelier.workflows.graph(id), seeded);
  const { changes } = await atelier.workflows.diff(id);
  assert.deepEqual(
    changes.map(({ words }) => words),
    ["EmptyImage (1): seed changed from 18446744073709551615 to 18446744073709551614."],
  );
});

test("a save with an old ETag is refused with 412, and the history can be listed and restored", async () => {
  const saved = await atelier.workflows.save("History", graph);
  const wider = { "1": { ...graph["1"], class_type: "EmptyImage", inputs: { ...graph["1"]?.inputs, width: 128 } } };
  await atelier.workflows.saveVersion(saved.id, wider, { ifMatch: saved.etag });
  const late = atelier.workflows.saveVersion(saved.id, graph, { ifMatch: saved.etag });
  await assert.rejects(late, (error) => error instanceof AtelierError && error.status === 412);
  await atelier.workflows.restore(saved.id, 1, { note: "back" });
  const versions = await Array.fromAsync(atelier.workflows.versions(saved.id));
  assert.deepEqual(
    versions.map(({ version, note }) => [version, note]),
    [
      [3, "back"],
      [2, null],
      [1, null],
    ],
  );
  const copy = await atelier.workflows.duplicate(saved.id, { name: "Copy of History", version: 2 });
  await atelier.workflows.change(saved.id, { archived: true });
  const names = (await Array.fromAsync(atelier.workflows.list({ q: "history" }))).map(({ name }) => name);
  assert.deepEqual(names, [copy.name]);
  await atelier.workflows.delete(saved.id);
});
