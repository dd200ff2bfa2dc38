// Names outputs: `<prefix>_<counter>_.png`, with a subfolder and a few placeholders in the prefix. A prefix that leads out of
// the output folder is refused.
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, OutputFile } from "../execution/node-runner.ts";
import type { Size } from "../pictures/picture.ts";

interface OutputLocation {
  readonly subfolder: string;
  readonly prefix: string;
}

interface NameValues extends Partial<Size> {
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
    throw new NodeError("filename_prefix: too long, or contains characters that are not allowed in a file name.");
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

// The names for one prefix, one after the other. A bad prefix is refused before anything is created.
export function outputNames(
  prefix: string,
  context: Pick<NodeContext, "now" | "nextCounter">,
  size: Partial<Size> = {},
  folder: OutputFile["folder"] = "output",
): (extension: string, batchIndex?: number) => Pick<OutputFile, "name" | "subfolder" | "folder"> {
  const location = outputLocation(prefix, { ...size, now: context.now() });
  return (extension, batchIndex = 0) => {
    const counter = String(context.nextCounter(folder, location.prefix, location.subfolder)).padStart(5, "0");
    const name = `${location.prefix.replaceAll("%batch_num%", String(batchIndex))}_${counter}_.${extension}`;
    return { name, subfolder: location.subfolder, folder };
  };
}

// For classes of the newer version, whose names end with their number.
export function plainName<Named extends Pick<OutputFile, "name">>(named: Named): Named {
  return { ...named, name: named.name.replace(/_(\.\w+)$/, "$1") };
}
