// Tools for the node classes of v2: what a graph can be built from.
import type { Atelier } from "@atelier/sdk";
import type { McpServer } from "@modelcontextprotocol/server";
import { answering, taking, toolResult } from "./tool-answer.ts";

export function registerClassTools(server: McpServer, atelier: Atelier): void {
  server.registerTool(
    "list_node_classes",
    {
      title: "Find node classes",
      description:
        'Lists the node classes that run_workflow can use here, best matches first: name, title, category and what each does. Search by words, such as "scale image"; then call describe_node_class for each class you use.',
      inputSchema: taking<{ q?: string; query?: string; category?: string; limit?: number }>({
        q: {
          type: "string",
          maxLength: 200,
          description: "Words that must all occur in the name, title, category or description.",
        },
        query: { type: "string", maxLength: 200, description: "The same as q." },
        category: { type: "string", maxLength: 200, description: "Only this category and its subcategories." },
        limit: { type: "integer", minimum: 1, maximum: 200, description: "Default: 50." },
      }),
      annotations: { readOnlyHint: true },
    },
    ({ query, q = query, category, limit = 50 }, { mcpReq: { signal } }) =>
      answering(async () => {
        const found: object[] = [];
        const filter = { ...(q ? { q } : {}), ...(category ? { category } : {}) };
        for await (const each of atelier.classes.list({ ...filter, signal, pageSize: Math.min(limit, 100) })) {
          const { name, title, category: where, description, is_output } = each;
          found.push({ name, title, category: where, description, ...(is_output ? { is_output } : {}) });
          if (found.length === limit) break;
        }
        return toolResult({ node_classes: found });
      }),
  );
  server.registerTool(
    "describe_node_class",
    {
      title: "Describe a node class",
      description:
        "Describes a node class: inputs with types, defaults, limits and choices; outputs by index; where it runs. An input with is_link takes [node id, output index] of another node.",
      inputSchema: taking<{ name: string }>(
        { name: { type: "string", description: "As list_node_classes shows it." } },
        ["name"],
      ),
      annotations: { readOnlyHint: true },
    },
    ({ name }, { mcpReq: { signal } }) =>
      answering(async () => toolResult(await atelier.classes.get(name, { signal }))),
  );
}
