// Which models OpenAI-shaped clients can call at which endpoint, and how their requests and answers are translated. All of it is
// data: the shipped file covers shipped models, and operators add files for theirs. No code names a model.
import { type Static, Type } from "typebox";
import { compileSchema } from "../../foundation/json/schema.ts";

const closed = { additionalProperties: false };
const pointer = Type.String({ pattern: "^(/[^/]*)*$", maxLength: 200 });
const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

const Step = Type.Object(
  {
    from: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "The request's member." })),
    to: Type.Union([pointer, Type.Array(pointer, { minItems: 2, maxItems: 2 })], {
      description: "Its place in the model's input; two places for width and height.",
    }),
    as: Type.Optional(
      Type.Union(
        [
          Type.Literal("size"),
          Type.Literal("prompt"),
          Type.Literal("system"),
          Type.Literal("turns"),
          Type.Literal("file"),
          Type.Literal("files"),
        ],
        {
          description:
            "size: 1024x512 becomes two numbers. prompt: the texts of all messages. system: those of system messages. turns: the other messages. file, files: uploads as data URLs.",
        },
      ),
    ),
    within: Type.Optional(
      Type.String({ minLength: 1, description: "With file and files: the member that holds the URL." }),
    ),
    values: Type.Optional(
      Type.Record(Type.String(), scalar, { description: "Their word → the model's. Other words are dropped." }),
    ),
    value: Type.Optional(Type.Union([scalar], { description: "A fixed value instead of `from`." })),
    otherwise: Type.Optional(Type.Union([scalar], { description: "If the request has none." })),
    streams: Type.Optional(Type.Literal(true, { description: "Only if the request asks for a stream." })),
  },
  closed,
);

const Answer = Type.Union([
  Type.Object({ kind: Type.Literal("own") }, { ...closed, description: "The model's answer has their shape." }),
  Type.Object({ kind: Type.Literal("audio") }, closed),
  Type.Object(
    { kind: Type.Literal("pictures"), at: pointer },
    { ...closed, description: "Objects with `url` or `b64_json` below this place." },
  ),
  Type.Object(
    {
      kind: Type.Literal("text"),
      text: pointer,
      event_text: pointer,
      finish: Type.Optional(pointer),
      event_finish: Type.Optional(pointer),
      finish_words: Type.Optional(Type.Record(Type.String(), Type.String())),
      usage: Type.Object({ prompt_tokens: pointer, completion_tokens: pointer }, closed),
      event_usage: Type.Object({ prompt_tokens: Type.Array(pointer), completion_tokens: Type.Array(pointer) }, closed),
    },
    { ...closed, description: "Where the text is, in the whole answer and in an event; * stands for every element." },
  ),
]);

const Mapping = Type.Object(
  {
    endpoint: Type.Union([
      Type.Literal("images/generations"),
      Type.Literal("images/edits"),
      Type.Literal("images/variations"),
      Type.Literal("chat/completions"),
      Type.Literal("audio/speech"),
    ]),
    models: Type.Array(Type.String({ minLength: 3, maxLength: 200 }), {
      minItems: 1,
      maxItems: 500,
      description: "Catalog ids as callers name them. A * at the end stands for any rest.",
    }),
    runs: Type.Optional(
      Type.String({ maxLength: 64, description: "Added to the id for the model that runs, such as -edit." }),
    ),
    own: Type.Optional(
      Type.Literal(true, { description: "Members that the model's schema knows are passed on as they are." }),
    ),
    input: Type.Array(Step, { maxItems: 50 }),
    answer: Answer,
  },
  closed,
);
export const MappingFile = Type.Object(
  { $schema: Type.Optional(Type.String()), mappings: Type.Array(Mapping, { minItems: 1, maxItems: 500 }) },
  closed,
);

export type Mapping = Static<typeof Mapping>;
export type MappingStep = Static<typeof Step>;
export type TextAnswer = Extract<Mapping["answer"], { kind: "text" }>;
export type Endpoint = Mapping["endpoint"];

export type ReadMappings =
  | { readonly ok: true; readonly mappings: readonly Mapping[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export function readMappings(value: unknown): ReadMappings {
  const shape = compileSchema(MappingFile);
  if (!shape.accepts(value))
    return {
      ok: false,
      problems: shape.violations(value).map(({ path, message }) => `${path || "the file"} ${message}`),
    };
  const problems = value.mappings.flatMap(({ input, answer, endpoint }, at) => [
    ...input.flatMap((step, index) =>
      (step.from === undefined) === (step.value === undefined)
        ? [`/mappings/${at}/input/${index} needs either from or value`]
        : [],
    ),
    ...input.flatMap((step, index) =>
      Array.isArray(step.to) === (step.as === "size")
        ? []
        : [`/mappings/${at}/input/${index}/to must be two places with size, and one without`],
    ),
    ...(fits(endpoint, answer.kind) ? [] : [`/mappings/${at}/answer does not fit ${endpoint}`]),
  ]);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, mappings: value.mappings };
}

function fits(endpoint: Endpoint, kind: Mapping["answer"]["kind"]): boolean {
  if (endpoint === "audio/speech") return kind === "audio";
  if (endpoint === "chat/completions") return kind === "own" || kind === "text";
  return kind === "own" || kind === "pictures";
}

// The first mapping that names the model wins, so operators' files come first.
export function findMapping(mappings: readonly Mapping[], endpoint: Endpoint, id: string): Mapping | null {
  return mappings.find((each) => each.endpoint === endpoint && each.models.some((name) => isNamed(name, id))) ?? null;
}

export function endpointsOf(mappings: readonly Mapping[], id: string): Endpoint[] {
  return [...new Set(mappings.map(({ endpoint }) => endpoint))].filter(
    (endpoint) => findMapping(mappings, endpoint, id) !== null,
  );
}

function isNamed(name: string, id: string): boolean {
  return name.endsWith("*") ? id.startsWith(name.slice(0, -1)) : name === id;
}
