// Definitions as text, for the editor of the console: where each comes from, and one trial at a time, because a large definition
// keeps a core busy for seconds.
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readJsonFile } from "../../foundation/json/json-file.ts";
import { fixturesBeside, shippedFolder, shippedNames } from "../model-calls/index.ts";
import { priceChecks } from "../prices/index.ts";
import type { LiveProviders, ProviderCredentials } from "../providers/index.ts";
import { type CheckTexts, checkTexts, type TextCheck } from "./check-texts.ts";

export interface DefinitionTextDeps {
  readonly live: Pick<LiveProviders, "list">;
  readonly targetProblems: ProviderCredentials["targetProblems"];
  // The operator's files with definitions.
  readonly files: readonly string[];
}

export interface DefinitionText {
  readonly source: "admin" | "file" | "built_in";
  readonly version: number | null;
  readonly definition: string;
  readonly fixtures: string | null;
}

export interface DefinitionTexts {
  // Null if there is no such provider.
  read(provider: string): Promise<DefinitionText | null>;
  check(texts: Omit<CheckTexts, "checks">): Promise<TextCheck>;
}

export function definitionTexts(deps: DefinitionTextDeps): DefinitionTexts {
  let trial: Promise<unknown> = Promise.resolve();
  const checks = { ...priceChecks, targetProblems: deps.targetProblems };
  return {
    read: (provider) => readTexts(deps, provider),
    check(texts) {
      if (texts.fixtures === null) return checkTexts({ checks, ...texts });
      const mine: Promise<TextCheck> = trial.then(() => checkTexts({ checks, ...texts }));
      trial = mine.catch(() => undefined);
      return mine;
    },
  };
}

async function readTexts({ live, files }: DefinitionTextDeps, provider: string): Promise<DefinitionText | null> {
  const shipped = (await shippedNames()).includes(provider) ? join(shippedFolder, `${provider}.json`) : null;
  const found = live.list().find((each) => each.provider === provider);
  if (found?.source === "admin") {
    if (found.definition === null) return null;
    const definition = JSON.stringify(found.definition, null, 2);
    // A changed copy of a shipped definition is tried with its fixtures.
    return { source: "admin", version: found.version, definition, fixtures: await fixturesOf(shipped) };
  }
  if (found?.source === "file") {
    const file = await fileOf(files, provider);
    const definition = file === null ? JSON.stringify(found.definition, null, 2) : await readFile(file, "utf8");
    return { source: "file", version: null, definition, fixtures: await fixturesOf(file) };
  }
  if (shipped === null)
    return found ? { ...own, definition: JSON.stringify(found.definition, null, 2), fixtures: null } : null;
  return { ...own, definition: await readFile(shipped, "utf8"), fixtures: await fixturesOf(shipped) };
}

const own = { source: "built_in", version: null } as const;

async function fileOf(files: readonly string[], provider: string): Promise<string | null> {
  for (const path of files) {
    // It was read at start, and may have changed since.
    const file = await readJsonFile(path).catch(() => null);
    if (file !== null && Object(file.value).provider === provider) return path;
  }
  return null;
}

async function fixturesOf(path: string | null): Promise<string | null> {
  if (path === null) return null;
  const beside = fixturesBeside(path);
  const isThere = await access(beside).then(
    () => true,
    () => false,
  );
  return isThere ? readFile(beside, "utf8") : null;
}
