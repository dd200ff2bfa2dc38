// The synchronous Python client, written from the asynchronous one: the same files without async and await. One of them is
// written by hand, so the two cannot differ.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\basync (with|for|def)\b/g, "$1"],
  [/\bawait /g, ""],
  [/\basynccontextmanager\b/g, "contextmanager"],
  [/\bAsyncIterator\b/g, "Iterator"],
  [/\bimport asyncio\b/g, "import time"],
  [/\basyncio\.sleep\b/g, "time.sleep"],
  [/\b__a(enter|exit)__\b/g, "__$1__"],
  [/\ba(close|read|iter_bytes)\(/g, "$1("],
  [/\bAsync([A-Z])/g, "$1"],
];

export function syncModules(root: string): { readonly path: string; readonly text: string }[] {
  const folder = "packages/python/src/atelier_sdk";
  return readdirSync(join(root, folder, "_async"))
    .filter((name) => name.endsWith(".py"))
    .sort()
    .map((name) => {
      const source = readFileSync(join(root, folder, "_async", name), "utf8");
      return { path: `${folder}/_sync/${name}`, text: name === "__init__.py" ? heading : syncOf(source) };
    });
}

const heading = '"""The synchronous client. `npm run openapi` writes these files from `_async`; edit those."""\n';

export function syncOf(source: string): string {
  const text = replacements.reduce((now, [pattern, by]) => now.replaceAll(pattern, by), source);
  const left = /\b(?:async|await|asyncio|Async\w*|__a\w+__)\b/.exec(text);
  if (left !== null) throw new Error(`"${left[0]}" has no synchronous counterpart in scripts/python-sync.ts.`);
  const lines = text.split("\n");
  // Where time was imported too.
  return lines.filter((line, at) => line !== "import time" || lines.indexOf(line) === at).join("\n");
}
