// The engine beside the application: the same inputs, and outputs that are the same bit for bit. The expected values were
// made by references/make-references.py, which calls the application's own functions; they carry the versions that made
// them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { classTable } from "../src/classes/class-table.ts";
import { pictureLibraries } from "../src/engine-host.ts";
import { findTool } from "../src/files/ffmpeg.ts";
import { itemsOf, type Value } from "../src/pictures/picture.ts";
import { distanceFrom, madeOf, tensorOf, toldOf } from "./support/reference-inputs.ts";
import { runClass, testContext } from "./support/run-class.ts";

interface Case {
  readonly class: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly fails?: boolean;
  // The engine is known to differ here.
  readonly floats?: boolean;
  // Left out where it is not installed.
  readonly needs?: "ffmpeg";
  readonly outputs: readonly unknown[];
}

interface Difference {
  readonly largest: number;
  readonly reason: string;
}

const groups = ["scaling", "colours", "arranging", "latents", "sounds-and-values", "lists"] as const;

function casesOf(group: string): Map<string, Case[]> {
  const file: { cases: Case[] } = JSON.parse(
    readFileSync(new URL(`../references/${group}.json`, import.meta.url), "utf8"),
  );
  return Map.groupBy(file.cases, (one) => one.class);
}

async function run(name: string, given: object, context = testContext()): Promise<Value[]> {
  const inputs: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) inputs[key] = await madeOf(value, run);
  return runClass(name, inputs, context);
}

const known: Readonly<Record<string, Difference>> = JSON.parse(
  readFileSync(new URL("../references/known-differences.json", import.meta.url), "utf8"),
);

function assertNear(name: string, values: readonly Value[], one: Case): void {
  const allowed = known[name]?.largest ?? 0;
  for (const [index, value] of values.entries()) {
    const expected = tensorOf(one.outputs[index]);
    assert.ok(typeof value === "object" && value.kind !== "video" && value.kind !== "list");
    const distance = distanceFrom(expected, value.data) ?? Number.NaN;
    assert.ok(distance <= allowed, `${name}: ${distance} off, ${JSON.stringify(one.inputs)}`);
  }
}

// A list of one is that one here, and a list there.
function toldAs(name: string, values: readonly Value[]): unknown[] {
  const outputs = classTable.get(name)?.description.outputs ?? [];
  return values.map((value, at) => (outputs[at]?.isList ? { list: itemsOf(value).map(toldOf) } : toldOf(value)));
}

for (const pictureLibrary of pictureLibraries) {
  test(`lanczos takes its passes in the order of ${pictureLibrary}, where that is chosen`, async () => {
    for (const [name, cases] of casesOf(`lanczos-${pictureLibrary}`)) {
      for (const one of cases) {
        const values = await run(name, one.inputs, testContext({ pictureLibrary }));
        assert.deepEqual(values.map(toldOf), one.outputs, JSON.stringify(one.inputs));
      }
    }
  });
}

for (const group of groups) {
  describe(`references: ${group}`, () => {
    for (const [name, cases] of casesOf(group)) {
      test(`${name} gives the application's own values, bit for bit`, async () => {
        for (const one of cases) {
          if (one.needs && findTool(one.needs) === null) continue;
          if (one.fails) {
            await assert.rejects(run(name, one.inputs), { name: "NodeError" }, JSON.stringify(one.inputs));
            continue;
          }
          const values = await run(name, one.inputs);
          if (one.floats) assertNear(name, values, one);
          else assert.deepEqual(toldAs(name, values), one.outputs, JSON.stringify(one.inputs));
        }
      });
    }
  });
}
