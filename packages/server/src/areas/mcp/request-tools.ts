// Tools for queued model calls: for work that takes longer than an agent can wait.
import type { Atelier } from "@atelier/sdk";
import type { McpServer } from "@modelcontextprotocol/server";
import { callOptions, modelCall } from "./model-call.ts";
import { presentResult } from "./model-tools.ts";
import type { PictureTools } from "./pictures.ts";
import { answering, taking, toolResult } from "./tool-answer.ts";

const modelId = { type: "string", description: "provider/model, as it was submitted." } as const;
const requestId = { type: "string", description: "The request_id that submit_model_request returned." } as const;

interface Named {
  readonly model: string;
  readonly request_id: string;
}

export function registerRequestTools(server: McpServer, atelier: Atelier, tools: PictureTools): void {
  server.registerTool(
    "submit_model_request",
    {
      title: "Queue a model call",
      description:
        "Like run_model, but returns a request_id at once while the call waits in a queue. Use it for long calls and for several calls at a time. Its credits are reserved from now on. Collect the result with get_model_request within 24 hours. Repeating an idempotency_key returns the same request.",
      inputSchema: modelCall,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (call, { mcpReq: { signal } }) =>
      answering(async () => {
        const request = await atelier.models.submit(call.model, call.input, callOptions(call, signal));
        return toolResult({ model: call.model, ...request.current });
      }),
  );
  server.registerTool(
    "get_model_request",
    {
      title: "Get a queued model call",
      description:
        "Shows the state of a queued model call: IN_QUEUE with queue_position, IN_PROGRESS, or COMPLETED. A completed call includes its answer and pictures, like run_model, or the reason it failed.",
      inputSchema: taking<Named>({ model: modelId, request_id: requestId }, ["model", "request_id"]),
      annotations: { readOnlyHint: true },
    },
    ({ model, request_id: id }, { mcpReq: { signal } }) =>
      answering(async () => {
        const request = await atelier.models.request(model, id, { signal });
        if (request.current?.status !== "COMPLETED") return toolResult(request.current);
        return presentResult({ atelier, tools }, model, await request.result({ signal }));
      }),
  );
  server.registerTool(
    "cancel_model_request",
    {
      title: "Cancel a queued model call",
      description:
        "Cancels a request that is still in the queue; it then costs nothing. A request already at the provider keeps running.",
      inputSchema: taking<Named>({ model: modelId, request_id: requestId }, ["model", "request_id"]),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    },
    ({ model, request_id: id }, { mcpReq: { signal } }) =>
      answering(async () => toolResult(await (await atelier.models.request(model, id, { signal })).cancel({ signal }))),
  );
}
