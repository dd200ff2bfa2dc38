// What was made in a tab: newest first, bounded, without files, and never in the way of the page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  allMade,
  type Made,
  readMade,
  readRunning,
  readStarted,
  withMade,
  writeMade,
  writeRunning,
  writeStarted,
} from "./runs.ts";

const made = (id: string, inputs: Made["inputs"] = {}): Made => ({
  id,
  inputs,
  media: [{ url: `http://content.example/${id}.png`, kind: "image", name: `${id}.png` }],
});

function storeOf() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

describe("made in this tab", () => {
  test("the newest comes first, each once, and old ones leave", () => {
    let list: readonly Made[] = [];
    for (let run = 0; run < 30; run++) list = withMade(list, made(`run-${run}`));
    assert.equal(list.length, 24);
    assert.equal(list[0]?.id, "run-29");
    assert.equal(withMade(list, made("run-29")).length, 24);
  });

  test("a reload finds it again, with integers of any size and without files", () => {
    const store = storeOf();
    const inputs = { seed: 18446744073709551615n, photo: `data:image/png;base64,${"A".repeat(30_000)}` };
    writeMade("w.acme/fox", withMade([], made("a", inputs)), store);
    assert.deepEqual(readMade("w.acme/fox", store)[0]?.inputs, { seed: 18446744073709551615n });
    assert.deepEqual(readMade("w.acme/owl", store), []);
  });

  test("what the server keeps follows what it does not have yet, and nothing is there twice", () => {
    const [here, both, there] = [made("here"), made("both"), made("there")];
    assert.deepEqual(allMade([here, both], [both, there]), [here, both, there]);
    assert.equal(allMade(new Array(20).fill(here), new Array(20).fill(there)).length, 24);
  });

  test("anything else in the storage is ignored", () => {
    const store = storeOf();
    for (const text of ["nonsense", "{}", '[1,{"id":"a"}]', '[{"id":"a","inputs":{},"media":[{}]}]']) {
      store.kept.set("atelier.made.w.acme/fox", text);
      assert.deepEqual(readMade("w.acme/fox", store), [], text);
    }
    assert.deepEqual(readMade("w.acme/fox", null), []);
  });

  test("the call that runs is found again until it has ended", () => {
    const store = storeOf();
    const id = "0198a1de-0000-7000-8000-000000000001";
    writeRunning("w.acme/fox", id, store);
    assert.equal(readRunning("w.acme/fox", store), id);
    writeRunning("w.acme/fox", null, store);
    assert.equal(readRunning("w.acme/fox", store), null);
  });

  test("a run without an id yet keeps its key and inputs; one too large for the storage leaves no older one behind", () => {
    const store = storeOf();
    const started = { key: "a key", inputs: { seed: 18446744073709551615n } };
    writeStarted("w.acme/fox", started, store);
    assert.deepEqual(readStarted("w.acme/fox", store), started);
    const full = { ...store, setItem: () => assert.fail("no room") };
    writeStarted("w.acme/fox", { key: "another", inputs: {} }, full);
    assert.equal(readStarted("w.acme/fox", store), null);
    for (const text of ["nonsense", "[]", '{"key":1,"inputs":{}}', '{"key":"a"}']) {
      store.kept.set("atelier.started.w.acme/fox", text);
      assert.equal(readStarted("w.acme/fox", store), null, text);
    }
  });
});
