// Publishes a workspace's saved workflows as works, and keeps their versions.
import { type WorkDiff, workflowChangesMax } from "@atelier/contract";
import type { ExpectedVersion } from "../../../foundation/http/expected-version.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type JsonDocument, parseJson } from "../../../foundation/json/json-bytes.ts";
import { type Author, diffGraphs, type SavedWorkflows, type WorkflowLocator } from "../../saved-workflows/index.ts";
import { readFormText } from "../form/read-form.ts";
import { type ChangeDeps, changeWork, removeWork, requireFound, type WorkChange } from "./change-work.ts";
import { type DescribedPage, describeCallable } from "./describe-callable.ts";
import { diffForms } from "./diff-forms.ts";
import { type PublishDeps, type PublishedResult, type PublishRequest, publishWork } from "./publish-work.ts";
import type { OfferedWork, PublishedVersion, PublishedWork, WorkLocator } from "./published-work.ts";
import type { WorkCaller } from "./publishing-ports.ts";
import { findWork, findWorkVersion, listOfferedWorks, listWorks, listWorkVersions } from "./work-list-store.ts";
import { lastPublished, type WantedPage } from "./work-read-store.ts";
import {
  type FormToSave,
  readWorkflowForm,
  type SavedForm,
  saveWorkflowForm,
  type WorkflowForm,
} from "./workflow-form.ts";

export interface Works {
  publish(caller: WorkCaller, request: PublishRequest, signal: AbortSignal): Promise<PublishedResult>;
  // By name.
  list(page: {
    readonly workspaceId: WorkspaceId;
    readonly text: string | null;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<{ readonly works: readonly PublishedWork[]; readonly next: string | null }>;
  // Throws not_found for unknown works and those of other workspaces alike, as everything below does.
  get(locator: WorkLocator): Promise<PublishedWork>;
  change(
    caller: WorkCaller,
    locator: WorkLocator,
    given: { readonly change: WorkChange; readonly expected: ExpectedVersion },
  ): Promise<PublishedWork>;
  remove(caller: WorkCaller, locator: WorkLocator, expected: ExpectedVersion): Promise<void>;
  versions(
    locator: WorkLocator,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{
    readonly work: PublishedWork;
    readonly versions: readonly PublishedVersion[];
    readonly next: number | null;
  }>;
  // Null for the latest.
  version(
    locator: WorkLocator,
    version: number | null,
  ): Promise<{ readonly work: PublishedWork; readonly version: PublishedVersion }>;
  diff(locator: WorkLocator, versions: { readonly from: number | null; readonly to: number | null }): Promise<WorkDiff>;
  // The form of a saved workflow, published or suggested. `version` null is the latest. Throws validation_failed if it cannot
  // be converted or has no output.
  workflowForm(locator: WorkflowLocator, version: number | null): Promise<WorkflowForm>;
  // Makes a version of the saved workflow whose document has the form.
  saveWorkflowForm(locator: WorkflowLocator, given: FormToSave, by: Author): Promise<SavedForm>;
  // What the workspace may call: its own works, those shared with it, and public ones.
  callable(page: WantedPage): Promise<DescribedPage>;
  // Works that every workspace may call, by id, up to a bound.
  offered(): Promise<readonly OfferedWork[]>;
}

export interface WorksDeps extends Omit<PublishDeps, "lastPublished" | "assets">, Omit<ChangeDeps, "ports" | "assets"> {
  readonly assets: PublishDeps["assets"] & ChangeDeps["assets"];
  readonly saved: Pick<SavedWorkflows, "document" | "rewrite">;
}

export function createWorks(given: WorksDeps): Works {
  const { database } = given;
  const deps: PublishDeps & ChangeDeps = {
    ...given,
    lastPublished: (workspaceId, workflowId) => lastPublished(database, workspaceId, workflowId),
  };
  return {
    publish: (caller, request, signal) => publishWork(deps, caller, request, signal),
    async list({ limit, ...page }) {
      const found = await listWorks(database, { ...page, count: limit + 1 });
      const works = found.slice(0, limit);
      return { works, next: found.length > limit ? (works.at(-1)?.name ?? null) : null };
    },
    get: async (locator) => requireFound(await findWork(database, locator)),
    change: (caller, locator, change) => changeWork(deps, caller, locator, change),
    remove: (caller, locator, expected) => removeWork(deps, caller, locator, expected),
    async versions(locator, { before, limit }) {
      const work = requireFound(await findWork(database, locator));
      const found = await listWorkVersions(database, keyOf(work), { before, count: limit + 1 });
      const versions = found.slice(0, limit);
      return { work, versions, next: found.length > limit ? (versions.at(-1)?.version ?? null) : null };
    },
    async version(locator, wanted) {
      const work = requireFound(await findWork(database, locator));
      const version = await findWorkVersion(database, keyOf(work), wanted ?? work.versions);
      return { work, version: requireFound(version) };
    },
    diff: (locator, versions) => diffVersions(deps, locator, versions),
    workflowForm: (locator, version) => readWorkflowForm(deps, locator, version),
    saveWorkflowForm: (locator, form, by) => saveWorkflowForm({ ...deps, saved: given.saved }, locator, form, by),
    callable: (page) => describeCallable(deps, page),
    offered: () => listOfferedWorks(database, given.clock.now(), offeredMax),
  };
}

const offeredMax = 10_000;

const keyOf = ({ workspaceId, id }: PublishedWork) => ({ workspaceId, workId: id });

async function diffVersions(
  { database, json }: Pick<WorksDeps, "database" | "json">,
  locator: WorkLocator,
  versions: { readonly from: number | null; readonly to: number | null },
): Promise<WorkDiff> {
  const work = requireFound(await findWork(database, locator));
  const to = versions.to ?? work.versions;
  const from = versions.from ?? Math.max(1, to - 1);
  const [before, after] = await Promise.all(
    [from, to].map(async (version) => requireFound(await findWorkVersion(database, keyOf(work), version))),
  );
  if (before === undefined || after === undefined) throw new Error("two were asked for");
  const graphs = await Promise.all([before, after].map(({ graph }) => json.read(graph, reading, work.workspaceId)));
  const [old = noGraph, now = noGraph] = graphs;
  const form = diffForms(readFormText(before.form), readFormText(after.form));
  const changes = diffGraphs(old, now);
  return {
    from,
    to,
    form,
    changes: changes.slice(0, workflowChangesMax),
    is_same: form.length === 0 && changes.length === 0,
  };
}

const reading = { limits: { keysMax: 250_000, valuesMax: 1_000_000, exactMax: 10_000 }, unhashed: [] };
const noGraph: JsonDocument = parseJson(Buffer.from("{}"));
