// Workflows that the workspace keeps. A document travels as the text it is, so that the server keeps every byte of it. The ETag
// of what a person looks at goes with each change, so that no person saves over another by accident.
import type { SavedWorkflow, WorkflowVersion } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call, callRaw, send } from "../client.ts";
import { configQuery } from "../config.ts";
import { addressOf, methodOf, type QueryOf } from "../operation.ts";
import { operations } from "../operations.ts";
import { readQuery } from "../read-query.ts";

export interface Read {
  readonly workflow: SavedWorkflow;
  readonly etag: string;
}

// What is saved: a document as text, or the workflow of a job.
export type Source = { readonly text: string } | { readonly jobId: string };

export interface Filing {
  readonly name: string;
  readonly folder: string;
  readonly tags: readonly string[];
}

const key = "saved-workflows";
export const savedKey = [key] as const;

// The self-hosted surface has no account, and keeps nothing.
export function useKeeps(): boolean {
  const { data } = useQuery(configQuery);
  return data !== undefined && data.surface !== "self_hosted";
}

export function savedQuery(id: string) {
  return queryOptions({
    queryKey: [key, id],
    queryFn: async ({ signal }): Promise<Read> => {
      const response = await callRaw(operations.getSavedWorkflow, { params: { workflowId: id }, signal });
      return { workflow: (await response.json()) as SavedWorkflow, etag: etagIn(response) };
    },
  });
}

const etagIn = ({ headers }: Response): string => headers.get("etag") ?? "*";

export function readDocument(
  workflowId: string,
  version: number | "latest",
  query: QueryOf<typeof operations.getWorkflowDocument>,
  signal?: AbortSignal,
): Promise<Response> {
  const params = { workflowId, version: String(version) };
  return callRaw(operations.getWorkflowDocument, { params, query, signal });
}

export function listVersions(workflowId: string, cursor: string | null, signal?: AbortSignal) {
  return call(operations.listWorkflowVersions, { params: { workflowId }, query: { limit: 50, cursor }, signal });
}

export const diffQuery = (id: string, from: number, to: number) => ({
  ...readQuery([key, id, "diff", from, to], operations.diffWorkflowVersions, {
    params: { workflowId: id },
    query: { from, to },
  }),
  staleTime: Number.POSITIVE_INFINITY,
});

export async function saveWorkflow(
  source: Source,
  filing: Filing & { readonly note?: string },
): Promise<SavedWorkflow> {
  const response = await send(addressOf(operations.saveWorkflow), {
    method: methodOf(operations.saveWorkflow),
    headers: { "content-type": "application/json" },
    body: bodyOf(source, { ...filing, note: filing.note || undefined }),
  });
  return (await response.json()) as SavedWorkflow;
}

export async function saveVersion(
  id: string,
  source: Source,
  { note, etag }: { readonly note: string; readonly etag: string },
): Promise<{ readonly version: WorkflowVersion; readonly etag: string }> {
  const response = await send(addressOf(operations.saveWorkflowVersion, { params: { workflowId: id } }), {
    method: methodOf(operations.saveWorkflowVersion),
    headers: { "content-type": "application/json", "if-match": etag },
    body: bodyOf(source, { note: note || undefined }),
  });
  return { version: (await response.json()) as WorkflowVersion, etag: etagIn(response) };
}

export function restoreVersion(workflowId: string, restore: number, etag: string): Promise<WorkflowVersion> {
  const headers = { "if-match": etag };
  return call(operations.saveWorkflowVersion, { params: { workflowId }, headers, json: { restore } });
}

export function changeSaved(
  { workflow: { id }, etag }: Read,
  json: Partial<Filing> & { readonly archived?: boolean },
): Promise<SavedWorkflow> {
  const { tags, ...rest } = json;
  return call(operations.changeSavedWorkflow, {
    params: { workflowId: id },
    headers: { "if-match": etag },
    json: { ...rest, ...(tags === undefined ? {} : { tags: [...tags] }) },
  });
}

// The document is put in as it is: reading and writing it could lose digits, order and spaces.
export function bodyOf(source: Source, rest: Readonly<Record<string, unknown>>): string {
  if ("jobId" in source) return writeJson({ ...rest, job_id: source.jobId });
  const head = writeJson(rest).slice(0, -1);
  return `${head}${head === "{" ? "" : ","}"document":${source.text}}`;
}

// As people type them: words separated by commas.
export function tagsIn(text: string): readonly string[] {
  const tags = text.split(",").map((tag) => tag.trim().toLowerCase());
  return [...new Set(tags.filter((tag) => tag !== ""))];
}
