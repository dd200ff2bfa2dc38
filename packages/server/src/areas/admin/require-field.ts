// Fields of requests that a schema cannot check.
import type { Incoming } from "../../foundation/http/area.ts";
import { requireId, type WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { momentFormat, parseMoment } from "../../foundation/moment.ts";

export function requireWorkspaceId({ params }: Pick<Incoming<unknown>, "params">): WorkspaceId {
  return requireId(params["workspaceId"], "There is no such workspace.");
}

export function requireMoment(name: string, text: string): Date {
  const moment = parseMoment(text);
  if (moment === null) throw badField(name, `must be ${momentFormat}`);
  return moment;
}
