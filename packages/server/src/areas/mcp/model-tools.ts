// Tools for the model router.
import type { Atelier, ModelResult } from "@atelier/sdk";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { callOptions, modelCall, modelId } from "./model-call.ts";
import { type PictureTools, presentAnswer } from "./pictures.ts";
import { answering, taking, toolResult } from "./tool-answer.ts";

export function registerModelTools(server: McpServer, atelier: Atelier, tools: PictureTools): void {
  server.registerTool(
    "list_models",
    {
      title: "List models",
      description:
        "Lists every model that can be run here: id (provider/model), title, what it makes (image, video, audio, text), price in credits, and whether a refusal on policy grounds is charged. `kind` and `q` narrow the list. Take an id from here for describe_model and run_model.",
      inputSchema: taking<{ kind?: string; q?: string }>(
        {
          kind: { type: "string", description: "Only models that make this: image, video, audio, text or other." },
          q: { type: "string", description: "Only models whose id, title or description contains these words." },
        },
        [],
      ),
      annotations: { readOnlyHint: true },
    },
    ({ kind, q }, { mcpReq: { signal } }) =>
      answering(async () => {
        const data = await atelier.models.described({ signal });
        const words = (q ?? "").toLowerCase().split(/\s+/);
        const models = data.filter((model) => {
          const text = `${model.id} ${model.title ?? ""} ${model.description ?? ""}`.toLowerCase();
          return (kind === undefined || model.kind === kind) && words.every((word) => text.includes(word));
        });
        return toolResult({ models });
      }),
  );
  server.registerTool(
    "describe_model",
    {
      title: "Describe a model",
      description:
        "Describes a model's input: `input` is the complete JSON schema for run_model. Read it before run_model.",
      inputSchema: taking<{ model: string }>({ model: modelId }, ["model"]),
      annotations: { readOnlyHint: true },
    },
    ({ model }, { mcpReq: { signal } }) =>
      answering(async () => {
        const detail = await atelier.models.get(model, { signal });
        return toolResult({ ...detail, input: inputOf(await atelier.models.schema(model, { signal })) });
      }),
  );
  server.registerTool(
    "run_model",
    {
      title: "Run a model",
      description:
        "Runs a model and waits up to ten minutes for its answer. Pictures are included; large ones as a small preview with a link to the full file. It may cost credits: credits_used says how many. To retry the same call, for example after a timeout, send the same idempotency_key; it is charged once.",
      inputSchema: modelCall,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    (call, { mcpReq: { signal } }) =>
      answering(async () =>
        presentResult(call.model, await atelier.models.run(call.model, call.input, callOptions(call, signal)), tools),
      ),
  );
}

export async function presentResult(
  model: string,
  result: ModelResult<unknown>,
  tools: PictureTools,
): Promise<CallToolResult> {
  const pictures = { ...tools, openPicture: (url: string) => tools.openPicture(url, model) };
  const { requestId, isReplay, creditsUsed, contentType } = result;
  const facts = { request_id: requestId, replayed: isReplay, credits_used: creditsUsed };
  const content = contentType.includes("json")
    ? await presentAnswer(result.data, pictures)
    : await presentAnswer({ content_type: contentType, bytes: result.bytes.length }, pictures);
  return { content: [...content, { type: "text", text: JSON.stringify(facts) }] };
}

// The document has one path with one input. Returns its schema, and beside it the definitions it refers to, at the locations
// where its references point.
export function inputOf(document: Readonly<Record<string, unknown>>): unknown {
  const schema = followed(document, ["paths", "*", "post", "requestBody", "content", "application/json", "schema"]);
  const reference = followed(schema, ["$ref"]);
  const [, ...names] = typeof reference === "string" ? reference.split("/") : [];
  const whole = names.length > 0 ? followed(document, names) : schema;
  if (typeof whole !== "object" || whole === null) return { type: "object", description: "Any JSON object." };
  const refersOn = JSON.stringify(whole).includes('"#/components/');
  return refersOn ? { ...whole, components: document["components"] } : whole;
}

function followed(value: unknown, names: readonly string[]): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const found = Object.entries(value).find(([each]) => name === "*" || each === name);
  return found === undefined ? undefined : followed(found[1], rest);
}
