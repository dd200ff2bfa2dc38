// A provider as data: its address, its authentication, and for each model how a call is sent, followed, read and paid
// for. No code per provider (decisions, section 3). It is JSON, so it can be in a file or come through the admin API.
import { type Static, Type } from "typebox";
import { pointerPattern } from "./pointer-pattern.ts";
import { StreamDefinition } from "./streams/stream-definition.ts";

// Editors show the descriptions: the JSON schema for definitions is generated from this file.
const pathPattern = "^/";
const settingPattern = "^ATELIER_PROVIDER_[A-Z0-9_]+$";
const namePattern = "^[a-z0-9]+([._-][a-z0-9]+)*$";
const headerPattern = "^[A-Za-z0-9-]{1,64}$";
const addressPattern = "^https?://[^/]+";
const pagePattern = "^https://";
const versionPattern = "^(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})$";

// Shown to people in place of a pattern.
export const pointerWords = "must be a JSON pointer, such as /task/id";
export const locationRule = `${pointerWords}, or {"header": …} with a header's name`;
export const patternWords: ReadonlyMap<string, string> = new Map([
  [pointerPattern, pointerWords],
  [pathPattern, "must begin with /"],
  [settingPattern, "must begin with ATELIER_PROVIDER_ and contain only upper-case letters, digits and _"],
  [namePattern, "must be lower-case letters and digits, with single . _ or - between them"],
  [headerPattern, "must be a header's name: letters, digits and -, at most 64"],
  [addressPattern, "must begin with https:// and a host"],
  [pagePattern, "must begin with https://"],
  [versionPattern, "must be a version such as 1.4.0"],
]);

const pointer = (description: string) =>
  Type.String({ pattern: pointerPattern, maxLength: 200, description: `JSON pointer: ${description}` });
const words = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50, description });
const path = (description: string) => Type.String({ pattern: pathPattern, maxLength: 500, description });
const statuses = (description: string) =>
  Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1, maxItems: 50, description });
const setting = Type.String({
  pattern: settingPattern,
  description: "The environment variable that holds the credential.",
});
const closed = { additionalProperties: false };
const headers = Type.Record(Type.String(), Type.String(), {
  description: "Fixed headers, by name. Never a credential. Those of the provider go with every request.",
});
const headerName = Type.String({ pattern: headerPattern });
// Some providers send in a header what others send in the body.
const location = (description: string) =>
  Type.Union([
    pointer(description),
    Type.Object({ header: headerName }, { ...closed, description: `A header of that answer: ${description}` }),
  ]);

// What a reader needs to judge a definition: its source, and what has not been confirmed with the provider yet.
const provenance = {
  documentation: Type.Optional(
    Type.Array(Type.String({ pattern: pagePattern, maxLength: 500 }), {
      maxItems: 20,
      description: "Where the provider documents its API, for whoever checks this.",
    }),
  ),
  unverified: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      maxItems: 50,
      description: "What was written from documentation or by inference and was not confirmed at the provider.",
    }),
  ),
};

const moment = (description: string) =>
  Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$", description });

export const Credential = Type.Union([
  Type.Object({ kind: Type.Literal("none") }, closed),
  Type.Object({ kind: Type.Literal("bearer"), setting }, closed),
  Type.Object(
    {
      kind: Type.Literal("header"),
      header: headerName,
      prefix: Type.Optional(Type.String({ maxLength: 40 })),
      setting,
    },
    closed,
  ),
  Type.Object(
    { kind: Type.Literal("key_pair"), setting },
    { ...closed, description: "`Key id:secret` in Authorization; the setting holds id:secret." },
  ),
  Type.Object(
    {
      kind: Type.Literal("jwt_hs256"),
      setting,
      seconds: Type.Integer({ minimum: 60, maximum: 3600, description: "How long a token is valid." }),
    },
    { ...closed, description: "A JWT signed with HS256; the setting holds id:secret, and the id becomes `iss`." },
  ),
]);

const nodeText = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });

// A node class that calls this model. Its badge is made from the price, so it shows what is charged.
export const PricedNode = Type.Object(
  {
    name: nodeText("The node class."),
    when: Type.Optional(
      Type.Object(
        { widget: nodeText("The widget that chooses."), is: nodeText("Its value for this one.") },
        { ...closed, description: "For a node that asks for one of several: a widget says which." },
      ),
    ),
    widgets: Type.Optional(
      Type.Record(Type.String(), nodeText("The node's own name."), {
        description: "Where the node calls a widget otherwise than the price does: the price's name → the node's.",
      }),
    ),
    platforms: Type.Optional(
      Type.Array(Type.Union([Type.Literal("cloud"), Type.Literal("local")]), {
        minItems: 1,
        maxItems: 2,
        uniqueItems: true,
        description: "Both if absent.",
      }),
    ),
    from_version: Type.Optional(
      Type.String({ pattern: versionPattern, description: "The first client version; 0.0.0 if absent." }),
    ),
    until_version: Type.Optional(
      Type.String({ pattern: versionPattern, description: "The first client version it is not for; none if absent." }),
    ),
  },
  closed,
);
export type PricedNode = Static<typeof PricedNode>;
export const pricedNodes = Type.Array(PricedNode, {
  maxItems: 50,
  description: "Node classes that ask for this. Each gets a price badge that is made from the price.",
});

// First match wins. Rules also run on HTTP 200: some providers report a refusal inside a success.
const Rule = Type.Object(
  {
    when: Type.Object(
      {
        status: Type.Optional(statuses("The answer's status is one of these.")),
        pointer: Type.Optional(pointer("the value in the answer that the following are about.")),
        equals: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
        prefix: Type.Optional(Type.String({ minLength: 1 })),
        in: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Number()]), { minItems: 1, maxItems: 100 })),
        present: Type.Optional(Type.Boolean({ description: "Whether there is a value that is not empty." })),
        without_result: Type.Optional(
          Type.Literal(true, {
            description:
              "Only where none of the model's result pointers holds anything: a part that was refused is no refusal.",
          }),
        ),
      },
      { ...closed, description: "All that is named must hold. A pointer alone matches nothing." },
    ),
    means: Type.Union([
      Type.Literal("refused"),
      Type.Literal("rejected_input"),
      Type.Literal("failed"),
      Type.Literal("timed_out"),
      Type.Literal("our_account"),
      Type.Literal("rate_limited"),
      Type.Literal("not_run"),
    ]),
    message: Type.Optional(pointer("the provider's words that the caller is told.")),
  },
  { ...closed, description: "The first rule that matches says what an answer means, also on 200 and on polls." },
);

const Poll = Type.Object(
  {
    handle: Type.Optional(
      location("the task's id in the answer to the submission. Needed where a path holds {handle}."),
    ),
    path: Type.Optional(path("Where to ask, below the base URL; {handle} is filled in.")),
    url: Type.Optional(
      location("the address to ask, in the answer to the submission. Where it leads to another host, `path` is used."),
    ),
    fetch: Type.Optional(
      Type.Object(
        {
          path: Type.Optional(path("Below the base URL; {handle} is filled in.")),
          url: Type.Optional(location("its address, in the answer to the submission.")),
          failed: Type.Optional(
            Type.Array(Type.Integer({ minimum: 500, maximum: 599 }), {
              minItems: 1,
              description: "Statuses that tell the end of the task and no trouble with reading.",
            }),
          ),
        },
        {
          ...closed,
          description: "Where the output is read once the state says success; absent: the poll's own answer is it.",
        },
      ),
    ),
    hosts: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 20,
        description:
          "Further hosts, besides the base URL's, that such addresses may lead to. The credential goes there.",
      }),
    ),
    interval_ms: Type.Integer({ minimum: 50, maximum: 60_000, description: "The first wait between two polls." }),
    interval_ms_max: Type.Optional(
      Type.Integer({ minimum: 50, maximum: 60_000, description: "The longest wait; four times the first if absent." }),
    ),
    state: pointer("the state's word in the answer to a poll."),
    pending: words("Words for a task that still runs. Unknown words count as these."),
    succeeded: words("Words for success."),
    failed: Type.Optional(words("Words for a failure.")),
    refused: Type.Optional(words("Words for a refusal on policy grounds.")),
    cancelled: Type.Optional(words("Words for a task that was cancelled.")),
    message: Type.Optional(pointer("what the caller is told on a refusal.")),
  },
  { ...closed, description: "Present: the provider has a queue. Absent: the answer to the submission is the result." },
);

const Cancel = Type.Object(
  {
    method: Type.Union([Type.Literal("POST"), Type.Literal("PUT")]),
    path: path("Below the base URL; {handle} is filled in. It must leave the task readable, finished ones too."),
    charged: Type.Union([Type.Literal("nothing"), Type.Literal("reported")], {
      description: "What a cancelled task costs: nothing, or what its last answer reports under `usage`.",
    }),
  },
  { ...closed, description: "How a task is asked to stop. What the polls then say decides its end and its cost." },
);

export const ModelDefinition = Type.Object(
  {
    model: Type.String({
      pattern: namePattern,
      maxLength: 128,
      description: "The second segment of the model's id.",
    }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    description: Type.Optional(Type.String({ maxLength: 4000 })),
    ...provenance,
    released: Type.Boolean({ description: "false hides the model everywhere." }),
    kind: Type.Optional(
      Type.Union(
        [
          Type.Literal("image"),
          Type.Literal("video"),
          Type.Literal("audio"),
          Type.Literal("text"),
          Type.Literal("other"),
        ],
        { description: "What it makes." },
      ),
    ),
    deprecated_at: Type.Optional(moment("Since when callers should move to another model.")),
    sunset_at: Type.Optional(moment("From when on the model is gone; needs deprecated_at.")),
    submit: Type.Object(
      {
        path: path("Where to POST, below the base URL."),
        encoding: Type.Union([Type.Literal("json"), Type.Literal("multipart")], {
          description: "json: the caller's bytes, untouched. multipart: the members as a form.",
        }),
        headers: Type.Optional(headers),
        model_member: Type.Optional(
          Type.Object(
            { name: Type.String(), value: Type.String() },
            { ...closed, description: "Put in front of the body's other members where the caller left it out." },
          ),
        ),
      },
      closed,
    ),
    poll: Type.Optional(Poll),
    cancel: Type.Optional(Cancel),
    keep_outputs: Type.Optional(
      Type.Boolean({
        description: "Whether the files of an answer are copied to the caller's assets unless the call says otherwise.",
      }),
    ),
    stream: Type.Optional(StreamDefinition),
    result: Type.Optional(
      Type.Array(pointer("a place of the result."), {
        minItems: 1,
        maxItems: 20,
        description: "A success must hold something at one of these; without it any 2xx with JSON is a success.",
      }),
    ),
    output_types: Type.Optional(
      Type.Array(Type.String({ minLength: 3 }), {
        maxItems: 10,
        description: "Content types that are results as they are, such as audio/mpeg.",
      }),
    ),
    rules: Type.Optional(Type.Array(Rule, { maxItems: 50 })),
    price: Type.Unknown({ description: "A price definition." }),
    nodes: Type.Optional(pricedNodes),
    usage: Type.Optional(
      Type.Record(Type.String(), location("a figure in the final answer."), {
        description: "Where the answer says what was used: name in the price → pointer, or a header of the answer.",
      }),
    ),
    charges_on_policy_rejection: Type.Union([Type.Literal("yes"), Type.Literal("no"), Type.Literal("unknown")], {
      description: "Only yes charges a refusal. unknown until somebody verified it.",
    }),
    input_schema: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: "JSON Schema 2020-12 without patterns, or null for any JSON object.",
    }),
    output_schema: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "JSON Schema 2020-12 of the provider's JSON answer, without patterns and references. It stands in the schema document; no answer is held against it.",
      }),
    ),
    example: Type.Optional(Type.Unknown({ description: "An input. It stands in the schema document and is checked." })),
    recovery: Type.Union([Type.Literal("ask"), Type.Literal("repeat"), Type.Literal("neither")], {
      description: "What can be done after a crash. repeat is not supported.",
    }),
    ask: Type.Optional(
      Type.Object(
        {
          path: path("Below the base URL; {reference} is filled in."),
          not_found: statuses("Our reference never arrived."),
          running: statuses("The call still runs."),
          final_after_seconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 3_600,
              description:
                "How long after our connection ended a reference that is not found never arrives any more. A route then asks its next target. Absent: never sure.",
            }),
          ),
        },
        { ...closed, description: "Where the original answer to our reference can be read again, byte for byte." },
      ),
    ),
    longest_run_seconds: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      description: "Then the run counts as timed out.",
    }),
  },
  closed,
);
export type ModelDefinition = Static<typeof ModelDefinition>;

export const ProviderDefinition = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500, description: "For editors." })),
    provider: Type.String({
      pattern: namePattern,
      maxLength: 64,
      description: "The first segment of its models' ids.",
    }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    base_url: Type.String({
      pattern: addressPattern,
      maxLength: 500,
      description: "Every path is appended to it. No credential, no query.",
    }),
    ...provenance,
    credential: Credential,
    workspace_credentials: Type.Optional(
      Type.Boolean({
        description:
          "Whether a workspace may bring its own credential; its calls are not charged then. Only where the provider verifies credentials and bills their owner. false if absent.",
      }),
    ),
    headers: Type.Optional(headers),
    reference_header: Type.Optional(
      Type.String({
        pattern: headerPattern,
        description: "The header in which the provider takes our reference for a call.",
      }),
    ),
    models: Type.Array(ModelDefinition, { minItems: 1, maxItems: 500 }),
  },
  closed,
);
export type ProviderDefinition = Static<typeof ProviderDefinition>;
export type PollDefinition = Static<typeof Poll>;
export type AnswerLocation = Static<ReturnType<typeof location>>;
export type ProviderRule = Static<typeof Rule>;
