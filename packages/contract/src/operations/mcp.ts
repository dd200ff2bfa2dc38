// The Model Context Protocol: agents list and run models and workflows through it, under the same keys and limits.
import { JsonRpcMessage } from "../json-rpc.ts";
import { operationTable } from "../operation.ts";
import { answer } from "./answers.ts";
import { tags } from "./tags.ts";

const fault = (description: string) => ({ description, schema: JsonRpcMessage, contentType: "application/json" });

const common = { tag: tags.agents, access: "key" } as const;

export const mcpOperations = operationTable(common, {
  callMcp: {
    method: "POST",
    path: "/mcp",
    role: "viewer",
    summary: "Send one Model Context Protocol message",
    description: "Stateless streamable HTTP. The tools list and run models, run workflows, and show jobs and images.",
    body: { contentType: "application/json", required: true, schema: JsonRpcMessage },
    answers: {
      200: { ...answer(JsonRpcMessage, "The response."), otherContentTypes: ["text/event-stream"] },
      202: { description: "A notification was accepted." },
      400: fault("The message is malformed or asks for an unsupported protocol version."),
      401: fault("The credential is missing or invalid."),
      406: fault("The Accept header allows none of the response formats."),
      413: fault("The message is too large."),
      415: fault("The message is not JSON."),
      429: fault("The workspace has used up its request rate."),
      500: fault("The server failed."),
      503: fault("A dependency is unavailable."),
    },
  },
});
