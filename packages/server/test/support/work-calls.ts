// Graphs and forms of works for tests, and what calls of them made.
import assert from "node:assert/strict";
import { memberOf, textOf } from "./app-client.ts";

export const slowWork = (seconds: number) => ({
  graph: {
    "1": {
      class_type: "AtelierModelImage",
      inputs: {
        model: "sandbox/image-1-queued",
        prompt: "slow",
        width: 64,
        height: 64,
        seed: 1,
        parameters: `{"response_format": "b64_json", "simulate_seconds": ${seconds}}`,
      },
    },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "slow" } },
  },
  form: { inputs: [], outputs: [{ name: "picture", node: "2" }] },
});

export const posterGraph = {
  "1": {
    class_type: "AtelierModelImage",
    inputs: {
      model: "sandbox/image-1-queued",
      prompt: "a lighthouse",
      width: 64,
      height: 64,
      seed: 1,
      parameters: '{"response_format": "b64_json", "simulate_seconds": 0}',
    },
  },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "poster" } },
};
export const posterForm = {
  inputs: [
    { name: "prompt", node: "1", input: "prompt", kind: "text", maximum: 200, required: true },
    { name: "seed", node: "1", input: "seed", kind: "integer", minimum: 0, maximum: 4_294_967_295, random: true },
    { name: "width", node: "1", input: "width", kind: "integer", minimum: 64, maximum: 512, step: 8 },
  ],
  outputs: [{ name: "picture", node: "2" }],
};

export async function pictureOf(answer: { json(): unknown }, output: string): Promise<Buffer> {
  const files = memberOf(memberOf(answer.json(), "outputs"), output);
  assert.ok(Array.isArray(files) && files.length === 1, JSON.stringify(files));
  const response = await fetch(textOf(files[0], "url"));
  assert.equal(response.status, 200);
  return Buffer.from(await response.arrayBuffer());
}

// The graph inside the file differs: it names files of another workspace.
export async function pixelsOf(answer: { json(): unknown }, output: string): Promise<Buffer[]> {
  const bytes = await pictureOf(answer, output);
  const pixels: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT")
      pixels.push(bytes.subarray(at, at + 12 + bytes.readUInt32BE(at)));
  return pixels;
}
