// What a schema cannot say about a field of a request, in the same words as the schema's own refusals.
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";

export function badField(name: string, message: string): Fault {
  return new Fault("invalid_request", `The request is not valid: ${name} ${message}.`, {
    details: [{ path: `/${name}`, message }],
  });
}

// Text that is no id names no workspace: the same answer as an id that nobody has.
export function requireWorkspaceId(incoming: Pick<Incoming<unknown>, "params">): WorkspaceId {
  const workspaceId = parseId<"workspace">(incoming.params["workspaceId"] ?? "");
  if (workspaceId === null) throw new Fault("not_found", "There is no such workspace.");
  return workspaceId;
}

const momentPattern = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

export function requireMoment(name: string, text: string): Date {
  const moment = new Date(momentPattern.test(text) ? text : Number.NaN);
  if (Number.isNaN(moment.getTime())) throw badField(name, "must be a moment such as 2026-01-01T00:00:00.000Z");
  return moment;
}
