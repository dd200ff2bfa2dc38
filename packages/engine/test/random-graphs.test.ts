// Two thousand random graphs of picture and mask classes, drawn here and in the application from the same seeds: every
// one ends in the same bytes. references/random_graphs.py says how they are drawn.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { ApplicationProfile } from "../src/application-profile.ts";
import type { Mask, Picture } from "../src/pictures/picture.ts";
import { hashOf, makeInputs } from "./support/reference-inputs.ts";
import { runClass, testContext } from "./support/run-class.ts";

type Choices = readonly unknown[] | { readonly from: "image" | "mask" };

interface Spec {
  readonly sizes: readonly (readonly [number, number])[];
  readonly kinds: readonly string[];
  readonly classes: readonly (readonly [string, Readonly<Record<string, Choices>>])[];
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../references/${name}`, import.meta.url), "utf8"));
const spec: Spec = read("random-classes.json");
const { graphs }: { readonly graphs: readonly (readonly [steps: number, hash: string])[] } = read("random-graphs.json");
// Graphs that end differently in the application's newer version.
const { graphs: newer }: { readonly graphs: readonly (readonly [seed: number, steps: number, hash: string])[] } =
  read("application-0.30.json");
const lengths = [3, 4, 5, 6] as const;

function lotsOf(seed: number): <Item>(items: readonly Item[]) => Item {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return (items) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const item = items[(state >>> 8) % items.length];
    assert.ok(item !== undefined);
    return item;
  };
}

const isPlane = (value: unknown): value is Picture | Mask =>
  typeof value === "object" && value !== null && "kind" in value && (value.kind === "image" || value.kind === "mask");

async function resultOf(
  seed: number,
  steps: number,
  profile: ApplicationProfile,
): Promise<{ hash: string; names: string }> {
  const lots = lotsOf(seed);
  const pool: { image: unknown[]; mask: unknown[] } = { image: [], mask: [] };
  const none = () => Promise.reject(new Error("no operation"));
  for (const index of [0, 1]) {
    const picture = lots(spec.sizes);
    pool.image.push(await makeInputs({ image: [lots(spec.kinds), seed + index, 1, ...picture, 3] }, none));
    pool.mask.push(await makeInputs({ mask: ["levels", seed + index + 7, 1, ...lots(spec.sizes)] }, none));
  }
  lots(lengths);
  let hash = "";
  const names: string[] = [];
  for (let step = 0; step < steps; step++) {
    const [name, choices] = lots(spec.classes);
    const inputs = Object.fromEntries(
      Object.entries(choices).map(([key, from]) => [key, "from" in from ? lots(pool[from.from]) : lots(from)]),
    );
    names.push(name);
    const values = await runClass(name, inputs, testContext({ profile }));
    for (const [index, value] of values.entries()) {
      if (!isPlane(value)) continue;
      if (index === 0) hash = hashOf(value.data).slice(0, 8);
      if (value.kind === "mask" || value.channels === 3) pool[value.kind].push(value);
    }
  }
  return { hash, names: names.join(" → ") };
}

test("random graphs end in the application's own bytes", async () => {
  assert.equal(graphs.length, 2000);
  for (const [index, [steps, hash]] of graphs.entries()) {
    if (steps === 0) continue;
    const result = await resultOf(index + 1, steps, "0.7");
    assert.equal(result.hash, hash, `seed ${index + 1}: ${result.names}`);
  }
});

test("random graphs that end differently in the application's 0.30 do so here, and are as many", async () => {
  assert.ok(newer.length > 200, `${newer.length}`);
  for (const [seed, steps, hash] of newer) {
    if (steps === 0) continue;
    const result = await resultOf(seed, steps, "0.30");
    assert.equal(result.hash, hash, `seed ${seed}: ${result.names}`);
  }
});
