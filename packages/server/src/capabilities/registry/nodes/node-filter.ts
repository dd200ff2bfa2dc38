// Which nodes a list shows, in which order, and which page of it.
import type { NodeStatus } from "@atelier/contract";
import type { Reader } from "../readers/reader.ts";

export interface NodeFilter {
  readonly reader: Reader;
  readonly statuses: readonly NodeStatus[];
  // Folded.
  readonly nodeIds?: readonly string[] | undefined;
  readonly os?: string | undefined;
  readonly accelerator?: string | undefined;
  // A version of the application; see withRanges.
  readonly appVersion?: string | undefined;
  readonly rangesLeftOut?: readonly string[] | undefined;
  readonly since?: Date | undefined;
  readonly publisherId?: string | undefined;
  readonly repositoryPart?: string | undefined;
  readonly descriptorPart?: string | undefined;
}

export const nodeSortColumns = [
  "id",
  "name",
  "created_at",
  "changed_at",
  "downloads",
  "github_stars",
  "rating",
  "search_ranking",
] as const;
export type NodeSortColumn = (typeof nodeSortColumns)[number];

export interface NodeSort {
  readonly column: NodeSortColumn;
  readonly descending: boolean;
}

export interface NodeWindow {
  readonly limit: number;
  readonly offset: number;
}
