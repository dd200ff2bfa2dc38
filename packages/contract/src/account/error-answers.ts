// Errors that a workspace's callers got, refusals included, newest first.
import { type Static, Type } from "typebox";
import { Cursor, pageOf } from "../pagination.ts";
import { entity, nullable, Timestamp, Uuid } from "../wire-values.ts";

export const ErrorAnswerRow = entity("ErrorAnswerRow", "An error as its caller saw it.", {
  request_id: Uuid,
  at: Timestamp,
  method: Type.String(),
  path: Type.String({ description: "Secrets are removed." }),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  code: Type.String({ description: "The router's error type, or the error code of the other APIs." }),
  message: Type.String(),
  api_key_id: nullable(Uuid, "The key that made the request; null for a person."),
});
export type ErrorAnswerRow = Static<typeof ErrorAnswerRow>;

export const ErrorAnswerPage = pageOf(ErrorAnswerRow, "ErrorAnswerPage", "One page of errors, newest first.");

export const ErrorAnswerQuery = Type.Object({
  status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599, description: "Only this HTTP status." })),
  api_key_id: Type.Optional(Uuid),
  limit: Type.Optional(
    Type.Integer({
      description: "Rows per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default.",
    }),
  ),
  cursor: Type.Optional(Cursor),
});
