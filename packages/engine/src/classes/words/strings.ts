// Text in, text out. Lengths and positions count characters (code points), as in the application.

import type { Inputs } from "../../execution/inputs.ts";
import type { NodeRunner } from "../../execution/node-runner.ts";
import { choice, flag, int, text } from "../../graph/describe-inputs.ts";
import type { NodeClassDescription, OutputDescription } from "../../graph/node-class.ts";
import type { Value } from "../../pictures/picture.ts";
import { capitalized, replaced, titleCase, trimmed } from "../../python/texts.ts";

const long = { multiline: true } as const;
const anyInt = 2 ** 53 - 1;

function stringClass(
  name: string,
  displayName: string,
  description: string,
  inputs: NodeClassDescription["inputs"],
  output: OutputDescription,
  compute: (inputs: Inputs) => Value,
): NodeRunner {
  return {
    description: {
      name,
      displayName,
      category: "utils/string",
      description,
      inputs,
      outputs: [output],
    },
    weight: 0.1,
    run: (given) => [compute(given)],
  };
}

const asText: OutputDescription = { type: "STRING", name: "STRING" };

export const stringClasses: readonly NodeRunner[] = [
  stringClass(
    "StringConcatenate",
    "Concatenate",
    "Joins two texts with a delimiter.",
    [text("string_a", "", long), text("string_b", "", long), text("delimiter", "")],
    asText,
    (inputs) => `${inputs.text("string_a")}${inputs.text("delimiter")}${inputs.text("string_b")}`,
  ),
  // Negative positions count from the end.
  stringClass(
    "StringSubstring",
    "Substring",
    "The characters from start up to but not including end.",
    [text("string", "", long), int("start", 0, -anyInt, anyInt), int("end", 0, -anyInt, anyInt)],
    asText,
    (inputs) => [...inputs.text("string")].slice(inputs.int("start"), inputs.int("end")).join(""),
  ),
  stringClass(
    "StringLength",
    "Length",
    "Counts the characters of a text.",
    [text("string", "", long)],
    { type: "INT", name: "length" },
    (inputs) => [...inputs.text("string")].length,
  ),
  stringClass(
    "CaseConverter",
    "Case Converter",
    "Converts a text to upper, lower, capitalised or title case.",
    [text("string", "", long), choice("mode", ["UPPERCASE", "lowercase", "Capitalize", "Title Case"])],
    asText,
    (inputs) => {
      const source = inputs.text("string");
      const mode = inputs.choice("mode");
      if (mode === "UPPERCASE") return source.toUpperCase();
      if (mode === "lowercase") return source.toLowerCase();
      return mode === "Capitalize" ? capitalized(source) : titleCase(source);
    },
  ),
  stringClass(
    "StringTrim",
    "Trim",
    "Removes white space from the ends.",
    [text("string", "", long), choice("mode", ["Both", "Left", "Right"])],
    asText,
    (inputs) => {
      const mode = inputs.choice("mode");
      return trimmed(inputs.text("string"), mode === "Both" ? "both" : mode === "Left" ? "left" : "right");
    },
  ),
  stringClass(
    "StringReplace",
    "Replace",
    "Replaces every occurrence of a text.",
    [text("string", "", long), text("find", "", long), text("replace", "", long)],
    asText,
    (inputs) => replaced(inputs.text("string"), inputs.text("find"), inputs.text("replace")),
  ),
  stringClass(
    "StringContains",
    "Contains",
    "Tells whether a text occurs in another.",
    [text("string", "", long), text("substring", "", long), flag("case_sensitive", true)],
    { type: "BOOLEAN", name: "contains" },
    (inputs) => folded(inputs, "string").includes(folded(inputs, "substring")),
  ),
  stringClass(
    "StringCompare",
    "Compare",
    "Tells whether a text begins with, ends with or equals another.",
    [
      text("string_a", "", long),
      text("string_b", "", long),
      choice("mode", ["Starts With", "Ends With", "Equal"]),
      flag("case_sensitive", true),
    ],
    { type: "BOOLEAN", name: "BOOLEAN" },
    (inputs) => {
      const [one, other] = [folded(inputs, "string_a"), folded(inputs, "string_b")];
      const mode = inputs.choice("mode");
      if (mode === "Equal") return one === other;
      return mode === "Starts With" ? one.startsWith(other) : one.endsWith(other);
    },
  ),
];

function folded(inputs: Inputs, name: string): string {
  return inputs.flag("case_sensitive") ? inputs.text(name) : inputs.text(name).toLowerCase();
}
