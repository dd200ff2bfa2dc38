// An entrance for OpenAI-shaped clients: their names and shapes over the model router's calls. It only translates. Limits,
// credits, keys, usage and audit are those of the router, by the same code (decision 0032).
import { type Principal, requireScope } from "../../capabilities/identity/index.ts";
import { bucketHeader } from "../../capabilities/model-calls/index.ts";
import { type Area, routesOf } from "../../foundation/http/area.ts";
import * as calls from "./calls.route.ts";
import * as models from "./models.route.ts";
import type { OpenaiDeps } from "./openai-caller.ts";
import { openaiEnvelope } from "./openai-errors.ts";

export { allMappings } from "./all-mappings.ts";
export { MappingFile } from "./mapping.ts";

export function openaiEntrance(deps: OpenaiDeps): Area<Principal> {
  return {
    name: "openai entrance",
    isOutsideContract: true,
    prefixes: ["/openai"],
    envelope: openaiEnvelope,
    earlyHeaders: bucketHeader,
    cors: "listed",
    async authenticate(arrival) {
      const caller = await deps.authenticate(arrival);
      const open = deps.models.requireOpen(caller.workspaceId);
      if (open instanceof Promise) await open;
      requireScope(caller, "models");
      return caller;
    },
    flowOf: (caller) => caller.workspaceId,
    admit: (caller) => deps.admitRate(caller),
    routes: routesOf(deps, models, calls),
  };
}
