// JSON for people: two spaces, integers with all their digits.
import { writeJson } from "@atelier/sdk";

// Short lists and links stay on one line.
const lineMax = 72;

export function prettyJson(value: unknown, indent = ""): string {
  const line = writeJson(value) ?? "null";
  const isLeaf = typeof value !== "object" || value === null;
  if (isLeaf || (Array.isArray(value) && line.length <= lineMax) || line === "{}" || line === "[]") return line;
  const deeper = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((each) => deeper + prettyJson(each, deeper)).join(",\n")}\n${indent}]`;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const lines = entries.map(([name, each]) => `${deeper}${JSON.stringify(name)}: ${prettyJson(each, deeper)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}
