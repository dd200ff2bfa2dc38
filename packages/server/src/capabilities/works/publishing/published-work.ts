// What a published work is, and how its model ids are read: w.acme/lighthouse is the current version, w.acme/lighthouse.v3 the
// third one.
import type { WorkNeeds } from "@atelier/contract";
import type { Id, WorkspaceId } from "../../../foundation/ids.ts";
import type { JsonRecord } from "../../../foundation/json/json-record.ts";

export type WorkId = Id<"work">;
export type Visibility = "private" | "shared" | "public";

export interface WorkLocator {
  readonly workspaceId: WorkspaceId;
  readonly name: string;
}

export interface PublishedWork {
  readonly id: WorkId;
  readonly workspaceId: WorkspaceId;
  // Without a version.
  readonly modelId: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly sharedWith: readonly WorkspaceId[];
  // The current one.
  readonly version: number;
  readonly versions: number;
  // Of the current version.
  readonly workflowId: string;
  // Rises with every change.
  readonly revision: number;
  readonly cover: string | null;
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

// What is said about a work that every workspace may call.
export type OfferedWork = Pick<PublishedWork, "modelId" | "version" | "deprecatedAt" | "sunsetAt">;

export interface PublishedExample {
  readonly title: string | null;
  // What was really used; integers beyond 2^53 are bigints.
  readonly inputs: JsonRecord;
  readonly job_id: string;
  readonly assets: readonly string[];
}

export interface PublishedVersion {
  readonly version: number;
  readonly workflowId: string;
  readonly workflowVersion: number;
  // JSON text, with exact digits.
  readonly form: string;
  readonly needs: WorkNeeds;
  // A list of PublishedExample as JSON text, with exact digits.
  readonly examples: string;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly createdByKind: "person" | "key" | null;
  readonly createdById: string | null;
}

// A version as a caller runs it.
export interface CallableWork
  extends OfferedWork,
    Pick<PublishedWork, "title" | "description">,
    Pick<PublishedVersion, "form" | "needs"> {
  readonly workId: WorkId;
  readonly ownerId: WorkspaceId;
  readonly graph: Buffer;
}

export interface WorkReference {
  readonly modelId: string;
  // Null for the current one.
  readonly version: number | null;
}

// Null if it cannot be the id of a work.
export function readWorkReference(id: string): WorkReference | null {
  const parts = /^(w[.][^/]+\/[^/]+?)(?:[.]v([1-9][0-9]{0,8}))?$/.exec(id);
  if (parts?.[1] === undefined) return null;
  return { modelId: parts[1], version: parts[2] === undefined ? null : Number(parts[2]) };
}

export const versionId = (modelId: string, version: number): string => `${modelId}.v${version}`;
export const providerOf = (modelId: string): string => modelId.slice(0, modelId.indexOf("/"));

// Holds the files of a work: those in its graphs, and what its examples made.
export const workHolder = (id: WorkId) => ({ kind: "work", id });
