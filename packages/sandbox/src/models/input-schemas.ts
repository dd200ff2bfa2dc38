// What each model takes, as JSON Schema 2020-12. These are the documents that callers see and that our own check reads.

export interface MemberSchema {
  readonly type: "string" | "integer" | "number";
  readonly title?: string;
  readonly description: string;
  readonly default?: string | number;
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
export const pictureSide = { least: 64, most: 2048, usual: 1024 } as const;
const clipSide = { least: 64, most: 512, width: 384, height: 216 } as const;
export const clipSeconds = { least: 1, most: 10, usual: 4 } as const;

const prompt: MemberSchema = {
  type: "string",
  description: "What to make. Scenes, times of day, colours and a few subjects are understood by their words.",
  minLength: 1,
  maxLength: 4000,
  examples: ["a lighthouse at dusk"],
};
const seed: MemberSchema = {
  type: "integer",
  description: "The same prompt and seed make the same result. Any integer, of any size; drawn at random if absent.",
  examples: [42],
};
const simulate: MemberSchema = {
  type: "string",
  description: "Orders misbehaviour, to try out how an application bears it.",
  enum: simulations,
};
const simulateSeconds: MemberSchema = {
  type: "number",
  description: "How long the misbehaviour lasts. Without simulate: how long the work takes.",
  minimum: 0,
  maximum: simulateSecondsMax,
};
const misbehaviour = { simulate, simulate_seconds: simulateSeconds };

const side = (name: string, least: number, most: number, usual: number): MemberSchema => ({
  type: "integer",
  description: `The ${name} in pixels, a multiple of 8.`,
  minimum: least,
  maximum: most,
  multipleOf: 8,
  default: usual,
});

const schemaOf = (title: string, properties: Readonly<Record<string, MemberSchema>>): InputSchema => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title,
  type: "object",
  required: ["prompt"],
  properties: { prompt, seed, ...properties, ...misbehaviour },
});

const pictureMembers = {
  width: side("width", pictureSide.least, pictureSide.most, pictureSide.usual),
  height: side("height", pictureSide.least, pictureSide.most, pictureSide.usual),
  response_format: {
    type: "string",
    description: "Whether the picture comes as an address that expires or as base64.",
    enum: ["url", "b64_json"],
    default: "url",
  },
} as const satisfies Record<string, MemberSchema>;

export const inputSchemas = {
  image: schemaOf("Sandbox picture", pictureMembers),
  video: schemaOf("Sandbox clip", {
    seconds: {
      type: "integer",
      description: "The length of the clip in seconds.",
      minimum: clipSeconds.least,
      maximum: clipSeconds.most,
      default: clipSeconds.usual,
    },
    width: side("width", clipSide.least, clipSide.most, clipSide.width),
    height: side("height", clipSide.least, clipSide.most, clipSide.height),
  }),
  voice: schemaOf("Sandbox voice", {}),
  text: schemaOf("Sandbox text", {}),
} as const;
