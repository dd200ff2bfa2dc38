// The inputs and answers of model calls, for workspaces that keep them.
import { type Static, Type } from "typebox";
import { entity, nullable, Timestamp, Uuid } from "../wire-values.ts";

export const bodyKeepHoursLimit = 8_760;

const RemovedPart = Type.Object({
  at: Type.String({ description: "Where it was: a JSON pointer, or an empty text if that is not known." }),
  what: Type.Union([Type.Literal("secret"), Type.Literal("file")]),
});

export const RequestBody = entity("RequestBody", "The input or the answer of a request, as it is kept.", {
  kind: Type.Union([Type.Literal("json"), Type.Literal("text"), Type.Literal("file"), Type.Literal("too_large")], {
    description: "Of a file, and of a body that was too large, only type, size and hash are kept.",
  }),
  content_type: nullable(Type.String(), "Its media type; null if there was none."),
  bytes: Type.Integer({ minimum: 0, description: "Its size as it was sent." }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$", description: "The SHA-256 of the bytes as they were sent." }),
  text: nullable(
    Type.String(),
    "Its text, without secrets and files. JSON is text too, so that large integers keep their digits.",
  ),
  removed: Type.Array(RemovedPart, {
    maxItems: 100,
    description: "What was removed before it was kept: at most the first 100.",
  }),
});
export type RequestBody = Static<typeof RequestBody>;

export const RequestBodies = entity("RequestBodies", "What the workspace keeps of a request.", {
  request_id: Uuid,
  keeping: Type.Boolean({ description: "Whether the workspace keeps bodies now." }),
  kept_at: nullable(Timestamp, "When they were kept; null if they are not."),
  expires_at: nullable(Timestamp, "When they are deleted; null if they are not kept."),
  input: nullable(RequestBody, "What the caller sent; null if it is not kept."),
  answer: nullable(RequestBody, "What the call was answered; null if it is not kept."),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The status of the answer."),
});
export type RequestBodies = Static<typeof RequestBodies>;

export const SetRequestBodyKeeping = entity("SetRequestBodyKeeping", "Whether to keep bodies, and how long.", {
  enabled: Type.Boolean({ description: "Turning it off deletes everything that is kept." }),
  keep_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: bodyKeepHoursLimit,
      description:
        "How long each body is kept, at most keep_hours_max. A shorter time also applies to what is already kept. Default: unchanged, at first 72.",
    }),
  ),
});
export type SetRequestBodyKeeping = Static<typeof SetRequestBodyKeeping>;

export const RequestBodyKeeping = entity("RequestBodyKeeping", "Whether a workspace keeps bodies, and how long.", {
  enabled: Type.Boolean(),
  keep_hours: Type.Integer({ minimum: 0, description: "How long each body is kept." }),
  keep_hours_max: Type.Integer({ minimum: 0, description: "The operator's bound. 0: this server keeps no bodies." }),
  body_bytes_max: Type.Integer({ minimum: 1, description: "The largest body of which the text is kept." }),
  changed_at: nullable(Timestamp, "When this was last changed; null: never."),
  kept_requests: Type.Integer({ minimum: 0, description: "How many requests have bodies now." }),
  kept_bytes: Type.Integer({ minimum: 0, description: "How much they take up, encrypted." }),
});
export type RequestBodyKeeping = Static<typeof RequestBodyKeeping>;
