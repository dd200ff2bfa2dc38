// Changes of a work that make no new version: its description, who may call it, which version is current, and its end.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { orNotFound } from "../../../foundation/fault.ts";
import type { ExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import type { Assets } from "../../assets/index.ts";
import type { Audit } from "../../audit/index.ts";
import { requireExpected } from "./publish-work.ts";
import { type PublishedWork, type WorkLocator, workHolder } from "./published-work.ts";
import type { PublishingPorts, WorkCaller } from "./publishing-ports.ts";
import { checkSharing, type GivenSharing, requireWorkspaces, sharesOf } from "./sharing.ts";
import { findWork } from "./work-list-store.ts";
import { deleteWork, lockProvider, replaceShares, replaceWork } from "./work-write-store.ts";

export interface ChangeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly assets: Pick<Assets, "letGo">;
  readonly ports: Pick<PublishingPorts, "workspaceName">;
  // Ends the links of a work that is withdrawn.
  endLinks(caller: WorkCaller, work: PublishedWork): Promise<void>;
}

// Members that are left out stay.
export interface WorkChange extends GivenSharing {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly version?: number | undefined;
  readonly deprecatedAt?: Date | null | undefined;
  readonly sunsetAt?: Date | null | undefined;
}

export async function changeWork(
  deps: ChangeDeps,
  caller: WorkCaller,
  locator: WorkLocator,
  { change, expected }: { readonly change: WorkChange; readonly expected: ExpectedVersion },
): Promise<PublishedWork> {
  await requireWorkspaces(deps.ports, change.sharedWith ?? []);
  return deps.database.transaction(async (tx) => {
    const before = await requireLocked(tx, locator, expected);
    checkSharing(change, before);
    const fields = changed(before, change);
    await replaceWork(tx, before, { ...fields, at: deps.clock.now() });
    await replaceShares(tx, before.modelId, sharesOf(change, before, fields.visibility));
    const after = requireFound(await findWork(tx, locator));
    await deps.audit.append(tx, {
      ...caller.acting,
      action: "work.change",
      subject: { kind: "work", id: before.id },
      workspaceId: locator.workspaceId,
      before: audited(before),
      after: audited(after),
    });
    return after;
  });
}

export async function removeWork(
  deps: ChangeDeps,
  caller: WorkCaller,
  locator: WorkLocator,
  expected: ExpectedVersion,
): Promise<void> {
  const withdrawn = await deps.database.transaction(async (tx) => {
    const work = await requireLocked(tx, locator, expected);
    await deleteWork(tx, work);
    await deps.assets.letGo(tx, { workspaceId: work.workspaceId, holder: workHolder(work.id) });
    await deps.audit.append(tx, {
      ...caller.acting,
      action: "work.delete",
      subject: { kind: "work", id: work.id },
      workspaceId: locator.workspaceId,
      before: { model_id: work.modelId, ...audited(work) },
      shown: ["model_id"],
    });
    return work;
  });
  await deps.endLinks(caller, withdrawn);
}

async function requireLocked(tx: Queryable, locator: WorkLocator, expected: ExpectedVersion): Promise<PublishedWork> {
  await lockProvider(tx, locator.workspaceId);
  const work = requireFound(await findWork(tx, locator));
  requireExpected(expected, work);
  return work;
}

function changed(before: PublishedWork, change: WorkChange) {
  const { version = before.version, visibility = before.visibility } = change;
  const { deprecatedAt = before.deprecatedAt, sunsetAt = before.sunsetAt } = change;
  if (version > before.versions) throw badField("version", `must be one of the ${before.versions} versions`);
  if (deprecatedAt !== null && sunsetAt !== null && sunsetAt < deprecatedAt)
    throw badField("sunset_at", "must not be before deprecated_at");
  const title = change.title === undefined ? before.title : (change.title?.trim() ?? null);
  const { description = before.description } = change;
  const { versions, cover } = before;
  return { title, description, visibility, version, versions, cover, deprecatedAt, sunsetAt };
}

function audited({ version, versions, visibility, sharedWith, deprecatedAt, sunsetAt }: PublishedWork) {
  return { version, versions, visibility, shared_with: sharedWith, deprecated_at: deprecatedAt, sunset_at: sunsetAt };
}

export const requireFound = <Found>(found: Found | null): Found =>
  orNotFound(found, "There is no such work or version in this workspace.");
