// Generates a model's output, as the fields of its answer. The caller stores files; there is no HTTP here.
import { randomUUID } from "node:crypto";
import { frameCount, framesPerSecond } from "../pictures/animation.ts";
import { encodeAnimation, encodePng } from "../pictures/encode.ts";
import { ExactNumber, writeJson } from "./exact-json.ts";
import type { ModelInput } from "./read-input.ts";
import type { Studio } from "./studio.ts";
import { tokenCount, writeText } from "./text.ts";
import { voiceSeconds } from "./voice.ts";

export interface GenerateDeps {
  readonly studio: Studio;
  // Stores a file for a while and returns its address.
  readonly publish: (bytes: Uint8Array, contentType: string, extension: string) => string;
}

export async function generateImage(deps: GenerateDeps, input: ModelInput): Promise<object> {
  const width = input.number("width");
  const height = input.number("height");
  const request = { prompt: input.prompt, seed: input.seed.digits, width, height };
  const pixels = await deps.studio.render({ kind: "picture", ...request });
  const png = await encodePng(pixels, width, height);
  const content =
    input.word("response_format") === "b64_json"
      ? { b64_json: png.toString("base64") }
      : { url: deps.publish(png, "image/png", "png") };
  return {
    id: randomUUID(),
    seed: new ExactNumber(input.seed.text),
    width,
    height,
    images: [{ ...content, content_type: "image/png", width, height }],
    prompt: input.prompt,
    usage: { megapixels: (width * height) / 1_000_000 },
  };
}

export async function generateVideo(deps: GenerateDeps, input: ModelInput): Promise<object> {
  const [width, height, seconds] = [input.number("width"), input.number("height"), input.number("seconds")];
  const request = { prompt: input.prompt, seed: input.seed.digits, width, height, seconds };
  const pixels = await deps.studio.render({ kind: "animation", ...request });
  const frame = { width, height, count: frameCount(seconds), milliseconds: 1000 / framesPerSecond };
  const url = deps.publish(await encodeAnimation(pixels, frame), "image/webp", "webp");
  return {
    id: randomUUID(),
    seed: new ExactNumber(input.seed.text),
    width,
    height,
    video: {
      url,
      content_type: "image/webp",
      width,
      height,
      seconds,
      frames: frame.count,
      frames_per_second: framesPerSecond,
    },
    prompt: input.prompt,
    usage: { seconds },
  };
}

export async function generateVoice(
  deps: GenerateDeps,
  input: ModelInput,
): Promise<{ bytes: Uint8Array; seconds: number }> {
  const bytes = await deps.studio.render({ kind: "voice", prompt: input.prompt, seed: input.seed.digits });
  return { bytes, seconds: voiceSeconds(input.prompt) };
}

export function generateText(input: ModelInput) {
  const text = writeText({ prompt: input.prompt, seed: input.seed.digits });
  return {
    id: randomUUID(),
    seed: new ExactNumber(input.seed.text),
    text,
    usage: { input_tokens: tokenCount(input.prompt), output_tokens: tokenCount(text) },
  };
}

// The same in events: who is writing, one event for each word, what was used, and the end.
export function generateEvents(input: ModelInput): Uint8Array {
  const { id, seed, text, usage } = generateText(input);
  const words = text.match(/\S+\s*/g) ?? [];
  const events = [{ id, seed }, ...words.map((word) => ({ text: word })), { usage }].map(writeJson);
  return Buffer.from([...events, "[DONE]"].map((data) => `data: ${data}\n\n`).join(""));
}
