// Checks on a request's field that a schema cannot express, with the same error format as the schema's own.
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { requireId, type WorkspaceId } from "../../foundation/ids.ts";
import { momentFormat, parseMoment } from "../../foundation/moment.ts";

export function badField(name: string, message: string): Fault {
  return new Fault("invalid_request", `The request is not valid: ${name} ${message}.`, {
    details: [{ path: `/${name.replaceAll(".", "/")}`, message }],
  });
}

export function requireWorkspaceId({ params }: Pick<Incoming<unknown>, "params">): WorkspaceId {
  return requireId(params["workspaceId"], "There is no such workspace.");
}

export function requireMoment(name: string, text: string): Date {
  const moment = parseMoment(text);
  if (moment === null) throw badField(name, `must be ${momentFormat}`);
  return moment;
}
