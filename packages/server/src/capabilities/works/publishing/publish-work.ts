// Publishes a version of a saved workflow. Everything is checked and the examples run first; then one transaction reserves the
// provider, writes the version and moves the work to it. A refusal at any point leaves nothing behind.
import { limits, workVersionsMax } from "@atelier/contract";
import type { Clock } from "../../../foundation/clock.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type ExpectedVersion, isExpected } from "../../../foundation/http/expected-version.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import type { Assets } from "../../assets/index.ts";
import type { Audit } from "../../audit/index.ts";
import { type PrepareDeps, type PreparedVersion, type PrepareRequest, prepareVersion } from "./prepare-version.ts";
import { proposeProviders } from "./provider-slug.ts";
import { type PublishedWork, type Visibility, type WorkLocator, workHolder } from "./published-work.ts";
import type { WorkCaller } from "./publishing-ports.ts";
import { type RanExamples, runExamples } from "./run-examples.ts";
import { checkSharing, requireWorkspaces, sharesOf } from "./sharing.ts";
import { countWorks, findProvider, findTakenProviders, findWork, findWorkVersion } from "./work-list-store.ts";
import { insertWork, insertWorkVersion, replaceShares, replaceWork, reserveProvider } from "./work-write-store.ts";

export interface PublishDeps extends PrepareDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly assets: Pick<Assets, "keep">;
  // The contract's limits, unless a test has smaller ones.
  readonly worksMax?: number;
  readonly versionsMax?: number;
}

export interface PublishRequest extends Omit<PrepareRequest, "modelId"> {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly note: string | null;
  readonly visibility?: Visibility | undefined;
  readonly sharedWith?: readonly WorkspaceId[] | undefined;
  // Null for the workspace's own, or one made from its name.
  readonly provider: string | null;
  readonly expected: ExpectedVersion;
}

export interface PublishedResult {
  readonly work: PublishedWork;
  // True if there was no work of this name.
  readonly isNew: boolean;
}

export async function publishWork(
  deps: PublishDeps,
  caller: WorkCaller,
  request: PublishRequest,
  signal: AbortSignal,
): Promise<PublishedResult> {
  const locator = { workspaceId: caller.workspaceId, name: request.name };
  const before = await findWork(deps.database, locator);
  requireExpected(request.expected, before);
  checkSharing(request, before);
  await requireWorkspaces(deps.ports, request.sharedWith ?? []);
  const providers = await chooseProviders(deps, caller.workspaceId, request.provider);
  const modelId = `${providers[0]}/${request.name}`;
  const prepared = await prepareVersion(deps, caller, { ...request, modelId });
  const isKnown = before !== null && (await isLatest(deps.database, before, prepared));
  const ran = isKnown ? null : await runExamples(deps, caller, prepared, signal);
  return deps.database.transaction((tx) => write(deps, tx, { caller, locator, request, providers, prepared, ran }));
}

export function requireExpected(expected: ExpectedVersion, work: PublishedWork | null): void {
  if (isExpected(expected, work?.revision ?? null)) return;
  throw new Fault(
    "precondition_failed",
    work === null
      ? "There is no such work in this workspace."
      : `The work has been changed since you read it; it has ${work.versions} versions now. Read it again.`,
  );
}

// The same version published again is no new version.
async function isLatest(db: Queryable, work: PublishedWork, { fingerprint }: PreparedVersion): Promise<boolean> {
  const key = { workspaceId: work.workspaceId, workId: work.id };
  const latest = await findWorkVersion(db, key, work.versions);
  return latest?.fingerprint.equals(fingerprint) ?? false;
}

// The workspace's own if it has one, else what it can get, the best first. Throws conflict.
async function chooseProviders(
  { database, ports }: PublishDeps,
  workspaceId: WorkspaceId,
  wanted: string | null,
): Promise<readonly [string, ...string[]]> {
  const own = await findProvider(database, workspaceId);
  if (own !== null && wanted !== null && own !== wanted) throw otherProvider(own);
  if (own !== null) return [own];
  const proposed = wanted === null ? proposeProviders((await ports.workspaceName(workspaceId)) ?? "") : [wanted];
  const taken = await findTakenProviders(database, proposed);
  const [first, ...others] = proposed.filter((provider) => !taken.has(provider));
  if (first === undefined) throw takenProvider(proposed[0] ?? "");
  return [first, ...others];
}

interface Writing {
  readonly caller: WorkCaller;
  readonly locator: WorkLocator;
  readonly request: PublishRequest;
  readonly providers: readonly [string, ...string[]];
  readonly prepared: PreparedVersion;
  // Null if they did not run because the version is known already.
  readonly ran: RanExamples | null;
}

async function write(deps: PublishDeps, tx: Queryable, writing: Writing): Promise<PublishedResult> {
  const { locator, request, prepared } = writing;
  const at = deps.clock.now();
  const provider = await requireProvider(tx, writing, at);
  const before = await findWork(tx, locator);
  requireExpected(request.expected, before);
  const isSame = before !== null && (await isLatest(tx, before, prepared));
  if (isSame && !changesAnything(request, before)) return { work: before, isNew: false };
  const work = before ?? { id: newId<"work">(), modelId: `${provider}/${locator.name}`, ...locator };
  const version = before === null ? 1 : before.versions + (isSame ? 0 : 1);
  if (before === null) await requireRoom(deps, tx, locator.workspaceId);
  requireVersion(deps, version);
  const visibility = request.visibility ?? before?.visibility ?? "private";
  const fields = {
    title: request.title?.trim() ?? before?.title ?? null,
    description: request.description ?? before?.description ?? null,
    visibility,
    version,
    versions: version,
    cover: writing.ran?.cover ?? before?.cover ?? null,
    deprecatedAt: before?.deprecatedAt ?? null,
    sunsetAt: before?.sunsetAt ?? null,
    at,
  };
  if (before === null) await insertWork(tx, { ...work, ...fields });
  else await replaceWork(tx, before, fields);
  await replaceShares(tx, work.modelId, sharesOf(request, before, visibility));
  if (!isSame) await writeVersion(deps, tx, writing, { workId: work.id, version, at });
  const after = await findWork(tx, locator);
  if (after === null) throw new Error("a work that was just written is there");
  await deps.audit.append(tx, {
    ...writing.caller.acting,
    action: "work.publish",
    subject: { kind: "work", id: work.id },
    workspaceId: locator.workspaceId,
    after: { model_id: work.modelId, version, visibility },
    shown: ["model_id"],
  });
  return { work: after, isNew: before === null };
}

async function writeVersion(
  deps: PublishDeps,
  tx: Queryable,
  { caller, locator: { workspaceId }, request, prepared, ran }: Writing,
  written: { readonly workId: PublishedWork["id"]; readonly version: number; readonly at: Date },
): Promise<void> {
  if (ran === null) throw new Fault("conflict", "Another version was published at the same time. Publish it again.");
  const { graph, form, needs, fingerprint, workflowId, workflowVersion } = prepared;
  const { kind, id } = caller.author;
  await insertWorkVersion(tx, {
    ...written,
    ...{ workspaceId, workflowId, workflowVersion, graph, form, needs, fingerprint },
    examples: writeExactJson(ran.examples),
    note: request.note?.trim() || null,
    ...{ createdByKind: kind, createdById: id },
  });
  const assetIds = [...new Set([...prepared.fileIds, ...ran.assetIds])];
  const kept = await deps.assets.keep(tx, { workspaceId, assetIds, holder: workHolder(written.workId) });
  if (kept.length < assetIds.length)
    throw new Fault("conflict", "A file of the work was deleted while it was being published. Publish it again.");
}

function changesAnything(
  { title, description, visibility, sharedWith }: PublishRequest,
  before: PublishedWork,
): boolean {
  const isOther = <Value>(given: Value | undefined, stored: Value) => given !== undefined && given !== stored;
  const shares = sharedWith && [...new Set(sharedWith)].sort().join();
  return (
    before.version !== before.versions ||
    isOther(title?.trim(), before.title) ||
    isOther(description, before.description) ||
    isOther(visibility, before.visibility) ||
    isOther(shares, before.sharedWith.join())
  );
}

// Two publishers may want the same provider at once: the first one gets it.
async function requireProvider(tx: Queryable, { locator, request, providers }: Writing, at: Date): Promise<string> {
  for (const provider of providers) {
    const own = await reserveProvider(tx, { workspaceId: locator.workspaceId, provider, at });
    if (own === null) continue;
    if (request.provider !== null && request.provider !== own) throw otherProvider(own);
    return own;
  }
  throw takenProvider(providers[0]);
}

async function requireRoom(deps: PublishDeps, tx: Queryable, workspaceId: WorkspaceId): Promise<void> {
  const { worksMax = limits.worksMax } = deps;
  if ((await countWorks(tx, workspaceId, worksMax)) < worksMax) return;
  throw new Fault("quota_exceeded", `A workspace can publish ${worksMax} works. Withdraw some first.`);
}

function requireVersion({ versionsMax = workVersionsMax }: PublishDeps, version: number): void {
  if (version <= versionsMax) return;
  throw new Fault("quota_exceeded", `A work can have ${versionsMax} versions. Publish it under another name.`);
}

function otherProvider(own: string): Fault {
  return new Fault("conflict", `The works of this workspace are published under ${own}, and that cannot be changed.`);
}

function takenProvider(provider: string): Fault {
  return new Fault("conflict", `${provider} belongs to another workspace. Choose another provider.`);
}
