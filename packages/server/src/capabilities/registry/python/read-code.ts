// Reads the Python of an archive once: its node classes, and what its code can do. It counts files, bytes and steps, never
// seconds, so the same bytes give the same result on every machine.
import { type CodeUse, wordsOf } from "./code-uses.ts";
import { type Extraction, extractClasses, failed } from "./extract-classes.ts";
import { findUses } from "./find-uses.ts";
import { type ParsedFile, parsePython } from "./syntax.ts";

export interface CodeReading {
  readonly extraction: Extraction;
  readonly uses: readonly CodeUse[];
  // The words of all uses.
  readonly capabilities: readonly string[];
}

// Stored with what it read. A newer reader reads everything again.
export const readerVersion = 2;

const filesMax = 5_000;
const fileBytesMax = 2 * 1024 * 1024;
const bytesMax = 24 * 1024 * 1024;

export function readCode(
  names: readonly string[],
  sources: readonly { readonly name: string; readonly source: string }[],
  parseText: (file: string, text: string) => ParsedFile = parsePython,
): CodeReading {
  const texts = new Map<string, string>();
  const left: string[] = [];
  let bytes = 0;
  for (const { name, source } of sources.filter((each) => /\.pyw?$/i.test(each.name))) {
    const fits = texts.size < filesMax && source.length <= fileBytesMax && bytes + source.length <= bytesMax;
    if (!fits) left.push(name);
    else texts.set(name, source);
    bytes += fits ? source.length : 0;
  }
  // Only the trees of modules that are imported are kept; the others are parsed, looked at and dropped.
  const trees = new Map<string, ParsedFile>();
  const parse = (file: string): ParsedFile | null => {
    const text = texts.get(file);
    return trees.get(file) ?? (text === undefined ? null : parseText(file, text));
  };
  const parseAndKeep = (file: string): ParsedFile | null => {
    const parsed = parse(file);
    if (parsed !== null) trees.set(file, parsed);
    return parsed;
  };
  const extraction = withLeftOut(
    attempt(() => extractClasses([...texts.keys()], parseAndKeep)),
    left,
  );
  const uses = findUses(names, [...texts.keys()], parse);
  return { extraction, uses, capabilities: wordsOf(uses) };
}

// A fault of the reader must not decide about the archive.
function attempt(extract: () => Extraction): Extraction {
  try {
    return extract();
  } catch (thrown) {
    return failed(`The code could not be read: ${thrown instanceof Error ? thrown.message : "unknown"}.`);
  }
}

function withLeftOut(extraction: Extraction, left: readonly string[]): Extraction {
  const [first] = left;
  if (first === undefined) return extraction;
  const reason = `${left.length} source files are too large or too many to be read, ${first} among them.`;
  const status = extraction.status === "success" ? "partial" : extraction.status;
  return { ...extraction, status, reasons: [...extraction.reasons, reason] };
}
