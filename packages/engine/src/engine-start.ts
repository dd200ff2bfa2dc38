// What a child runs first. When run from sources, every file is stripped of its types and compiled at each start, which takes
// three times as long as everything else, so we cache the result next to the installed packages. Shipped code is already
// compiled.
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const isSource = import.meta.url.endsWith(".ts");
if (isSource)
  enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/atelier-engine", import.meta.url)));
await import("./engine-process.ts");
// Write the cache now: a signal ends the child, so it never gets to its exit handlers.
if (isSource) setImmediate(flushCompileCache);
