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
    summary: "Send one message of the Model Context Protocol",
    description: "Stateless streamable HTTP. Tools list and run models, run workflows, and show jobs and pictures.",
    body: { contentType: "application/json", required: true, schema: JsonRpcMessage },
    answers: {
      200: { ...answer(JsonRpcMessage, "The answer."), otherContentTypes: ["text/event-stream"] },
      202: { description: "A notification was taken." },
      400: fault("The message cannot be read, or asks for a version that is not spoken."),
      401: fault("No usable credential."),
      406: fault("The caller does not accept the forms in which this answers."),
      413: fault("The message is too large."),
      415: fault("The message is no JSON."),
      429: fault("The request allowance of the workspace is used up."),
      500: fault("A fault of ours."),
      503: fault("Something we need is away."),
    },
  },
});
