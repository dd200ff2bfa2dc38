// What a saved workflow is, and which names, folders and tags it can have.
import { savedWorkflowTagsMax } from "@atelier/contract";
import type { Id, WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";

export type WorkflowId = Id<"workflow">;
export type DocumentFormat = "editor" | "api";

export interface WorkflowLocator {
  readonly workspaceId: WorkspaceId;
  readonly id: WorkflowId;
}

export interface SavedWorkflow {
  readonly id: WorkflowId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly folder: string;
  readonly tags: readonly string[];
  // The latest one.
  readonly version: number;
  // Rises with every change.
  readonly revision: number;
  readonly archivedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  // Of the latest version.
  readonly format: DocumentFormat;
  readonly nodes: number;
  readonly bytes: number;
}

export interface WorkflowVersion {
  readonly version: number;
  readonly format: DocumentFormat;
  readonly nodes: number;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly note: string | null;
  readonly restoredFrom: number | null;
  readonly createdAt: Date;
  readonly createdByKind: "person" | "key" | null;
  readonly createdById: string | null;
}

export interface WorkflowDocument {
  readonly version: number;
  readonly format: DocumentFormat;
  readonly document: Buffer;
  readonly sha256: Buffer;
}

// Where a page of the list ends.
export interface WorkflowPosition {
  readonly updatedAt: Date;
  readonly id: string;
}

const nameMax = 100;
const depthMax = 8;

// Throws invalid_request.
export function workflowName(given: string): string {
  const name = given.trim().normalize("NFC");
  if (!isName(name)) throw badField("name", `must have 1 to ${nameMax} characters, and no slash or control character`);
  return name;
}

// In the form it is stored in, without blanks around names and slashes at the ends.
export function folderPath(given: string): string {
  const names = given.split("/").map((part) => part.trim().normalize("NFC"));
  return names.filter((part) => part !== "").join("/");
}

export function workflowFolder(given: string): string {
  const path = folderPath(given);
  const names = path === "" ? [] : path.split("/");
  if (names.length > depthMax || !names.every(isName))
    throw badField("folder", `must be at most ${depthMax} names of 1 to ${nameMax} characters, joined by slashes`);
  return path;
}

export function workflowTags(given: readonly string[]): string[] {
  const tags = [...new Set(given.map((tag) => tag.trim().normalize("NFC").toLowerCase()))].sort();
  if (tags.length > savedWorkflowTagsMax || !tags.every((tag) => isName(tag) && tag.length <= 40))
    throw badField("tags", `must be at most ${savedWorkflowTagsMax} words of 1 to 40 characters`);
  return tags;
}

// Dots alone would be read as the current or the parent folder once files are written under these names.
function isName(text: string): boolean {
  const isWellFormed = text !== "" && text.isWellFormed() && [...text].length <= nameMax;
  return isWellFormed && !/[/\\\p{Cc}\u2028\u2029]/u.test(text) && !/^\.+$/.test(text);
}
