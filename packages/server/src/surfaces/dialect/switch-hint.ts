// The hint for a public client's path while the switch is off: which setting enables it. Consulted only for paths that the
// contract itself does not have.
import { respelledPath } from "./target.ts";

// The application's own API: what its clients request, with and without /api.
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

// Null if the switch changes nothing there.
export function switchHint(path: string): string | null {
  const [, first = "", second = ""] = path.split("/");
  const isApplication = applicationWords.has(first === "api" ? second : first);
  return isApplication || respelledPath(path) !== path ? hint : null;
}
