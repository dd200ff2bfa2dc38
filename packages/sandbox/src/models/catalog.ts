// The sandbox's models as data: everything a gateway needs to list, check, call, poll, price and look up. Plain JSON, so that it
// can be turned into provider definitions without knowing this package.
import { type Bounds, clipSeconds, type InputSchema, inputSchemas, pictureSide } from "./input-schemas.ts";
import { outputSchemas, type ValueSchema } from "./output-schemas.ts";

type SandboxModelName = "image-1" | "image-1-queued" | "video-1" | "voice-1" | "text-1" | "open-1";

export interface SandboxModel {
  readonly id: `sandbox/${SandboxModelName}`;
  readonly name: SandboxModelName;
  readonly title: string;
  readonly description: string;
  readonly method: "POST";
  readonly path: `/v1/${SandboxModelName}`;
  readonly mode: "direct" | "queued";
  readonly modalities: { readonly input: readonly string[]; readonly output: readonly string[] };
  // Null for any JSON object, which is echoed.
  readonly inputSchema: InputSchema | null;
  readonly output: {
    readonly description: string;
    // For the final answer; for a queued model, for the poll that says SUCCEEDED.
    readonly contentType: string;
    // Null if it is not JSON.
    readonly schema: ValueSchema | null;
    // At least one of these holds the result. Empty if the body itself is the result.
    readonly resultPointers: readonly string[];
    readonly seedPointer: string | null;
    readonly usagePointers: Readonly<Record<string, string>>;
    // How it streams, if it does: the input's member that asks for it, the last event's data, and how the events make the answer.
    readonly stream?: {
      readonly member: string;
      readonly end: { readonly data: string };
      readonly whole: readonly { readonly from: string; readonly into: string; readonly as: "set" | "append" }[];
    };
  };
  readonly poll: typeof poll | null;
  // Applies to the direct answer (HTTP 200 included) or, for a queued model, to the poll's answer.
  readonly refusal: { readonly pointer: string; readonly equals: string } | null;
  readonly failure: { readonly pointer: string; readonly equals: string } | null;
  // In the gateway's price language: dollars as decimal strings.
  readonly price: PriceRecord;
  // Node classes that use it: their badges are made from the price.
  readonly nodes: readonly SandboxNode[];
  readonly chargesOnPolicyRejection: "yes" | "no" | "unknown";
  readonly longestRunSeconds: number;
  readonly lookUp: typeof lookUp;
  // Whether a second submission under the same reference joins the first instead of running again.
  readonly isIdempotent: boolean;
}

interface SandboxNode {
  readonly name: string;
  readonly platforms?: readonly ("cloud" | "local")[];
  readonly from_version?: string;
  readonly until_version?: string;
  // The price's name of a widget → the node's own.
  readonly widgets?: Readonly<Record<string, string>>;
}

interface Side extends Bounds {
  readonly from: string;
}

interface PriceRecord {
  readonly usd:
    | string
    | { readonly kind: "per_second"; readonly seconds: Side & { readonly reported: string }; readonly each: string }
    | {
        readonly kind: "per_megapixel";
        readonly width: Side;
        readonly height: Side;
        readonly reported: string;
        readonly each: string;
      };
}

const lookUp = {
  header: "X-Request-Reference",
  path: "/v1/references/{reference}",
  responsePath: "/v1/references/{reference}/response",
  statePointer: "/status",
} as const;

const poll = {
  handlePointer: "/id",
  urlPointer: "/status_url",
  path: "/v1/tasks/{id}",
  intervalSeconds: 0.5,
  statePointer: "/status",
  progressPointer: "/progress",
  pending: ["QUEUED", "RUNNING"],
  success: ["SUCCEEDED"],
  failure: ["FAILED"],
  refusal: ["REFUSED"],
  cancelled: ["CANCELLED"],
  // A cancelled task is charged for what it reports.
  cancel: { method: "POST", path: "/v1/tasks/{id}/cancel", charged: "reported" },
} as const;

const direct = {
  method: "POST",
  mode: "direct",
  poll: null,
  refusal: { pointer: "/error/code", equals: "content_policy" },
  failure: { pointer: "/error/code", equals: "generation_failed" },
  price: { usd: "0" },
  chargesOnPolicyRejection: "no",
  // The longest simulated wait, plus the work itself.
  longestRunSeconds: 960,
  lookUp,
  isIdempotent: false,
} as const;
const queued = { ...direct, mode: "queued", poll, refusal: null, failure: null, isIdempotent: true } as const;

const named = <Name extends SandboxModelName>(name: Name, title: string) =>
  ({ id: `sandbox/${name}`, name, title, path: `/v1/${name}` }) as const;
// The body contains the seed.
const jsonOutput = { contentType: "application/json", seedPointer: "/seed" } as const;

export const sandboxModels: readonly SandboxModel[] = [
  {
    ...direct,
    ...named("image-1", "Sandbox Image 1"),
    description: "Draws a picture from a prompt and a seed on your own machine and returns it at once. Free.",
    modalities: { input: ["text"], output: ["image"] },
    nodes: [{ name: "SandboxImageNode" }, { name: "SandboxLegacyImageNode", until_version: "1.2.0" }],
    inputSchema: inputSchemas.image,
    output: {
      ...jsonOutput,
      description: "One PNG, as a URL or as base64, with the seed, the size and the megapixels.",
      schema: outputSchemas.image,
      resultPointers: ["/images/0/url", "/images/0/b64_json"],
      usagePointers: { megapixels: "/usage/megapixels" },
    },
  },
  {
    ...queued,
    ...named("image-1-queued", "Sandbox Image 1, queued"),
    description: "The same pictures behind a queue: submit, then poll the task until it ends.",
    modalities: { input: ["text"], output: ["image"] },
    nodes: [
      { name: "SandboxMegapixelImageNode" },
      // Only the managed cloud has a queue that its users share.
      { name: "SandboxSharedQueueNode", platforms: ["cloud"], from_version: "1.1.0" },
    ],
    inputSchema: inputSchemas.image,
    output: {
      ...jsonOutput,
      description: "The finished task, with the picture under result.",
      schema: outputSchemas.queuedImage,
      resultPointers: ["/result/images/0/url", "/result/images/0/b64_json"],
      usagePointers: { megapixels: "/result/usage/megapixels" },
    },
    price: {
      usd: {
        kind: "per_megapixel",
        width: { from: "/width", ...pictureSide },
        height: { from: "/height", ...pictureSide },
        reported: "megapixels",
        each: "0.02",
      },
    },
  },
  {
    ...queued,
    ...named("video-1", "Sandbox Video 1"),
    description: "A short moving picture (animated WebP) that takes a few seconds to make.",
    modalities: { input: ["text"], output: ["video"] },
    nodes: [
      { name: "SandboxVideoNode" },
      // Its widget was called duration before 1.5.0.
      {
        name: "SandboxDraftVideoNode",
        from_version: "1.0.0",
        until_version: "1.5.0",
        widgets: { seconds: "duration" },
      },
      { name: "SandboxDraftVideoNode", from_version: "1.5.0" },
    ],
    inputSchema: inputSchemas.video,
    output: {
      ...jsonOutput,
      description:
        "The finished task, with the clip's URL under result. A refused task is charged for its seconds too.",
      schema: outputSchemas.queuedVideo,
      resultPointers: ["/result/video/url"],
      usagePointers: { seconds: "/result/usage/seconds" },
    },
    price: {
      usd: {
        kind: "per_second",
        seconds: { from: "/seconds", ...clipSeconds, reported: "seconds" },
        each: "0.05",
      },
    },
    chargesOnPolicyRejection: "yes",
  },
  {
    ...direct,
    ...named("voice-1", "Sandbox Voice 1"),
    description: "Hums the prompt: a synthesised voice as WAV bytes, as long as the text.",
    modalities: { input: ["text"], output: ["audio"] },
    nodes: [
      { name: "SandboxVoiceNode", until_version: "1.3.0" },
      { name: "SandboxSpeechNode", from_version: "1.3.0" },
    ],
    inputSchema: inputSchemas.voice,
    output: {
      description: "The WAV file; the seed is in the X-Seed header. A refusal is JSON.",
      contentType: "audio/wav",
      schema: null,
      resultPointers: [],
      seedPointer: null,
      usagePointers: {},
    },
    price: { usd: "0.01" },
  },
  {
    ...direct,
    ...named("text-1", "Sandbox Text 1"),
    description: "A few sentences about the prompt from a small grammar, also word by word. Free.",
    modalities: { input: ["text"], output: ["text"] },
    nodes: [{ name: "SandboxChatNode" }],
    inputSchema: inputSchemas.text,
    output: {
      ...jsonOutput,
      description: "The text, the seed and the number of tokens. With stream, the same in events.",
      schema: outputSchemas.text,
      resultPointers: ["/text"],
      usagePointers: { input_tokens: "/usage/input_tokens", output_tokens: "/usage/output_tokens" },
      stream: {
        member: "stream",
        end: { data: "[DONE]" },
        whole: [
          { from: "/id", into: "/id", as: "set" },
          { from: "/seed", into: "/seed", as: "set" },
          { from: "/text", into: "/text", as: "append" },
          { from: "/usage", into: "/usage", as: "set" },
          { from: "/error", into: "/error", as: "set" },
        ],
      },
    },
  },
  {
    ...direct,
    ...named("open-1", "Sandbox Open 1"),
    description: "Takes any JSON object and returns the same bytes. Free.",
    modalities: { input: ["json"], output: ["json"] },
    nodes: [{ name: "SandboxOpenNode" }],
    inputSchema: null,
    output: {
      ...jsonOutput,
      description: "The input, byte for byte.",
      schema: outputSchemas.open,
      resultPointers: [],
      usagePointers: {},
    },
    refusal: null,
    failure: null,
  },
];
