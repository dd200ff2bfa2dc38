import assert from "node:assert/strict";
import { test } from "node:test";
import type { FormInput, WorkForm } from "../form/work-form.ts";
import { diffForms } from "./diff-forms.ts";

const prompt: FormInput = { name: "prompt", node: "6", input: "text", kind: "text", default: "a barn" };
const seed: FormInput = { name: "seed", node: "3", input: "seed", kind: "integer", maximum: 18446744073709551615n };
const form = (inputs: readonly FormInput[], node = "9"): WorkForm => ({ inputs, outputs: [{ name: "picture", node }] });

test("equal forms have no differences", () => {
  assert.deepEqual(diffForms(form([prompt, seed]), form([{ ...prompt }, { ...seed }])), []);
});

test("what was added, removed, changed and moved is said in sentences, with exact digits", () => {
  const size: FormInput = { name: "size", node: "5", input: "width", kind: "integer" };
  assert.deepEqual(
    diffForms(
      form([prompt, seed, size]),
      form(
        [
          { ...seed, maximum: 10 },
          { ...prompt, label: "Prompt" },
          { ...size, name: "width" },
        ],
        "12",
      ),
    ),
    [
      "Input size was removed.",
      "Input seed: maximum changed from 18446744073709551615 to 10.",
      'Input prompt: label changed from nothing to "Prompt".',
      "Input width was added.",
      "The order of the inputs changed.",
      'Output picture: node changed from "9" to "12".',
    ],
  );
});
