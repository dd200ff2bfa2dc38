// The engine against the application: the same inputs give the same outputs, bit for bit. references/make-references.py
// made the expected values by calling the application's own functions; they carry the versions that made them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { describe, test } from "node:test";
import { type ApplicationProfile, applicationProfiles } from "../src/application-profile.ts";
import { classTableOf } from "../src/classes/class-table.ts";
import { findTool } from "../src/files/ffmpeg.ts";
import { itemsOf, type Value } from "../src/pictures/picture.ts";
import { distanceFrom, makeInputs, summarize, tensorOf } from "./support/reference-inputs.ts";
import { runClass, testContext } from "./support/run-class.ts";

interface Case {
  readonly class: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly fails?: boolean;
  // The engine is known to differ here.
  readonly floats?: boolean;
  // Skipped if this is not installed.
  readonly needs?: "ffmpeg";
  // How many cores the application had: an encoder makes that many slices.
  readonly cores?: number;
  readonly outputs: readonly unknown[];
}

interface Difference {
  readonly largest: number;
  readonly reason: string;
}

const groups = ["scaling", "colours", "arranging", "latents", "sounds-and-values", "lists"] as const;

function casesIn(file: string, member: "cases" | "only" = "cases"): Case[] {
  const text = readFileSync(new URL(`../references/${file}`, import.meta.url), "utf8");
  const parsed: Readonly<Record<"cases" | "only", Case[]>> = JSON.parse(text);
  return parsed[member];
}

const keyOf = (one: Case): string => JSON.stringify([one.class, one.inputs]);
// The newer version's own values, if they differ; and cases that only it has.
const newer = new Map(casesIn("application-0.30.json").map((one) => [keyOf(one), one]));
const newerOnly = casesIn("application-0.30.json", "only");

function casesOf(group: string, profile: ApplicationProfile): Map<string, Case[]> {
  const older = casesIn(`${group}.json`);
  const cases = profile === "0.7" ? older : older.map((one) => newer.get(keyOf(one)) ?? one);
  return Map.groupBy(cases, (one) => one.class);
}

function runner(profile: ApplicationProfile) {
  return async function run(name: string, given: object): Promise<Value[]> {
    const inputs: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(given)) inputs[key] = await makeInputs(value, run);
    return runClass(name, inputs, testContext({ profile }));
  };
}

const known: Readonly<Record<string, Difference>> = JSON.parse(
  readFileSync(new URL("../references/known-differences.json", import.meta.url), "utf8"),
);

function assertNear(name: string, values: readonly Value[], one: Case): void {
  const allowed = known[name]?.largest ?? 0;
  for (const [index, value] of values.entries()) {
    const expected = tensorOf(one.outputs[index]);
    assert.ok(typeof value === "object" && "data" in value);
    const distance = distanceFrom(expected, value.data) ?? Number.NaN;
    assert.ok(distance <= allowed, `${name}: ${distance} off, ${JSON.stringify(one.inputs)}`);
  }
}

// A list of one item is the item itself here, and a list there.
function summarizeOutputs(name: string, values: readonly Value[], profile: ApplicationProfile): unknown[] {
  const outputs = classTableOf(profile).get(name)?.description.outputs ?? [];
  return values.map((value, at) => (outputs[at]?.isList ? { list: itemsOf(value).map(summarize) } : summarize(value)));
}

async function compare(name: string, cases: readonly Case[], profile: ApplicationProfile): Promise<void> {
  const run = runner(profile);
  for (const one of cases) {
    if (one.needs && findTool(one.needs) === null) continue;
    if (one.cores !== undefined && availableParallelism() < one.cores) continue;
    if (one.fails) {
      await assert.rejects(run(name, one.inputs), { name: "NodeError" }, JSON.stringify(one.inputs));
      continue;
    }
    const values = await run(name, one.inputs);
    if (one.floats) assertNear(name, values, one);
    else assert.deepEqual(summarizeOutputs(name, values, profile), one.outputs, JSON.stringify(one.inputs));
  }
}

for (const profile of applicationProfiles) {
  for (const group of groups) {
    describe(`references of ${profile}: ${group}`, () => {
      for (const [name, cases] of casesOf(group, profile)) {
        test(`${name} gives the values of the application's ${profile}, bit for bit`, () =>
          compare(name, cases, profile));
      }
    });
  }
}

describe("references of 0.30 alone", () => {
  for (const [name, cases] of Map.groupBy(newerOnly, (one) => one.class)) {
    test(`${name} does what only the application's 0.30 does, bit for bit`, () => compare(name, cases, "0.30"));
  }
});
