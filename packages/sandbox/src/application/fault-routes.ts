// What no application has: switches for faults, and counters for tests, under /sandbox.
//   GET /sandbox/faults, POST {<switch>: <value>, now?: "drop_sockets" | "lose_history" | "restart" | "crash", downMs?}
//   DELETE /sandbox/faults resets everything; GET /sandbox/stats counts.
import type { IncomingMessage } from "node:http";
import type { Application } from "./application.ts";
import { changedFaults, noFaults } from "./faults.ts";
import { json, type Reply, readObject } from "./reply.ts";

interface FaultActions {
  // Unreachable for this long, then back with an empty memory.
  restart(downMs: number): Promise<void>;
  crash(): void;
}

const bodyBytesMax = 64 * 1024;
const downMsMax = 600_000;

export async function handleSandbox(
  application: Application,
  actions: FaultActions,
  request: IncomingMessage,
  path: string,
): Promise<Reply> {
  if (path === "/sandbox/stats" && request.method === "GET") return json(200, application.stats);
  if (path !== "/sandbox/faults") return json(404, { error: "There is nothing here." });
  if (request.method === "DELETE") application.faults = noFaults;
  else if (request.method === "POST") {
    const body = await readObject(request, bodyBytesMax);
    const { now, downMs = 0, ...switches } = body ?? {};
    const changed = body ? changedFaults(application.faults, switches) : null;
    if (!changed || typeof downMs !== "number" || !(downMs >= 0 && downMs <= downMsMax) || !isAction(now))
      return json(400, { error: "Unknown fault.", known: { ...noFaults, now: actionNames, downMs: 0 } });
    application.faults = changed;
    if (now !== undefined) act(application, actions, now, downMs);
  } else if (request.method !== "GET") return json(405, { error: "Use GET, POST or DELETE." });
  return json(200, application.faults);
}

const actionNames = ["drop_sockets", "lose_history", "restart", "crash"] as const;
type ActionName = (typeof actionNames)[number];

function isAction(word: unknown): word is ActionName | undefined {
  return word === undefined || actionNames.some((known) => known === word);
}

// Actions that cut the connection wait until the answer is out.
function act(application: Application, actions: FaultActions, name: ActionName, downMs: number): void {
  if (name === "drop_sockets") application.clients.drop();
  else if (name === "lose_history") application.history.clear();
  else setTimeout(() => (name === "crash" ? actions.crash() : void actions.restart(downMs)), 20);
}
