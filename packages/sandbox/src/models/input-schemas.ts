// What each model takes, as JSON Schema 2020-12. Callers see these documents, and our own check reads them.

export interface MemberSchema {
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly title?: string;
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly examples?: readonly (string | number)[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly enum?: readonly string[];
}

export interface InputSchema {
  readonly $schema: "https://json-schema.org/draft/2020-12/schema";
  readonly title: string;
  readonly type: "object";
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, MemberSchema>>;
}

export const simulations = ["refuse", "fail", "hang", "reset", "truncate", "drip", "html", "rate_limit"] as const;
export type Simulation = (typeof simulations)[number];

export const simulateSecondsMax = 900;
export interface Bounds {
  readonly default: number;
  readonly least: number;
  readonly most: number;
}

export const pictureSide: Bounds = { default: 1024, least: 64, most: 2048 };
const clipSide = { least: 64, most: 512 } as const;
export const clipSeconds: Bounds = { default: 4, least: 1, most: 10 };

const prompt: MemberSchema = {
  type: "string",
  description: "What to make. Words for scenes, times of day, colours and a few subjects are understood.",
  minLength: 1,
  maxLength: 4000,
  examples: ["a lighthouse at dusk"],
};
const seed: MemberSchema = {
  type: "integer",
  description: "The same prompt and seed make the same result. Any integer of any size; random if absent.",
  examples: [42],
};
const simulate: MemberSchema = {
  type: "string",
  description: "Simulates a failure, to test how your application handles it.",
  enum: simulations,
};
const simulateSeconds: MemberSchema = {
  type: "number",
  description: "How long the simulated failure lasts. Without simulate: how long the work takes.",
  minimum: 0,
  maximum: simulateSecondsMax,
};
const misbehaviour = { simulate, simulate_seconds: simulateSeconds };

const side = (name: string, bounds: Bounds): MemberSchema => ({
  type: "integer",
  description: `The ${name} in pixels, a multiple of 8.`,
  minimum: bounds.least,
  maximum: bounds.most,
  multipleOf: 8,
  default: bounds.default,
});

const schemaOf = (title: string, properties: Readonly<Record<string, MemberSchema>>): InputSchema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  type: "object",
  required: ["prompt"],
  properties: { prompt, seed, ...properties, ...misbehaviour },
});

export const inputSchemas = {
  image: schemaOf("Sandbox picture", {
    width: side("width", pictureSide),
    height: side("height", pictureSide),
    response_format: {
      type: "string",
      description: "Whether the picture comes as a URL that expires or as base64.",
      enum: ["url", "b64_json"],
      default: "url",
    },
  }),
  video: schemaOf("Sandbox clip", {
    seconds: {
      type: "integer",
      description: "The length of the clip in seconds.",
      minimum: clipSeconds.least,
      maximum: clipSeconds.most,
      default: clipSeconds.default,
    },
    width: side("width", { ...clipSide, default: 384 }),
    height: side("height", { ...clipSide, default: 216 }),
  }),
  voice: schemaOf("Sandbox voice", {}),
  text: schemaOf("Sandbox text", {
    stream: {
      type: "boolean",
      description: "Whether the text comes word by word, as server-sent events.",
      default: false,
    },
  }),
} as const;
