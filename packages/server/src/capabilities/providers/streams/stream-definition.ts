// How a model streams, as data: which member of the input asks for it, how the last event is recognised, and how the events
// become the body that the same call has without a stream. Results, rules and usage are read from that body, so a definition
// says each of them once.
import { type Static, Type } from "typebox";
import { pointerPattern } from "../pointer-pattern.ts";

const closed = { additionalProperties: false };
const pointer = (description: string) =>
  Type.String({ pattern: pointerPattern, maxLength: 200, description: `JSON pointer: ${description}` });
const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const match = Type.Object({ pointer: pointer("a value in the event."), equals: scalar }, closed);

const StreamStep = Type.Object(
  {
    when: Type.Optional(match),
    each: Type.Optional(pointer("a list in the event; the step is done for every element of it.")),
    from: Type.Optional(pointer("the value in the event, or in the element. Without one there, nothing is done.")),
    value: Type.Optional(Type.Union([scalar], { description: "A fixed value instead of `from`." })),
    into: pointer("its place in the body; {index} is the number at /index of the element, or of the event."),
    as: Type.Union(
      [Type.Literal("set"), Type.Literal("append"), Type.Literal("push"), Type.Literal("merge"), Type.Literal("json")],
      {
        description:
          "set: replaces what is there. append: texts are joined. push: one more element of a list. merge: objects member by member, texts joined, lists by their elements' index. json: texts are joined, and the whole is read as JSON.",
      },
    ),
    replaced: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: 20,
        description: "With merge: members whose texts replace each other instead of being joined.",
      }),
    ),
  },
  { ...closed, description: "One step that every event goes through, in the order of the list." },
);

export const StreamDefinition = Type.Object(
  {
    member: Type.String({ minLength: 1, maxLength: 100, description: "The input's member that is true for a stream." }),
    end: Type.Union([Type.Object({ data: Type.String({ minLength: 1, maxLength: 100 }) }, closed), match], {
      description: "How the last event is recognised: by its whole data, or by a value in it.",
    }),
    whole: Type.Array(StreamStep, { minItems: 1, maxItems: 40, description: "How the body is made from the events." }),
    failed: Type.Optional(pointer("a place in the body where a value says that the provider failed half-way.")),
    idle_seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3600,
        description: "A stream without a complete line for so long is given up; 120 if absent.",
      }),
    ),
  },
  {
    ...closed,
    description: "Present: the provider can send this model's answer as server-sent events.",
  },
);
export type StreamDefinition = Static<typeof StreamDefinition>;
export type StreamStep = Static<typeof StreamStep>;

const idleSecondsUsual = 120;

export const idleMsOf = ({ idle_seconds }: StreamDefinition): number => (idle_seconds ?? idleSecondsUsual) * 1000;

// Whether this input asks for a stream, and the model has one.
export function streamOf(
  { stream }: { readonly stream?: StreamDefinition },
  document: unknown,
): StreamDefinition | null {
  if (stream === undefined || typeof document !== "object" || document === null) return null;
  return Object.hasOwn(document, stream.member) && Reflect.get(document, stream.member) === true ? stream : null;
}

export const eventStreamType = "text/event-stream";

export function isEventStream(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType);
}
