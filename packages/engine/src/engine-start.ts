// What a child runs first. From sources every file is stripped of its types and compiled at each start, which takes three
// times as long as all the rest; so the result is kept beside the installed packages. What is shipped is compiled already.
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const isSource = import.meta.url.endsWith(".ts");
if (isSource)
  enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/atelier-engine", import.meta.url)));
await import("./engine-process.ts");
// A child is ended by a signal, so it is not left to the end.
if (isSource) setImmediate(flushCompileCache);
