// `-o 'out/{label}_{seed}_{n}.{ext}'`: file names with fields. The text between fields is used as it is; a field's value is
// sanitised into part of a name, so no value can lead out of the folder. The template is parsed, and refused if invalid, before
// anything is sent.
import { statSync } from "node:fs";
import { extname } from "node:path";
import { nearWord } from "../near-word.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { fittingName, safePart } from "./safe-name.ts";

export const templateFields = [
  "label",
  "job",
  "node",
  "title",
  "seed",
  "n",
  "name",
  "stem",
  "ext",
  "date",
  "batch",
  "each",
] as const;
export type TemplateField = (typeof templateFields)[number];
export type TemplateValues = Readonly<Record<TemplateField, string>>;

export interface OutputTemplate {
  // The deepest folder without a field in its path.
  readonly folder: string;
  has(field: TemplateField): boolean;
  fileOf(values: TemplateValues): { readonly folder: string; readonly name: string };
}

// Null if it has no fields and is a plain folder.
export function readTemplate(given: string): OutputTemplate | null {
  if (!/[{}]/.test(given) || statSync(given, { throwIfNoEntry: false })?.isDirectory() === true) return null;
  const pieces = readPieces(withName(given));
  const fields = new Set(pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.field])));
  const first = pieces[0];
  const beginning = typeof first === "string" ? first : "";
  return {
    folder: beginning.includes("/") ? beginning.slice(0, beginning.lastIndexOf("/")) || "/" : ".",
    has: (field) => fields.has(field),
    fileOf(values) {
      const path = pieces.map((piece) => (typeof piece === "string" ? piece : partOf(values[piece.field]))).join("");
      const names = path.split("/");
      const name = names.pop() ?? "";
      const folder = names.map((each) => fittingName(each, "")).join("/");
      return {
        folder: folder === "" && path.startsWith("/") ? "/" : folder || ".",
        name: fittingName(name, extname(name)),
      };
    },
  };
}

type Piece = string | { readonly field: TemplateField };

// For a folder, each file gets its own name; a name without an extension gets the file's.
function withName(given: string): string {
  if (given.endsWith("/")) return `${given}{name}`;
  const last = given.slice(given.lastIndexOf("/") + 1);
  return /\{(name|ext)\}/.test(last) || /\.[A-Za-z0-9]{1,8}$/.test(last) ? given : `${given}.{ext}`;
}

// A doubled brace is a literal one.
const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

function readPieces(given: string): Piece[] {
  const problems: string[] = [];
  const pieces: Piece[] = [];
  let end = 0;
  const literal = (text: string) => {
    const last = pieces.at(-1);
    if (typeof last === "string") pieces[pieces.length - 1] = last + text;
    else if (text !== "") pieces.push(text);
  };
  for (const match of given.matchAll(token)) {
    literal(given.slice(end, match.index));
    end = match.index + match[0].length;
    const [whole, name] = match;
    if (whole === "{{" || whole === "}}") literal(whole.slice(1));
    else if (name === undefined) problems.push(`-o has a single "${whole}"; write it twice for a literal one.`);
    else if (isField(name)) pieces.push({ field: name });
    else problems.push(`-o has no field {${name}}${nearWord(name, templateFields)}`);
  }
  literal(given.slice(end));
  if (problems.length === 0) return pieces;
  throw new ClientProblem("usage", "usage", problems.join("\n  "), {
    hint: `the fields are ${templateFields.map((field) => `{${field}}`).join(" ")}`,
  });
}

const isField = (name: string): name is TemplateField => templateFields.some((field) => field === name);

const lettersMax = 100;

const partOf = (value: string): string => safePart([...value].slice(0, lettersMax).join("")) || "_";
