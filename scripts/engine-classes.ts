// The class table of docs/NODE-CLASSES.md, generated from the descriptions that also check graphs and answer `object_info`.
import { builtInClasses, type InputDescription, type NodeClassDescription } from "@atelier/engine";

export function engineClassesTable(): string {
  const byCategory = Map.groupBy(builtInClasses.values(), ({ category }) => category);
  const parts = [...byCategory]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, own]) => [`**${category}**`, "", ...tableOf(own)].join("\n"));
  return [`${builtInClasses.size} classes.`, ...parts].join("\n\n");
}

function tableOf(classes: readonly NodeClassDescription[]): string[] {
  const rows = classes.map(
    ({ name, inputs, outputs, description }) =>
      `| \`${name}\` | ${inputs.map(inputText).join("<br>") || "–"} | ${outputs.map(({ type }) => type).join(", ") || "saves"} | ${description} |`,
  );
  return ["| Class | Inputs | Outputs | What it does |", "|---|---|---|---|", ...rows];
}

function inputText(input: InputDescription): string {
  const optional = input.optional ? ", optional" : "";
  return `\`${input.name}\` ${kindOf(input)}${optional}`;
}

function kindOf(input: InputDescription): string {
  switch (input.type) {
    case "INT":
    case "FLOAT":
      return `${input.type} ${input.min}…${input.max}, ${input.default}`;
    case "STRING":
      return input.default === "" ? "STRING" : `STRING, \`${input.default.replaceAll("|", "\\|")}\``;
    case "BOOLEAN":
      return `BOOLEAN, ${input.default}`;
    case "COMBO":
      return input.options === null ? "a file" : input.options.map((option) => `\`${option}\``).join(" / ");
    default:
      return input.type === "*" ? "anything" : input.type;
  }
}
