// Finds the classes of a shipped file without parsing it: parsing hundreds at start would take longer than everything else about
// them. Each is parsed when it is first read. This relies on how the files are formatted; one that looks different is parsed whole.
import { readFile } from "node:fs/promises";
import type { LazyDeclaration, NodeDeclaration } from "@atelier/engine";
import { readExactJson } from "../../foundation/json/exact-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";

const opening = '\n    {\n      "name": "';
const closing = "\n    }";

export async function readShippedNodes(path: string): Promise<LazyDeclaration[]> {
  const bytes = await readFile(path);
  const head = bytes.toString("utf8", 0, bytes.indexOf(opening) + 1);
  const provider = /"provider": "([^"]+)"/.exec(head)?.[1];
  const isUsual = provider !== undefined && head.endsWith('"classes": [\n') && bytes.at(-1) === 0x0a;
  return isUsual ? found(bytes, provider) : whole(path, bytes);
}

function found(bytes: Buffer, provider: string): LazyDeclaration[] {
  const classes: LazyDeclaration[] = [];
  for (let at = bytes.indexOf(opening); at >= 0; ) {
    const next = bytes.indexOf(opening, at + 1);
    const end = bytes.lastIndexOf(closing, next < 0 ? bytes.length : next) + closing.length;
    const nameAt = at + opening.length;
    const name = bytes.toString("utf8", nameAt, bytes.indexOf('"', nameAt));
    classes.push({ name, provider, read: parsedOnce(bytes.subarray(at, end)) });
    at = next;
  }
  return classes;
}

function parsedOnce(bytes: Buffer): () => NodeDeclaration {
  let text: Buffer | null = bytes;
  let made: NodeDeclaration | null = null;
  return () => {
    if (made) return made;
    const value = readExactJson(text?.toString("utf8") ?? "");
    if (!isDeclaration(value)) throw new Error("A shipped node class is invalid.");
    [made, text] = [value, null];
    return value;
  };
}

function whole(path: string, bytes: Buffer): LazyDeclaration[] {
  const value = readExactJson(bytes.toString("utf8"));
  const [provider, classes] = isRecord(value) ? [value["provider"], value["classes"]] : [];
  if (typeof provider !== "string" || !Array.isArray(classes))
    throw new Error(`The shipped node classes in ${path} are invalid.`);
  return classes
    .filter(isDeclaration)
    .map((declaration) => ({ name: declaration.name, provider, read: () => declaration }));
}

// The tests check all that ship.
function isDeclaration(value: unknown): value is NodeDeclaration {
  return isRecord(value) && Array.isArray(value["outputs"]);
}
