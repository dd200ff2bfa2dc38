// Checks on a request's field that a schema cannot express, with the same error format as the schema's own.
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import { momentFormat, parseMoment } from "../../foundation/moment.ts";

export function badField(name: string, message: string): Fault {
  return new Fault("invalid_request", `The request is not valid: ${name} ${message}.`, {
    details: [{ path: `/${name.replaceAll(".", "/")}`, message }],
  });
}

// Text that is not an id gets the same answer as an unknown id.
export function requireWorkspaceId(incoming: Pick<Incoming<unknown>, "params">): WorkspaceId {
  const workspaceId = parseId<"workspace">(incoming.params["workspaceId"] ?? "");
  if (workspaceId === null) throw new Fault("not_found", "There is no such workspace.");
  return workspaceId;
}

export function requireMoment(name: string, text: string): Date {
  const moment = parseMoment(text);
  if (moment === null) throw badField(name, `must be ${momentFormat}`);
  return moment;
}
