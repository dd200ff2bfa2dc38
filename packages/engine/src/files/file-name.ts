// How outputs are called: `<prefix>_<counter>_.png`, with a subfolder and a few placeholders in the prefix. A prefix that
// leads out of the output folder is refused.
import { NodeError } from "../execution/node-error.ts";

interface OutputLocation {
  readonly subfolder: string;
  readonly prefix: string;
}

interface NameValues {
  readonly width?: number;
  readonly height?: number;
  readonly now: Date;
}

const prefixCharactersMax = 200;

export function outputLocation(filenamePrefix: string, values: NameValues): OutputLocation {
  const filled = fillIn(filenamePrefix, values).replaceAll("\\", "/");
  const steps: string[] = [];
  for (const step of filled.split("/")) {
    if (step === "" || step === ".") continue;
    if (step === "..") {
      if (steps.pop() === undefined) throw outside();
    } else steps.push(step);
  }
  if (filled.startsWith("/") || /^[a-z]:/i.test(filled)) throw outside();
  const prefix = steps.pop() ?? "";
  if (hasControl(filled) || filled.length > prefixCharactersMax) {
    throw new NodeError("filename_prefix: it is too long or holds characters a file name cannot have.");
  }
  return { subfolder: steps.join("/"), prefix };
}

function outside(): NodeError {
  return new NodeError("filename_prefix: saving outside the output folder is not allowed.");
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

function fillIn(text: string, { width = 0, height = 0, now }: NameValues): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const values: Readonly<Record<string, string>> = {
    "%width%": String(width),
    "%height%": String(height),
    "%year%": String(now.getFullYear()),
    "%month%": two(now.getMonth() + 1),
    "%day%": two(now.getDate()),
    "%hour%": two(now.getHours()),
    "%minute%": two(now.getMinutes()),
    "%second%": two(now.getSeconds()),
  };
  return text.replace(/%(?:width|height|year|month|day|hour|minute|second)%/g, (name) => values[name] ?? name);
}

export function fileName(prefix: string, counter: number, extension: string, batchIndex = 0): string {
  return `${prefix.replaceAll("%batch_num%", String(batchIndex))}_${String(counter).padStart(5, "0")}_.${extension}`;
}
