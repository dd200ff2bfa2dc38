// A provider as data: where it is, how we prove who we are, and for each model how a call is sent, followed, read and
// paid for. No code per provider (decisions, section 3). JSON, so that it can stand in a file or come by the admin API.
import { type Static, Type } from "typebox";

const pointer = Type.String({ pattern: "^(/[^/]*)*$", maxLength: 200, description: "A JSON pointer." });
const words = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50 });
const path = Type.String({
  pattern: "^/",
  maxLength: 500,
  description: "A path below the base URL; {handle} and {reference} are filled in.",
});
const closed = { additionalProperties: false };
const headers = Type.Record(Type.String(), Type.String(), {
  description: "Fixed headers, by name. Never a credential.",
});
const headerName = Type.String({ pattern: "^[A-Za-z0-9-]{1,64}$" });

// What a reader needs to judge a definition: where it was read, and what nobody has confirmed at the provider yet.
const provenance = {
  documentation: Type.Optional(
    Type.Array(Type.String({ pattern: "^https://", maxLength: 500 }), {
      maxItems: 20,
      description: "Where the provider documents what stands here.",
    }),
  ),
  unverified: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      maxItems: 50,
      description: "What was written from documentation or by inference and was not confirmed at the provider.",
    }),
  ),
};

export const Credential = Type.Union([
  Type.Object({ kind: Type.Literal("none") }, closed),
  Type.Object(
    { kind: Type.Literal("bearer"), setting: Type.String({ pattern: "^ATELIER_PROVIDER_[A-Z0-9_]+$" }) },
    closed,
  ),
  Type.Object(
    {
      kind: Type.Literal("header"),
      header: headerName,
      prefix: Type.Optional(Type.String({ maxLength: 40 })),
      setting: Type.String({ pattern: "^ATELIER_PROVIDER_[A-Z0-9_]+$" }),
    },
    closed,
  ),
  // `Key id:secret` in Authorization; the setting holds id:secret.
  Type.Object(
    { kind: Type.Literal("key_pair"), setting: Type.String({ pattern: "^ATELIER_PROVIDER_[A-Z0-9_]+$" }) },
    closed,
  ),
  // A JWT signed with HS256; the setting holds id:secret, id becomes `iss`.
  Type.Object(
    {
      kind: Type.Literal("jwt_hs256"),
      setting: Type.String({ pattern: "^ATELIER_PROVIDER_[A-Z0-9_]+$" }),
      seconds: Type.Integer({ minimum: 60, maximum: 3600 }),
    },
    closed,
  ),
]);

// First match wins. Rules also run on HTTP 200: some providers report a refusal inside a success.
const Rule = Type.Object(
  {
    when: Type.Object(
      {
        status: Type.Optional(Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1, maxItems: 50 })),
        pointer: Type.Optional(pointer),
        equals: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
        prefix: Type.Optional(Type.String({ minLength: 1 })),
        in: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]), { minItems: 1, maxItems: 100 })),
        present: Type.Optional(Type.Boolean()),
        without_result: Type.Optional(
          Type.Literal(true, {
            description:
              "Only where none of the model's result pointers holds anything: a part that was refused is no refusal.",
          }),
        ),
      },
      closed,
    ),
    means: Type.Union([
      Type.Literal("refused"),
      Type.Literal("rejected_input"),
      Type.Literal("failed"),
      Type.Literal("timed_out"),
      Type.Literal("our_account"),
      Type.Literal("rate_limited"),
    ]),
    message: Type.Optional(pointer),
  },
  closed,
);

const Poll = Type.Object(
  {
    handle: pointer,
    // A pointer to a URL in the submit answer, whose host must be on the list, or a template below the base URL. With
    // both, the template is used where the URL leads elsewhere.
    path: Type.Optional(path),
    url: Type.Optional(pointer),
    // Where the output is read once the state says success; absent: the poll's own answer is the output.
    fetch: Type.Optional(
      Type.Object(
        {
          path: Type.Optional(path),
          url: Type.Optional(pointer),
          failed: Type.Optional(
            Type.Array(Type.Integer({ minimum: 500, maximum: 599 }), {
              minItems: 1,
              description: "Statuses that tell the end of the task and no trouble with reading.",
            }),
          ),
        },
        closed,
      ),
    ),
    hosts: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 20 })),
    interval_ms: Type.Integer({ minimum: 50, maximum: 60_000 }),
    interval_ms_max: Type.Optional(Type.Integer({ minimum: 50, maximum: 60_000 })),
    state: pointer,
    pending: words,
    succeeded: words,
    failed: Type.Optional(words),
    refused: Type.Optional(words),
    message: Type.Optional(pointer),
  },
  closed,
);

export const ModelDefinition = Type.Object(
  {
    model: Type.String({ pattern: "^[a-z0-9]+([._-][a-z0-9]+)*$", maxLength: 128 }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 4000 })),
    ...provenance,
    released: Type.Boolean(),
    submit: Type.Object(
      {
        path,
        encoding: Type.Union([Type.Literal("json"), Type.Literal("multipart")]),
        headers: Type.Optional(headers),
        // Splices the model's name into the body at the byte level; absent by default (decisions, section 3).
        model_member: Type.Optional(Type.Object({ name: Type.String(), value: Type.String() }, closed)),
      },
      closed,
    ),
    poll: Type.Optional(Poll),
    // Success needs at least one non-empty value at one of these; absent: any 2xx is a success.
    result: Type.Optional(Type.Array(pointer, { minItems: 1, maxItems: 20 })),
    // Native outputs that are not JSON, with their own content type.
    output_types: Type.Optional(Type.Array(Type.String({ minLength: 3 }), { maxItems: 10 })),
    rules: Type.Optional(Type.Array(Rule, { maxItems: 50 })),
    price: Type.Unknown({ description: "A price definition." }),
    // Where the answer says what was used: name in the price → pointer, or a header of the answer.
    usage: Type.Optional(
      Type.Record(Type.String(), Type.Union([pointer, Type.Object({ header: headerName }, closed)])),
    ),
    charges_on_policy_rejection: Type.Union([Type.Literal("yes"), Type.Literal("no"), Type.Literal("unknown")]),
    input_schema: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    example: Type.Optional(Type.Unknown()),
    recovery: Type.Union([Type.Literal("ask"), Type.Literal("repeat"), Type.Literal("neither")]),
    // Where the original answer to our reference can be read again, byte for byte.
    ask: Type.Optional(
      Type.Object(
        {
          path,
          not_found: Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1 }),
          running: Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1 }),
        },
        closed,
      ),
    ),
    longest_run_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
  },
  closed,
);
export type ModelDefinition = Static<typeof ModelDefinition>;

export const ProviderDefinition = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500, description: "For editors." })),
    provider: Type.String({ pattern: "^[a-z0-9]+([._-][a-z0-9]+)*$", maxLength: 64 }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    base_url: Type.String({ pattern: "^https?://[^/]+", maxLength: 500 }),
    ...provenance,
    credential: Credential,
    headers: Type.Optional(headers),
    // The header in which the provider takes our reference for a call.
    reference_header: Type.Optional(headerName),
    models: Type.Array(ModelDefinition, { minItems: 1, maxItems: 500 }),
  },
  closed,
);
export type ProviderDefinition = Static<typeof ProviderDefinition>;
export type PollDefinition = Static<typeof Poll>;
export type ProviderRule = Static<typeof Rule>;
