// The catalog of definitions that operators write while the servers run. A change and its audit entry are one
// transaction, and a change applies only to the version its writer saw. Nothing is overwritten: each change is a new
// version, and a call that began with an older one can still finish with it.
import { createHash } from "node:crypto";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type ExpectedVersion, isExpected } from "../../foundation/http/expected-version.ts";
import type { Audit, NewAuditEntry } from "../audit/index.ts";
import { checkDefinition, type DefinitionChecks } from "./check-definition.ts";
import type { ModelDefinition, ProviderDefinition } from "./definition.ts";
import type { DefinitionProblem } from "./definition-problem.ts";
import { problemText } from "./definition-problem.ts";
import {
  advanceProviderRevision,
  findDefinitionVersion,
  findFileVersion,
  findProviderRevision,
  findProviderSnapshot,
  findStoredDefinition,
  insertDefinition,
  lockDefinitions,
  type ProviderSnapshot,
  recordVerification,
  replaceRelease,
  replaceRetirement,
  type StoredDefinition,
} from "./definition-store.ts";

import { type ModelMarks, modelDigest } from "./model-marks.ts";

export type ActingOnProviders = Pick<NewAuditEntry, "actor" | "requestId">;

// Read access to the stored definitions.
export interface ProviderRecords {
  snapshot(): Promise<ProviderSnapshot>;
  revision(): Promise<string>;
  // The definition of any version ever served. Null if this server cannot read it.
  version(provider: string, version: number): Promise<ProviderDefinition | null>;
  // Returns the version of a definition from a file; written once per content.
  record(definition: ProviderDefinition): Promise<number>;
}

export interface ProviderCatalog extends ProviderRecords {
  put(request: PutDefinition, by: ActingOnProviders): Promise<{ readonly version: number; readonly isNew: boolean }>;
  remove(provider: string, expected: ExpectedVersion, by: ActingOnProviders): Promise<void>;
  // Both null: back to the definition's own dates.
  retire(modelId: string, dates: Pick<ModelMarks, "deprecatedAt" | "sunsetAt">, by: ActingOnProviders): Promise<void>;
  // Records that a real call with exactly this definition succeeded.
  verified(modelId: string, model: ModelDefinition, at: Date, by: ActingOnProviders): Promise<void>;
  // Null: back to the definition's own setting.
  release(modelId: string, released: boolean | null, by: ActingOnProviders): Promise<void>;
}

export interface PutDefinition {
  readonly provider: string;
  readonly value: unknown;
  readonly expected: ExpectedVersion;
}

export interface ProviderCatalogDeps {
  readonly database: Database;
  readonly audit: Pick<Audit, "append">;
  readonly checks: DefinitionChecks & {
    // Whether this server may send a provider's credential, or anything at all, to the hosts of a stored definition.
    targetProblems(definition: ProviderDefinition): readonly DefinitionProblem[];
  };
  // Called after the commit: this process serves the change before the writer is answered.
  changed(): Promise<void>;
}

export function providerRecords({
  database,
  checks,
}: Pick<ProviderCatalogDeps, "database" | "checks">): ProviderRecords {
  return {
    snapshot: () => findProviderSnapshot(database),
    revision: () => findProviderRevision(database),
    async version(provider, version) {
      const stored = await findDefinitionVersion(database, provider, version);
      const checked = stored === null ? null : checkDefinition(checks, stored.definition);
      return checked?.ok ? checked.definition : null;
    },
    record: (definition) => recordFile(database, definition),
  };
}

export function createProviderCatalog(deps: ProviderCatalogDeps): ProviderCatalog {
  const { database } = deps;

  async function change<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    const result = await database.transaction(async (tx) => {
      await lockDefinitions(tx);
      await advanceProviderRevision(tx);
      return run(tx);
    });
    await deps.changed();
    return result;
  }

  return {
    ...providerRecords(deps),
    async put({ provider, value, expected }, by) {
      const text = JSON.stringify(requireDefinition(deps, provider, value));
      return change((tx) => putText(deps, tx, { provider, text, expected, by }));
    },
    remove: (provider, expected, by) => change((tx) => removeStored(deps, tx, { provider, expected, by })),
    retire: (modelId, dates, by) => change((tx) => retireModel(deps, tx, { modelId, dates, by })),
    verified: (modelId, model, at, by) =>
      change(async (tx) => {
        await recordVerification(tx, modelId, { verifiedAt: at, digest: modelDigest(model) });
        await deps.audit.append(tx, {
          ...by,
          action: "model.verify",
          subject: { kind: "model", id: modelId },
          after: { at },
        });
      }),
    release: (modelId, released, by) => change((tx) => releaseModel(deps, tx, { modelId, released, by })),
  };
}

interface StoredChange {
  readonly provider: string;
  readonly expected: ExpectedVersion;
  readonly by: ActingOnProviders;
}

async function putText(
  { audit }: ProviderCatalogDeps,
  tx: Queryable,
  { provider, text, expected, by }: StoredChange & { readonly text: string },
): Promise<{ version: number; isNew: boolean }> {
  const before = await findStoredDefinition(tx, provider);
  requireExpected(before, expected);
  const request = { provider, source: "admin", text, digest: digestOf(text), createdBy: nameOf(by) } as const;
  const after = await insertDefinition(tx, request);
  await audit.append(tx, entry(by, "provider.put", provider, before, after));
  return { version: after.version, isNew: before === null || before.definition === null };
}

async function removeStored(
  { audit }: ProviderCatalogDeps,
  tx: Queryable,
  { provider, expected, by }: StoredChange,
): Promise<void> {
  const before = await findStoredDefinition(tx, provider);
  requireExpected(before, expected);
  if (before === null || before.definition === null)
    throw new Fault("not_found", "No definition for this provider is stored on this server.");
  const request = { provider, source: "admin", text: null, digest: "", createdBy: nameOf(by) } as const;
  await audit.append(tx, entry(by, "provider.remove", provider, before, await insertDefinition(tx, request)));
}

async function retireModel(
  { audit }: ProviderCatalogDeps,
  tx: Queryable,
  {
    modelId,
    dates,
    by,
  }: { modelId: string; dates: Pick<ModelMarks, "deprecatedAt" | "sunsetAt">; by: ActingOnProviders },
): Promise<void> {
  await replaceRetirement(tx, modelId, dates);
  const after = { deprecated_at: dates.deprecatedAt, sunset_at: dates.sunsetAt };
  await audit.append(tx, { ...by, action: "model.retire", subject: { kind: "model", id: modelId }, after });
}

async function releaseModel(
  { audit }: ProviderCatalogDeps,
  tx: Queryable,
  { modelId, released, by }: { modelId: string; released: boolean | null; by: ActingOnProviders },
): Promise<void> {
  const before = await replaceRelease(tx, modelId, released);
  await audit.append(tx, {
    ...by,
    action: "model.release",
    subject: { kind: "model", id: modelId },
    before: { released: before },
    after: { released },
  });
}

// Looks first without the lock, because usually the definition is stored already.
async function recordFile(database: Database, definition: ProviderDefinition): Promise<number> {
  const { provider } = definition;
  const text = JSON.stringify(definition);
  const digest = digestOf(text);
  const known = await findFileVersion(database, provider, digest);
  if (known !== null) return known;
  return database.transaction(async (tx) => {
    await lockDefinitions(tx);
    const meanwhile = await findFileVersion(tx, provider, digest);
    if (meanwhile !== null) return meanwhile;
    return (await insertDefinition(tx, { provider, source: "file", text, digest, createdBy: "a file" })).version;
  });
}

function requireDefinition(deps: ProviderCatalogDeps, provider: string, value: unknown): ProviderDefinition {
  const checked = checkDefinition(deps.checks, value);
  if (!checked.ok) throw refused(checked.fields);
  const { definition } = checked;
  const problems = [
    ...(definition.provider === provider
      ? []
      : [{ path: "/provider", message: "must match the provider in the path" }]),
    ...deps.checks.targetProblems(definition),
  ];
  if (problems.length > 0) throw refused(problems);
  return definition;
}

// Refusals are logged and returned. An unknown member may be a credential in the wrong place, so we show its position and
// not its name.
function refused(found: readonly DefinitionProblem[]): Fault {
  const fields = found.map(({ path, message }) => ({
    path: path.replace(/\/(?![A-Za-z0-9_-]{1,24}(?:\/|$))[^/]*/g, "/…"),
    message,
  }));
  const named = fields.slice(0, 20).map(problemText);
  const more = fields.length > named.length ? `; and ${fields.length - named.length} more` : "";
  return new Fault("invalid_request", `The definition is not valid: ${named.join("; ")}${more}.`, { details: fields });
}

function requireExpected(before: StoredDefinition | null, expected: ExpectedVersion): void {
  const isThere = before !== null && before.definition !== null;
  if (isExpected(expected, isThere ? before.version : null)) return;
  const now = isThere ? `version ${before.version} is stored` : "nothing is stored";
  throw new Fault("precondition_failed", `The definition has changed: ${now}. Read it again and retry.`);
}

// Full definitions are kept by version; the audit names the version and what an operator looks for first.
function entry(
  by: ActingOnProviders,
  action: string,
  provider: string,
  before: StoredDefinition | null,
  after: StoredDefinition,
): NewAuditEntry {
  const summary = (stored: StoredDefinition | null) =>
    stored === null ? null : { version: stored.version, digest: stored.digest, ...gist(stored.definition) };
  return {
    ...by,
    action,
    subject: { kind: "provider", id: provider },
    before: summary(before),
    after: summary(after),
    shown: ["base_url", "setting", "digest"],
  };
}

function gist(definition: unknown): object {
  if (typeof definition !== "object" || definition === null) return { removed: true };
  const models: unknown = Reflect.get(definition, "models");
  const credential: unknown = Reflect.get(definition, "credential");
  return {
    base_url: Reflect.get(definition, "base_url"),
    setting: typeof credential === "object" && credential !== null ? Reflect.get(credential, "setting") : null,
    models: Array.isArray(models) ? models.map((model) => Reflect.get(Object(model), "model")) : [],
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function nameOf({ actor }: ActingOnProviders): string {
  // A definition never changes, so it must not hold the name of a person, who may have it erased.
  const name = actor.kind === "person" ? actor.id : (actor.name ?? actor.id);
  return `${actor.kind} ${name ?? ""}`.trim().slice(0, 200);
}
