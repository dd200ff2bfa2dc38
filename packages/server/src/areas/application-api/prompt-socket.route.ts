// The application's websocket. It counts as one of the workspace's event streams; the caller chooses its name.
import { Fault } from "../../foundation/fault.ts";
import type { Answer, Incoming, Route } from "../../foundation/http/area.ts";
import { newId } from "../../foundation/ids.ts";
import type { ApplicationCaller, ApplicationDeps } from "./application-caller.ts";
import { applicationOperations as operations } from "./application-operations.ts";
import type { PromptSockets } from "./prompt-sockets.ts";

const goingAway = 1001;
const notAllowed = 1008;
// For a peer that does not answer the close.
const farewellMs = 500;

export function openPromptSocketRoute(deps: ApplicationDeps, sockets: PromptSockets): Route<ApplicationCaller> {
  return { operation: operations.openPromptSocket, isSocket: true, handle: (it) => open(deps, sockets, it) };
}

async function open(
  deps: ApplicationDeps,
  sockets: PromptSockets,
  { caller, headers, method, query }: Incoming<ApplicationCaller>,
): Promise<Answer> {
  if (method !== "GET" || headers.upgrade?.toLowerCase() !== "websocket")
    throw new Fault("invalid_request", "This path is a websocket: send Upgrade: websocket.");
  if (headers["sec-websocket-version"] !== "13")
    throw new Fault("invalid_request", "Send Sec-WebSocket-Version: 13; no other version is supported.");
  const clientId = nameIn(query.get("clientId"));
  const { workspaceId, personId = null } = caller;
  sockets.requireRoom({ workspaceId, personId });
  const giveBack = await deps.takeStream(workspaceId);
  return {
    takeOver({ request, response, onEnd, upgrade }) {
      response.once("close", giveBack);
      if (upgrade === null) return void response.writeHead(426, { upgrade: "websocket" }).end();
      deps.sockets.accept(request, upgrade, (socket) => {
        const forget = onEnd((reason) => {
          socket.close(reason === "refused" ? notAllowed : goingAway);
          setTimeout(() => socket.terminate(), farewellMs).unref();
        });
        sockets.open({ workspaceId, personId, clientId, socket }, forget);
      });
    },
  };
}

function nameIn(given: string | null): string {
  return given !== null && /^[\x20-\x7e]{1,200}$/.test(given) ? given : newId();
}
