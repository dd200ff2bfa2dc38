// What a public client's path is told while the switch is off: which setting opens it. Only paths that the contract itself
// does not have are asked for here.
import { respelledPath } from "./target.ts";

// Of the application's own API: what its clients ask for, below /api and without it.
const applicationWords: ReadonlySet<string> = new Set([
  ...[
    "prompt",
    "queue",
    "interrupt",
    "history",
    "history_v2",
    "view",
    "upload",
    "object_info",
    "system_stats",
    "features",
  ],
  ...[
    "embeddings",
    "extensions",
    "models",
    "settings",
    "free",
    "ws",
    "userdata",
    "job",
    "internal",
    "workflow_templates",
  ],
]);

const hint =
  "It belongs to the dialect of public clients, which is off: start the server with ATELIER_DIALECT=comfy (docs/CLIENTS.md).";

// Null: the switch changes nothing there.
export function switchHint(path: string): string | null {
  const [, first = "", second = ""] = path.split("/");
  const isApplication = applicationWords.has(first === "api" ? second : first);
  return isApplication || respelledPath(path) !== path ? hint : null;
}
