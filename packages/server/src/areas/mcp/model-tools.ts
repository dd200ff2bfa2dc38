// Tools for the model router.
import type { Atelier, ModelResult } from "@atelier/sdk";
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { callOptions, modelCall, modelId } from "./model-call.ts";
import { inputOf } from "./model-input.ts";
import { type PictureTools, presentAnswer } from "./pictures.ts";
import { answering, taking, toolResult } from "./tool-answer.ts";
import { isWorkId } from "./work-names.ts";
import { outputLinks, workPictures } from "./work-outputs.ts";

export function registerModelTools(server: McpServer, atelier: Atelier, tools: PictureTools): void {
  server.registerTool(
    "list_models",
    {
      title: "List models",
      description:
        "Lists every model that can be run here: id (provider/model), title, what it makes (image, video, audio, text), price in credits, and whether a refusal on policy grounds is charged. `kind` and `q` narrow the list. Take an id from here for describe_model and run_model. Workflows that people published are not in the list: each is a tool of its own, work_….",
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
        presentResult(
          { atelier, tools },
          call.model,
          await atelier.models.run(call.model, call.input, callOptions(call, signal)),
        ),
      ),
  );
}

export interface Presenting {
  readonly atelier: Atelier;
  readonly tools: PictureTools;
}

export async function presentResult(
  { atelier, tools }: Presenting,
  model: string,
  result: ModelResult<unknown>,
): Promise<CallToolResult> {
  const isWork = isWorkId(model);
  const openPicture = isWork ? workPictures(atelier, result.data) : (url: string) => tools.openPicture(url, model);
  const pictures = { ...tools, openPicture };
  const { requestId, isReplay, creditsUsed, contentType } = result;
  const facts = { request_id: requestId, replayed: isReplay, credits_used: creditsUsed };
  const content = contentType.includes("json")
    ? await presentAnswer(result.data, pictures)
    : await presentAnswer({ content_type: contentType, bytes: result.bytes.length }, pictures);
  const links = isWork ? outputLinks(result.data) : [];
  return { content: [...content, ...links, { type: "text", text: JSON.stringify(facts) }] };
}
