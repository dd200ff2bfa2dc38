// A picture from a model of the router. The node only states its request: the host calls, pays and stores the answer under a key
// made of job, node and input, so that a second attempt collects it.
import { NodeError } from "../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../execution/node-runner.ts";
import { decodePictures } from "../files/decode.ts";
import { exactJson } from "../files/embed-graph.ts";
import { int, seedMax, text } from "../graph/describe-inputs.ts";
import { isRecord } from "../graph/graph.ts";
import { type FoundPicture, foundPictures } from "./found-pictures.ts";

export const modelImage: NodeRunner = {
  description: {
    name: "AtelierModelImage",
    displayName: "Model Image",
    category: "models",
    description: "Makes a picture with a model of the router. The members of `parameters` are added to its input.",
    inputs: [
      text("model", "sandbox/image-1", { tooltip: "The canonical id: provider/model." }),
      text("prompt", "", { multiline: true }),
      int("width", 1024, 64, 4096, { step: 8 }),
      int("height", 1024, 64, 4096, { step: 8 }),
      int("seed", 0, 0, seedMax, { controlAfterGenerate: true }),
      text("parameters", '{"response_format": "b64_json"}', { multiline: true, optional: true }),
    ],
    outputs: [{ type: "IMAGE", name: "IMAGE" }],
    callsModel: true,
  },
  weight: 20,
  async run(inputs, context) {
    const model = inputs.text("model").trim();
    if (!/^[^/\s]+\/[^\s]+$/.test(model)) throw new NodeError("model: expected an id such as provider/model.");
    const input = {
      prompt: inputs.text("prompt"),
      width: inputs.int("width"),
      height: inputs.int("height"),
      seed: inputs.bigInt("seed"),
      ...parametersOf(inputs.text("parameters")),
    };
    const answer = await context.callModel({ model, input: Buffer.from(exactJson(input)) });
    const isPicture = answer.contentType.startsWith("image/");
    const bytes = isPicture ? answer.bytes : await firstPicture(answer.bytes, context);
    return [(await decodePictures(bytes, context)).picture];
  },
};

function parametersOf(json: string): Readonly<Record<string, unknown>> {
  if (json.trim() === "") return {};
  const parsed = parseJson(json);
  if (!isRecord(parsed)) throw new NodeError("parameters: expected a JSON object.");
  return parsed;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

async function firstPicture(answer: Uint8Array, context: NodeContext): Promise<Uint8Array | string> {
  const [found] = foundPictures(parseJson(Buffer.from(answer).toString("utf8")));
  if (!found) throw new NodeError("The model's answer contains no picture.", "model_call_failed");
  return bytesOf(found, context);
}

function bytesOf(found: FoundPicture, context: NodeContext): Uint8Array | Promise<string> {
  return "base64" in found ? Buffer.from(found.base64, "base64") : context.file({ kind: "url", url: found.url });
}
