// What a provider's documentation says it answers, stored beside its definition, with the expected results. The kit
// serves these answers over HTTP. They are separate from the definition on purpose: a mistake in the definition must not
// be able to make its own check pass.
import { type Static, Type } from "typebox";
import { compileSchema } from "../../foundation/json/schema.ts";

const closed = { additionalProperties: false };
const usd = Type.String({
  pattern: "^(0|[1-9][0-9]{0,6})(\\.[0-9]{1,9})?$",
  description: "US dollars as a decimal text; compared to the millionth, rounded up.",
});
const object = Type.Record(Type.String(), Type.Unknown());

const FixtureAnswer = Type.Object(
  {
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599, description: "200 if absent." })),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    body: Type.Optional(Type.Unknown({ description: "Sent as JSON." })),
    text: Type.Optional(
      Type.String({ description: "Sent as it is instead of a body, under the content type in `headers`." }),
    ),
  },
  { ...closed, description: "An answer of the provider. Its hosts may be named as they are: the kit leads them here." },
);

const ExpectedRequest = Type.Object(
  {
    path: Type.String({ pattern: "^/", description: "With the base URL's own path and with the query." }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "{credential} stands for the setting's value, {jwt} for a token signed with it and still valid.",
      }),
    ),
    body: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: "Members that must be in it." })),
  },
  closed,
);

const FixtureCase = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    input: Type.Optional(object),
    answers: Type.Array(FixtureAnswer, {
      minItems: 1,
      maxItems: 20,
      description: "In the order of the requests: to the submission, to each poll, to the fetch of the output.",
    }),
    means: Type.Union([
      Type.Literal("completed"),
      Type.Literal("refused"),
      Type.Literal("rejected_input"),
      Type.Literal("failed"),
      Type.Literal("cancelled"),
      Type.Literal("timed_out"),
      Type.Literal("our_account"),
      Type.Literal("rate_limited"),
    ]),
    message: Type.Optional(Type.String({ description: "What the caller is told of the provider's words." })),
    charged_usd: Type.Optional(usd),
    key: Type.Optional(
      Type.Union([Type.Literal("free"), Type.Literal("used")], {
        description: "Whether the call's Idempotency-Key may be used again: it was refused at the door.",
      }),
    ),
  },
  closed,
);

const FixturePrice = Type.Object(
  {
    input: object,
    reported: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))),
    held_usd: Type.Optional(usd),
    charged_usd: Type.Optional(usd),
  },
  closed,
);

export const ModelFixtures = Type.Object(
  {
    submit: ExpectedRequest,
    poll: Type.Optional(ExpectedRequest),
    fetch: Type.Optional(ExpectedRequest),
    ask: Type.Optional(ExpectedRequest),
    cases: Type.Array(FixtureCase, { minItems: 1, maxItems: 100 }),
    prices: Type.Optional(Type.Array(FixturePrice, { maxItems: 100 })),
  },
  closed,
);
export type ModelFixtures = Static<typeof ModelFixtures>;
export type FixtureAnswer = Static<typeof FixtureAnswer>;
export type FixtureCase = Static<typeof FixtureCase>;
export type ExpectedRequest = Static<typeof ExpectedRequest>;

export const ProviderFixtures = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    provider: Type.String(),
    models: Type.Record(Type.String(), ModelFixtures, { description: "By the model's name, without the provider." }),
  },
  closed,
);
export type ProviderFixtures = Static<typeof ProviderFixtures>;

export type ReadFixtures =
  | { readonly ok: true; readonly fixtures: ProviderFixtures }
  | { readonly ok: false; readonly problems: readonly string[] };

export function readFixtures(value: unknown): ReadFixtures {
  const shape = compileSchema(ProviderFixtures);
  if (shape.accepts(value)) return { ok: true, fixtures: value };
  return {
    ok: false,
    problems: shape.violations(value).map(({ path, message }) => `${path || "the fixtures"} ${message}`),
  };
}
