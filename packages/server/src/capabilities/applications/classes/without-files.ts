// Removes file names from descriptions before they leave the application's machine. The files in its input folder belong
// to its callers: their names say nothing about a class, are private, and change with every job.

import { isRecord, type JsonRecord, memberOf } from "../line/json-record.ts";
import type { ApplicationClasses } from "./application-classes.ts";

export function descriptionWithoutFiles(classes: ApplicationClasses, name: string): unknown {
  const said = classes.said.get(name);
  const files = classes.fileInputs.get(name);
  const input = isRecord(said) ? memberOf(said, "input") : undefined;
  if (files === undefined || !isRecord(said) || !isRecord(input)) return said;
  const names = new Set(files.map((file) => file.name));
  return {
    ...said,
    input: Object.fromEntries(Object.entries(input).map(([kind, all]) => [kind, emptied(all, names)])),
  };
}

function emptied(inputs: unknown, names: ReadonlySet<string>): unknown {
  if (!isRecord(inputs)) return inputs;
  return Object.fromEntries(
    Object.entries(inputs).map(([name, config]) => [name, names.has(name) ? withoutChoices(config) : config]),
  );
}

// The list in the type's position, or the options of a COMBO; the default is one of them.
function withoutChoices(config: unknown): unknown {
  if (!Array.isArray(config)) return config;
  const [type, given, ...rest]: readonly unknown[] = config;
  if (!isRecord(given)) return [Array.isArray(type) ? [] : type, ...config.slice(1)];
  const { default: _name, ...others }: JsonRecord = given;
  if (Array.isArray(type)) return [[], others, ...rest];
  return [type, { ...others, options: [] }, ...rest];
}
