// Changes one limit of a workspace, or resets it to its default. The change and its audit entry are one transaction. This
// process forgets the old number once it is committed, the others within five seconds.
import type { Audit } from "../../capabilities/audit/index.ts";
import {
  isLimitName,
  type LimitName,
  type Limits,
  limitTable,
  type WorkspaceLimit,
} from "../../capabilities/limits/index.ts";
import type { ActingOnTokens } from "../../capabilities/tokens/index.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface ChangeLimitDeps {
  readonly database: Database;
  readonly limits: Limits;
  readonly audit: Audit;
  readonly workspaces: { get(workspaceId: WorkspaceId): Promise<unknown> };
}

export interface LimitOfWorkspace {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

export async function setWorkspaceLimit(
  deps: ChangeLimitDeps,
  request: LimitOfWorkspace & { readonly value: number; readonly reason: string | undefined },
  by: ActingOnTokens,
): Promise<WorkspaceLimit> {
  const name = requireLimitName(request.name);
  const { value, workspaceId } = request;
  if (value < limitTable[name].min) {
    throw new Fault("invalid_request", `value must be ${limitTable[name].min} or more for the limit ${name}.`);
  }
  const reason = request.reason === undefined ? {} : { reason: request.reason };
  return change(deps, { workspaceId, name }, async (tx) => {
    const before = await deps.limits.setOverride(tx, { workspaceId, name, value });
    return { ...by, action: "limit.set", before: { value: before }, after: { value, ...reason } };
  });
}

export async function resetWorkspaceLimit(
  deps: ChangeLimitDeps,
  request: LimitOfWorkspace,
  by: ActingOnTokens,
): Promise<WorkspaceLimit> {
  const [name, workspaceId] = [requireLimitName(request.name), request.workspaceId];
  return change(deps, { workspaceId, name }, async (tx) => {
    const before = await deps.limits.resetOverride(tx, { workspaceId, name });
    // There was no override before, so nothing changed.
    return before === null ? null : { ...by, action: "limit.reset", before: { value: before }, after: { value: null } };
  });
}

type Happened = ActingOnTokens & { readonly action: string; readonly before: unknown; readonly after: unknown };

async function change(
  deps: ChangeLimitDeps,
  limit: { workspaceId: WorkspaceId; name: LimitName },
  apply: (tx: Queryable) => Promise<Happened | null>,
): Promise<WorkspaceLimit> {
  const { workspaceId, name } = limit;
  await deps.workspaces.get(workspaceId);
  await deps.database.transaction(async (tx) => {
    const happened = await apply(tx);
    const subject = { kind: "limit", id: name };
    if (happened !== null) await deps.audit.append(tx, { ...happened, subject, workspaceId });
  });
  await deps.limits.drop(workspaceId);
  const now = (await deps.limits.list(workspaceId)).find((listed) => listed.name === name);
  if (!now) throw new Fault("not_found", `There is no limit named "${name}".`);
  return now;
}

function requireLimitName(text: string): LimitName {
  if (isLimitName(text)) return text;
  throw new Fault("not_found", "There is no limit with this name. GET the workspace's limits to see all of them.");
}
