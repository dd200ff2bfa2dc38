import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault, isPassingFault } from "../../../foundation/fault.ts";
import type { RunOutput } from "../../graph-runs/index.ts";
import { OutputCollector, TooManyOutputs } from "./collect-outputs.ts";

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function aCollector() {
  const kept: string[] = [];
  const collector = new OutputCollector({
    application: { view: async (location) => ({ body: bytes(location.name), contentType: "image/png" }) },
    output: async (output: RunOutput) => void kept.push(`${output.nodeId} ${output.index} ${output.name}`),
    signal: new AbortController().signal,
  });
  return { collector, kept };
}

const saved = (filename: string) => ({ images: [{ filename, subfolder: "", type: "output" }] });

test("a file reported repeatedly is one output, and the files of a node are numbered", async () => {
  const { collector, kept } = aCollector();
  collector.take("3", saved("a_1.png"), true);
  collector.take("3", saved("a_1.png"), true);
  collector.take("3", saved("a_2.png"), true);
  await collector.finish();
  assert.deepEqual(kept, ["3 0 a_1.png", "3 1 a_2.png"]);
});

test("a file that could not be kept for a trouble of ours is asked of the application once more", async () => {
  const kept: string[] = [];
  let views = 0;
  const collector = new OutputCollector({
    application: {
      async view(location) {
        views += 1;
        return { body: bytes(`${location.name} ${views}`), contentType: "image/png" };
      },
    },
    async output({ open }) {
      for (let tries = 1; ; tries++) {
        try {
          for await (const chunk of await open()) kept.push(Buffer.from(chunk).toString());
          if (tries === 1) throw new Fault("service_unavailable", "The database is away.");
          return;
        } catch (error) {
          if (!isPassingFault(error)) throw error;
        }
      }
    },
    signal: new AbortController().signal,
  });
  collector.take("3", saved("a_1.png"), true);
  await collector.finish();
  assert.deepEqual(kept, ["a_1.png 1", "a_1.png 2"]);
});

test("a graph run again within an attempt makes the same outputs, though its files have new names", async () => {
  const { collector, kept } = aCollector();
  collector.take("3", saved("a_1.png"), true);
  await collector.again();
  collector.take("3", saved("a_2.png"), true);
  await collector.finish();
  // The second replaces the first: only one is kept.
  assert.deepEqual(kept, ["3 0 a_1.png", "3 0 a_2.png"]);
});

test("a flood of results fails the run, a flood of live outputs is cut, and odd node ids are cleaned", async () => {
  const many = (count: number) => ({ text: Array.from({ length: count }, (_, index) => `text ${index}`) });
  const flooded = aCollector();
  flooded.collector.take("1", many(10_000), true);
  flooded.collector.take("2", many(1), true);
  await assert.rejects(flooded.collector.finish(), TooManyOutputs);
  assert.deepEqual(flooded.kept, [], "nobody waits for the first ten thousand");
  const chatty = aCollector();
  chatty.collector.take("1", many(10_000), false);
  chatty.collector.take("2", many(1), false);
  await chatty.collector.finish();
  assert.equal(chatty.kept.length, 10_000);
  const strange = aCollector();
  strange.collector.take(`\0${"n".repeat(300)}`, many(1), true);
  strange.collector.take("\0", many(1), true);
  await strange.collector.finish();
  assert.deepEqual(strange.kept, [`${"n".repeat(255)} 0 text_1.txt`, "? 0 text_1.txt"]);
});
