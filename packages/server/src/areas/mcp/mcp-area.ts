// Models and workflows as tools of the Model Context Protocol. The endpoint is stateless: every message brings its credential,
// is answered by a server created for it, and leaves nothing behind. Tools go through our own HTTP entrance with the caller's
// credential, so keys, limits, prices and errors are the same as everywhere.
import type { Principal } from "../../capabilities/identity/index.ts";
import type { Area, Arrival } from "../../foundation/http/area.ts";
import type { AnswerMcpDeps } from "./answer-deps.ts";
import { callMcpRoute } from "./call-mcp.route.ts";
import { jsonRpcEnvelope } from "./json-rpc-envelope.ts";

export interface McpDeps extends AnswerMcpDeps {
  authenticate(arrival: Arrival): Principal | Promise<Principal>;
  admit(caller: Principal): void | Promise<void>;
  watch(caller: Principal, lost: () => void): () => void;
}

export function mcp(deps: McpDeps): Area<Principal> {
  return {
    name: "agents",
    prefixes: ["/mcp"],
    authenticate: deps.authenticate,
    flowOf: (caller) => caller.workspaceId,
    admit: (caller) => deps.admit(caller),
    watch: (caller, lost) => deps.watch(caller, lost),
    envelope: jsonRpcEnvelope,
    cors: "listed",
    routes: [callMcpRoute(deps)],
  };
}
