// A partner as data: its address, its authentication, what its operations take, what its states are called, how it
// reports changes, and what a caller is shown (decisions, section 4: partners are configured, not coded). A definition is
// JSON: the two that ship with the server and a third in a file work the same way.
import { type Static, Type } from "typebox";
import { Credential, pricedNodes } from "../providers/index.ts";
import { View } from "./view-definition.ts";

const pointer = Type.String({ pattern: "^(/[^/]*)*$", maxLength: 200, description: "A JSON pointer." });
const words = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 50 });
const statuses = Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1, maxItems: 50 });
const setting = Type.String({ pattern: "^ATELIER_PROVIDER_[A-Z0-9_]+$" });
const header = Type.String({ pattern: "^[A-Za-z0-9-]{1,64}$" });
const closed = { additionalProperties: false };
const path = Type.String({ pattern: "^(/[A-Za-z0-9._{}-]+)+$", maxLength: 300, description: "Below the base URL." });
const operationId = Type.String({ pattern: "^[a-z]+([A-Z][a-z]*)*$", maxLength: 80 });

// The name of a state for callers, and the partner's words for it (case-insensitive).
const State = Type.Object({ shown: Type.String({ minLength: 1, maxLength: 100 }), words }, closed);

// A string in the body that points to a picture. Non-public addresses are refused. For an address on our own content
// origin we read the picture and pass it on in the form the partner accepts.
const Image = Type.Object(
  {
    pointer: Type.String({ pattern: "^(/[^/]+)+$", maxLength: 200, description: "A JSON pointer; * is every member." }),
    base64: Type.Boolean({ description: "Whether the picture itself may stand here." }),
    schemes: Type.Array(Type.Union([Type.Literal("http"), Type.Literal("https")]), { minItems: 1, maxItems: 2 }),
    hosts: Type.Optional(
      Type.Array(Type.String({ pattern: "^[a-z0-9.-]+$" }), {
        minItems: 1,
        maxItems: 100,
        description: "Only these hosts, if given.",
      }),
    ),
    own: Type.Union([Type.Literal("base64"), Type.Literal("data_url"), Type.Literal("url")], {
      description: "How a file of our own content origin is handed over.",
    }),
  },
  closed,
);

export const PartnerOperation = Type.Object(
  {
    // The operation's id in the OpenAPI document. Derived from the partner and the name if absent.
    id: Type.Optional(operationId),
    // Its name in prices, usage and entitlements.
    name: Type.String({ pattern: "^[a-z0-9]+([._-][a-z0-9]+)*(/[a-z0-9]+([._-][a-z0-9]+)*)*$", maxLength: 100 }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    path,
    // The status a caller gets once the task has started.
    status: Type.Union([Type.Literal(200), Type.Literal(201)]),
    schema: Type.Record(Type.String(), Type.Unknown(), { description: "JSON Schema of the body." }),
    images: Type.Optional(Type.Array(Image, { maxItems: 20 })),
    // Which of `reads` shows its tasks.
    read: Type.String({ minLength: 1, maxLength: 100 }),
    price: Type.Unknown({ description: "A price definition." }),
    nodes: Type.Optional(pricedNodes),
  },
  closed,
);
export type PartnerOperation = Static<typeof PartnerOperation>;

const PartnerRead = Type.Object(
  { id: Type.Optional(operationId), name: Type.String({ minLength: 1, maxLength: 100 }), path },
  closed,
);

const Callback = Type.Object(
  {
    // The member of the body where the partner expects a callback address. We set it; the caller cannot.
    member: Type.String({ minLength: 1, maxLength: 100 }),
    // Where the task is in a callback's body.
    root: pointer,
    // `standard_webhooks`: the secret is base64 after whsec_; `standard_webhooks_raw`: its characters are the key;
    // `none`: unsigned, so a callback only makes us poll.
    verify: Type.Union([
      Type.Literal("standard_webhooks"),
      Type.Literal("standard_webhooks_raw"),
      Type.Literal("none"),
    ]),
    setting: Type.Optional(setting),
  },
  closed,
);

export const PartnerDefinition = Type.Object(
  {
    $schema: Type.Optional(Type.String({ maxLength: 500, description: "For editors." })),
    partner: Type.String({ pattern: "^[a-z0-9]+([._-][a-z0-9]+)*$", maxLength: 64 }),
    title: Type.Optional(Type.String({ maxLength: 200 })),
    // Null if it is not configured here; then its operations answer 503.
    base_url: Type.Union([Type.String({ pattern: "^https?://[^/]+", maxLength: 500 }), Type.Null()]),
    credential: Credential,
    reference_header: Type.Optional(header),
    idempotency_header: Type.Optional(header),
    task: Type.Object(
      {
        // Where the task is in the partner's answers, and where its parts are.
        root: pointer,
        id: pointer,
        status: pointer,
        error_code: Type.Optional(pointer),
        error_message: Type.Optional(pointer),
      },
      closed,
    ),
    states: Type.Object({ created: State, running: State, completed: State, failed: State }, closed),
    // A completed task without a value here counts as a failure of the partner.
    result: Type.Optional(pointer),
    // Where a refusal at submission explains itself to the caller.
    rejection: Type.Optional(Type.Object({ message: pointer }, closed)),
    callback: Type.Optional(Callback),
    poll: Type.Object(
      {
        interval_ms: Type.Integer({ minimum: 50, maximum: 60_000 }),
        interval_ms_max: Type.Integer({ minimum: 50, maximum: 600_000 }),
        timeout_ms: Type.Integer({ minimum: 100, maximum: 60_000 }),
        at_once: Type.Integer({ minimum: 1, maximum: 256 }),
      },
      closed,
    ),
    submit_timeout_ms: Type.Integer({ minimum: 100, maximum: 600_000 }),
    longest_run_seconds: Type.Integer({ minimum: 1, maximum: 86_400 }),
    // After a crash: how to find the task by our reference. If absent, only a callback can tell.
    ask: Type.Optional(
      Type.Object(
        {
          // If the look-up is not under the base URL and has its own credential.
          base_url: Type.Optional(Type.String({ pattern: "^https?://[^/]+", maxLength: 500 })),
          credential: Type.Optional(Credential),
          path,
          id: pointer,
          not_found: statuses,
        },
        closed,
      ),
    ),
    // What callers see, and which part of it webhooks carry.
    view: View,
    notice: pointer,
    operations: Type.Array(PartnerOperation, { minItems: 1, maxItems: 100 }),
    reads: Type.Array(PartnerRead, { minItems: 1, maxItems: 100 }),
  },
  closed,
);
export type PartnerDefinition = Static<typeof PartnerDefinition>;
export type ImageRule = Static<typeof Image>;

export type TaskState = keyof PartnerDefinition["states"];
export const taskStates: readonly TaskState[] = ["created", "running", "completed", "failed"];
