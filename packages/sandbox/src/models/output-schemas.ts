// What each model answers, as JSON Schema 2020-12, for people who program against it. A test checks the models' output against
// these; members may be added, so none is closed.
export interface ValueSchema {
  readonly type: "string" | "integer" | "number" | "array" | "object";
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

const text = (description: string): ValueSchema => ({ type: "string", description });
const count = (description: string, maximum = 1_000_000): ValueSchema => ({
  type: "integer",
  description,
  minimum: 0,
  maximum,
});
const id = text("A new id for this result.");
const prompt = text("The prompt as submitted.");
// Keeps all the digits it was given.
const seed: ValueSchema = { type: "integer", description: "The seed that was given or chosen at random." };
const width = count("The width in pixels.");
const height = count("The height in pixels.");
const url = text("A URL that works for a limited time.");

// Members are required unless they are listed as optional.
function object(
  description: string,
  properties: Readonly<Record<string, ValueSchema>>,
  optional: readonly string[] = [],
): ValueSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", description, required, properties };
}

const picture = object(
  "One PNG.",
  {
    url,
    b64_json: text("The PNG as base64, if `response_format` asks for it."),
    content_type: text("`image/png`."),
    width,
    height,
  },
  ["url", "b64_json"],
);
const image = object("The picture and how it was made.", {
  id,
  seed,
  width,
  height,
  images: { type: "array", description: "One picture.", items: picture },
  prompt,
  usage: object("What the price is based on.", {
    megapixels: { type: "number", description: "Width × height in millions." },
  }),
});
const clip = object("One animated WebP.", {
  url,
  content_type: text("`image/webp`."),
  width,
  height,
  seconds: count("Its length."),
  frames: count("The number of frames."),
  frames_per_second: count("Frames per second."),
});
const video = object("The clip and how it was made.", {
  id,
  seed,
  width,
  height,
  video: clip,
  prompt,
  usage: object("What the price is based on.", { seconds: count("The clip's length.") }),
});

const finished = (result: ValueSchema): ValueSchema =>
  object("A task that succeeded.", {
    id: text("The task's id."),
    model: text("The model's name."),
    status: text("`SUCCEEDED`."),
    status_url: text("The URL to poll for the task."),
    created_at: text("When it was submitted."),
    seed,
    progress: { type: "number", description: "1." },
    result,
  });

export const outputSchemas = {
  image,
  queuedImage: finished(image),
  queuedVideo: finished(video),
  text: object("The text and how it was made.", {
    id,
    seed,
    text: text("A few sentences."),
    usage: object("Token counts.", {
      input_tokens: count("Tokens of the prompt."),
      output_tokens: count("Tokens of the text."),
    }),
  }),
  open: { type: "object", description: "The input, byte for byte." },
} as const satisfies Readonly<Record<string, ValueSchema>>;
