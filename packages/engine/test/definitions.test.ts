// Compares the application's object_info of each class with ours: names, order, kinds, limits, defaults, outputs. The
// sentences are ours, and so is the default prefix of file names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { type ApplicationProfile, applicationProfiles } from "../src/application-profile.ts";
import { builtInClassesOf } from "../src/graph/built-in-classes.ts";
import { describeClasses, type ObjectInfoEntry } from "../src/graph/describe-classes.ts";

interface Definition {
  readonly required: readonly (readonly [string, readonly unknown[]])[];
  readonly optional: readonly (readonly [string, readonly unknown[]])[];
  readonly output: readonly string[];
  readonly output_name: readonly string[];
  readonly output_is_list: readonly boolean[];
  readonly input_is_list: boolean;
  readonly display_name: string;
  readonly category: string;
  readonly output_node: boolean;
  readonly deprecated: boolean;
  readonly experimental: boolean;
}

type Definitions = Readonly<Record<string, Definition>>;

const definitionsIn = (file: string): Definitions =>
  JSON.parse(readFileSync(new URL(`../references/${file}`, import.meta.url), "utf8")).definitions;
const older = definitionsIn("definitions.json");
// The newer version's file has only what it describes differently.
const definitions: Readonly<Record<ApplicationProfile, Definitions>> = {
  "0.7": older,
  "0.30": { ...older, ...definitionsIn("application-0.30.json") },
};

// Left out on both sides: sentences, the files that lists offer, and our own prefix.
const unsaid = new Set(["tooltip", "filename_prefix", "image_upload", "audio_upload", "video_upload", "image_folder"]);

function plain(value: unknown, name: string): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (name === "default" && typeof value === "string") return value.replace(/^(?:(.*\/))?ComfyUI$/, "$1Atelier");
  return value;
}

// An empty default says no more than none. Where the application has no bounds, ours are those of exact numbers.
const isUnsaid = (name: string, value: unknown): boolean =>
  unsaid.has(name) ||
  value === false ||
  value === null ||
  (name === "default" && (value === "" || value === 0)) ||
  Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;

function optionsOf(options: unknown): unknown {
  const entries = Object.entries(Object(options))
    .filter(([name, value]) => !isUnsaid(name, value))
    .map(([name, value]) => [name, plain(value, name)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

function listed(inputs: Readonly<Record<string, readonly unknown[]>> | undefined): unknown {
  return Object.entries(inputs ?? {}).map(([name, [kind, options]]) => [name, [kind, optionsOf(options)]]);
}

const theirs = (inputs: Definition["required"]) => listed(Object.fromEntries(inputs));

function ours(entry: ObjectInfoEntry | undefined, profile: ApplicationProfile) {
  assert.ok(entry);
  const { input, output, output_name, output_is_list, display_name, category, output_node } = entry;
  return {
    required: listed(input.required),
    optional: listed(input.optional),
    output,
    output_name,
    output_is_list,
    input_is_list: builtInClassesOf(profile).get(entry.name)?.takesLists ?? false,
    display_name,
    category,
    output_node,
    deprecated: entry.deprecated ?? false,
    experimental: entry.experimental ?? false,
  };
}

for (const profile of applicationProfiles) {
  const info = describeClasses(builtInClassesOf(profile), [], { isExact: true });
  for (const [name, definition] of Object.entries(definitions[profile])) {
    test(`${name} is defined as in the application's ${profile}`, () => {
      const { required, optional, output, output_name, display_name, category, output_node } = definition;
      const { deprecated, experimental, output_is_list, input_is_list } = definition;
      assert.deepEqual(ours(info[name], profile), {
        required: theirs(required),
        optional: theirs(optional),
        output,
        output_name,
        output_is_list,
        input_is_list,
        display_name,
        category,
        output_node,
        deprecated,
        experimental,
      });
    });
  }
}
