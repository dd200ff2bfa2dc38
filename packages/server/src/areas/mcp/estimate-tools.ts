// Tools to use before a run: what a model or workflow would cost, and the credits available. None of them runs or holds
// anything.
import type { Atelier, Graph } from "@atelier/sdk";
import type { McpServer } from "@modelcontextprotocol/server";
import { answering, taking, takingNothing, toolResult } from "./tool-answer.ts";

const annotations = { readOnlyHint: true } as const;

// Agents usually write a number; a text keeps every digit.
export const maxCredits = {
  anyOf: [
    { type: "number", minimum: 0 },
    { type: "string", pattern: "^(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$" },
  ],
  description:
    "The most credits it may cost, as a number or a decimal string. Anything that could cost more is refused before it runs.",
} as const;

export function registerEstimateTools(server: McpServer, atelier: Atelier): void {
  server.registerTool(
    "estimate_model",
    {
      title: "Estimate a model call",
      description:
        "Estimates what run_model would cost with this model and input: lowest and highest in credits, whether that is exact, and how many seconds similar calls took before, if known. Nothing runs and nothing is billed. The input is checked as run_model checks it.",
      inputSchema: taking<{ model: string; input: object }>(
        {
          model: { type: "string", description: "provider/model, as list_models shows it." },
          input: { type: "object", description: "The model's own input; see describe_model." },
        },
        ["model", "input"],
      ),
      annotations,
    },
    ({ model, input }, { mcpReq: { signal } }) =>
      answering(async () => toolResult(await atelier.models.estimate(model, input, { signal }))),
  );
  server.registerTool(
    "estimate_workflow",
    {
      title: "Estimate a workflow",
      description:
        "Estimates what run_workflow would cost with this graph, in total and for every node that can cost something, and how many seconds similar graphs took before, if known. Nothing runs and nothing is billed. The graph is checked as run_workflow checks it.",
      inputSchema: taking<{ workflow: Graph }>(
        { workflow: { type: "object", description: "The graph, as for run_workflow." } },
        ["workflow"],
      ),
      annotations,
    },
    ({ workflow }, { mcpReq: { signal } }) =>
      answering(async () => toolResult(await atelier.estimates.workflow(workflow, { signal }))),
  );
  server.registerTool(
    "get_balance",
    {
      title: "Get the balance",
      description:
        "The workspace's credits: how many can be spent (available) and how many are reserved for open calls and jobs (held).",
      inputSchema: takingNothing,
      annotations,
    },
    (_nothing, { mcpReq: { signal } }) =>
      answering(async () => toolResult(await (await atelier.request("/account/credits", { signal })).json())),
  );
}
