// Keeps a workspace's workflows: names, folders, tags and every version. A version is written once and never changes, so a save
// can never lose another person's work; with an expected revision it is refused instead of going on top of it.
import { limits, type WorkflowDiff } from "@atelier/contract";
import type { Clock } from "../../foundation/clock.ts";
import { type Database, isUniqueViolation, type Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type ExpectedVersion, isExpected } from "../../foundation/http/expected-version.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Graphs } from "../graphs/index.ts";
import type { JobId, JobRuns } from "../jobs/index.ts";
import type { DescribedDocument } from "./describe-document.ts";
import { type ReadDocument, type ReadDocumentDeps, readDocument } from "./read-document.ts";
import { diffVersions, readVersion, requireDocument, requireFound } from "./read-versions.ts";
import {
  type DocumentFormat,
  folderPath,
  type SavedWorkflow,
  type WorkflowDocument,
  type WorkflowLocator,
  type WorkflowPosition,
  type WorkflowVersion,
  workflowFolder,
  workflowName,
  workflowTags,
} from "./saved-workflow.ts";
import { type Described, exactClass, exactTag, searchWords, splitWords } from "./search-words.ts";
import {
  countWorkflows,
  findDocumentWords,
  findExisting,
  findNamedWorkflow,
  findWorkflow,
  listVersions,
  listWorkflows,
  lockWorkflow,
} from "./workflow-read-store.ts";
import { deleteWorkflow, insertVersion, insertWorkflow, replaceWorkflow } from "./workflow-write-store.ts";

export interface Author {
  readonly kind: "person" | "key";
  readonly id: string;
}

// Where a version comes from: bytes, or a job of the same workspace.
export type DocumentSource =
  | {
      readonly bytes: Buffer;
      // If they have been read already.
      readonly described?: DescribedDocument;
      // Whether an editor's canvas without nodes will do.
      readonly mayBeEmpty?: boolean;
    }
  | { readonly jobId: JobId };

export interface NewWorkflow {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly folder: string;
  readonly tags: readonly string[];
  readonly note: string | null;
  readonly source: DocumentSource;
}

export interface ListedBy {
  readonly workspaceId: WorkspaceId;
  readonly text: string;
  readonly folder: string | null;
  readonly tag: string | null;
  readonly classType: string | null;
  readonly isArchived: boolean;
  readonly before: WorkflowPosition | null;
  readonly limit: number;
}

export interface WorkflowFieldChange {
  readonly name?: string;
  readonly folder?: string;
  readonly tags?: readonly string[];
  readonly isArchived?: boolean;
}

export interface SavedWorkflows {
  save(request: NewWorkflow, by: Author): Promise<SavedWorkflow>;
  list(by: ListedBy): Promise<{ readonly workflows: readonly SavedWorkflow[]; readonly next: WorkflowPosition | null }>;
  // Throws not_found for unknown workflows and those of other workspaces alike, as everything below does.
  get(locator: WorkflowLocator): Promise<SavedWorkflow>;
  // The one of this name that is not archived. Null if there is none.
  findNamed(wanted: {
    readonly workspaceId: WorkspaceId;
    readonly folder: string;
    readonly name: string;
  }): Promise<SavedWorkflow | null>;
  // Those of the ids that are workflows of this workspace.
  existing(workspaceId: WorkspaceId, ids: readonly string[]): Promise<ReadonlySet<string>>;
  change(locator: WorkflowLocator, change: WorkflowFieldChange, expected: ExpectedVersion): Promise<SavedWorkflow>;
  // Throws conflict unless it is archived.
  remove(locator: WorkflowLocator, expected: ExpectedVersion): Promise<void>;
  duplicate(
    locator: WorkflowLocator,
    copy: { readonly name: string; readonly folder: string | null; readonly version: number | null },
    by: Author,
  ): Promise<SavedWorkflow>;
  saveVersion(locator: WorkflowLocator, given: GivenVersion, by: Author): Promise<VersionResult>;
  // Saves what `edit` makes of the latest document. If another version is saved meanwhile, that one is edited instead, unless a
  // revision is expected.
  rewrite(locator: WorkflowLocator, given: Rewrite, by: Author): Promise<VersionResult>;
  versions(
    locator: WorkflowLocator,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ readonly versions: readonly WorkflowVersion[]; readonly next: number | null }>;
  // `version` null is the latest, `format` null as it was saved.
  document(locator: WorkflowLocator, version: number | null, format: DocumentFormat | null): Promise<WorkflowDocument>;
  diff(
    locator: WorkflowLocator,
    versions: { readonly from: number | null; readonly to: number | null },
  ): Promise<WorkflowDiff>;
}

export interface GivenVersion {
  readonly source: DocumentSource | { readonly restore: number };
  readonly note: string | null;
  readonly expected: ExpectedVersion;
}

export interface Rewrite {
  edit(latest: WorkflowDocument): Promise<Buffer>;
  readonly note: string | null;
  readonly expected: ExpectedVersion;
}

export interface VersionResult {
  readonly version: WorkflowVersion;
  readonly revision: number;
  // False if the bytes are those of the latest version already.
  readonly isNew: boolean;
}

export interface SavedWorkflowsDeps extends ReadDocumentDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly graphs: Pick<Graphs, "isEditorFormat" | "convert" | "ready">;
  readonly runs: Pick<JobRuns, "document">;
  // The contract's limits, unless a test has smaller ones.
  readonly workflowsMax?: number;
  readonly versionsMax?: number;
}

export function createSavedWorkflows(deps: SavedWorkflowsDeps): SavedWorkflows {
  const { database } = deps;
  return {
    save: (request, by) => save(deps, request, by),
    async list({ text, folder, tag, classType, limit, ...by }) {
      const found = await listWorkflows(database, {
        ...by,
        beginnings: [...new Set(splitWords(text))],
        exact: [
          ...(tag === null ? [] : [exactTag(tag.toLowerCase())]),
          ...(classType === null ? [] : [exactClass(classType)]),
        ],
        folder: (folder && folderPath(folder)) || null,
        count: limit + 1,
      });
      const workflows = found.slice(0, limit);
      const last = workflows.at(-1);
      return { workflows, next: found.length > limit && last ? { updatedAt: last.updatedAt, id: last.id } : null };
    },
    get: async (locator) => requireFound(await findWorkflow(database, locator)),
    findNamed: ({ workspaceId, folder, name }) =>
      findNamedWorkflow(database, { workspaceId, folder: folderPath(folder), name: name.trim().normalize("NFC") }),
    existing: async (workspaceId, ids) =>
      ids.length === 0 ? new Set<string>() : findExisting(database, workspaceId, [...new Set(ids)]),
    change: (locator, change, expected) => changeFields(deps, locator, change, expected),
    async remove(locator, expected) {
      await database.transaction(async (tx) => {
        const workflow = await requireLocked(tx, locator, expected);
        if (workflow.archivedAt === null) throw new Fault("conflict", "Archive the workflow before you delete it.");
        await deleteWorkflow(tx, locator);
      });
    },
    async duplicate(locator, { name, folder, version }, by) {
      const original = requireFound(await findWorkflow(database, locator));
      const { document } = await requireDocument(database, locator, version ?? original.version);
      const { workspaceId, tags } = original;
      const copy = { workspaceId, name, folder: folder ?? original.folder, tags, source: { bytes: document } };
      const note = `Copied from “${original.name}”, version ${version ?? original.version}.`;
      return save(deps, { ...copy, note }, by);
    },
    saveVersion: (locator, given, by) => saveVersion(deps, locator, given, by),
    rewrite: (locator, given, by) => rewrite(deps, locator, given, by, rewritesMax),
    async versions(locator, { before, limit }) {
      requireFound(await findWorkflow(database, locator));
      const found = await listVersions(database, locator, { before, count: limit + 1 });
      const versions = found.slice(0, limit);
      return { versions, next: found.length > limit ? (versions.at(-1)?.version ?? null) : null };
    },
    document: (locator, version, format) => readVersion(deps, locator, version, format),
    diff: (locator, versions) => diffVersions(deps, locator, versions),
  };
}

async function save(deps: SavedWorkflowsDeps, request: NewWorkflow, by: Author): Promise<SavedWorkflow> {
  const { database, clock, workflowsMax = limits.savedWorkflowsMax } = deps;
  const { workspaceId, note } = request;
  const fields = {
    name: workflowName(request.name),
    folder: workflowFolder(request.folder),
    tags: workflowTags(request.tags),
  };
  const document = await readSource(deps, workspaceId, request.source);
  const locator = { workspaceId, id: newId<"workflow">() };
  const at = clock.now();
  return named(fields, () =>
    database.transaction(async (tx) => {
      const count = await countWorkflows(tx, workspaceId, workflowsMax);
      if (count >= workflowsMax)
        throw new Fault("quota_exceeded", `A workspace can keep ${workflowsMax} workflows. Delete some first.`);
      await insertWorkflow(tx, { ...locator, ...fields, ...wordsFor(fields, document.words), at });
      await insertVersion(tx, locator, 1, newVersion(document, { note, restoredFrom: null, by, at }));
      return requireFound(await findWorkflow(tx, locator));
    }),
  );
}

async function changeFields(
  deps: SavedWorkflowsDeps,
  locator: WorkflowLocator,
  change: WorkflowFieldChange,
  expected: ExpectedVersion,
): Promise<SavedWorkflow> {
  const { name, folder, tags, isArchived } = change;
  const given = {
    ...(name === undefined ? {} : { name: workflowName(name) }),
    ...(folder === undefined ? {} : { folder: workflowFolder(folder) }),
    ...(tags === undefined ? {} : { tags: workflowTags(tags) }),
  };
  const before = requireFound(await findWorkflow(deps.database, locator));
  return named({ ...before, ...given }, () =>
    deps.database.transaction(async (tx) => {
      const workflow = await requireLocked(tx, locator, expected);
      const words = await findDocumentWords(tx, locator);
      const at = deps.clock.now();
      const fields = { name: workflow.name, folder: workflow.folder, tags: workflow.tags, ...given };
      const archivedAt =
        isArchived === undefined ? workflow.archivedAt : isArchived ? (workflow.archivedAt ?? at) : null;
      const changed = { ...fields, archivedAt, ...wordsFor(fields, words), version: workflow.version, at };
      await replaceWorkflow(tx, locator, changed);
      return requireFound(await findWorkflow(tx, locator));
    }),
  );
}

async function saveVersion(
  deps: SavedWorkflowsDeps,
  locator: WorkflowLocator,
  { source, note, expected }: GivenVersion,
  by: Author,
): Promise<VersionResult> {
  const { versionsMax = limits.savedWorkflowVersionsMax } = deps;
  const restoredFrom = "restore" in source ? source.restore : null;
  const bytes =
    "restore" in source ? { bytes: (await requireDocument(deps.database, locator, source.restore)).document } : source;
  const document = await readSource(deps, locator.workspaceId, bytes);
  return deps.database.transaction(async (tx) => {
    const workflow = await requireLocked(tx, locator, expected);
    const [latest] = await listVersions(tx, locator, { before: workflow.version + 1, count: 1 });
    const isNew = latest === undefined || !latest.sha256.equals(document.sha256);
    const version = workflow.version + (isNew ? 1 : 0);
    if (isNew) {
      if (version > versionsMax)
        throw new Fault("quota_exceeded", `A workflow can have ${versionsMax} versions. Duplicate it to go on.`);
      const at = deps.clock.now();
      await insertVersion(tx, locator, version, newVersion(document, { note, restoredFrom, by, at }));
      await replaceWorkflow(tx, locator, { ...workflow, ...wordsFor(workflow, document.words), version, at });
    }
    const [written] = await listVersions(tx, locator, { before: version + 1, count: 1 });
    return { version: requireFound(written ?? null), revision: workflow.revision + (isNew ? 1 : 0), isNew };
  });
}

const rewritesMax = 5;

async function rewrite(
  deps: SavedWorkflowsDeps,
  locator: WorkflowLocator,
  given: Rewrite,
  by: Author,
  attempts: number,
): Promise<VersionResult> {
  const { edit, note, expected } = given;
  const workflow = requireFound(await findWorkflow(deps.database, locator));
  requireRevision(workflow, expected);
  const bytes = await edit(await requireDocument(deps.database, locator, workflow.version));
  const revision: ExpectedVersion = { kind: "version", versions: [workflow.revision] };
  try {
    return await saveVersion(deps, locator, { source: { bytes }, note, expected: revision }, by);
  } catch (thrown) {
    const isOvertaken = thrown instanceof Fault && thrown.code === "precondition_failed";
    if (!isOvertaken || expected.kind === "version" || attempts <= 1) throw thrown;
    return rewrite(deps, locator, given, by, attempts - 1);
  }
}

async function readSource(
  deps: SavedWorkflowsDeps,
  workspaceId: WorkspaceId,
  source: DocumentSource,
): Promise<ReadDocument> {
  if ("bytes" in source) return readDocument(deps, source, workspaceId);
  const found = await deps.runs.document({ workspaceId, jobId: source.jobId });
  if (found === null) throw new Fault("not_found", "There is no such job in this workspace.");
  return readDocument(deps, { bytes: found }, workspaceId);
}

function wordsFor(fields: Described, documentWords: readonly string[]) {
  return { documentWords, words: searchWords(fields, documentWords) };
}

function newVersion(
  { bytes, sha256, format, nodes }: ReadDocument,
  made: { readonly note: string | null; readonly restoredFrom: number | null; readonly by: Author; readonly at: Date },
) {
  const { note, restoredFrom, by, at } = made;
  const author = { createdByKind: by.kind, createdById: by.id };
  return { document: bytes, sha256, format, nodes, note: note?.trim() || null, restoredFrom, at, ...author };
}

async function requireLocked(
  tx: Queryable,
  locator: WorkflowLocator,
  expected: ExpectedVersion,
): Promise<SavedWorkflow> {
  const workflow = requireFound(await lockWorkflow(tx, locator));
  requireRevision(workflow, expected);
  return workflow;
}

function requireRevision(workflow: SavedWorkflow, expected: ExpectedVersion): void {
  if (isExpected(expected, workflow.revision)) return;
  throw new Fault(
    "precondition_failed",
    `The workflow has been changed since you read it; its latest version is ${workflow.version}. Read it again.`,
  );
}

async function named<Result>(
  { name, folder }: { readonly name: string; readonly folder: string },
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (thrown) {
    if (!isUniqueViolation(thrown, "saved_workflows_names")) throw thrown;
    const where = folder === "" ? "" : ` in the folder ${folder}`;
    throw new Fault("conflict", `There is already a workflow called “${name}”${where}.`);
  }
}
