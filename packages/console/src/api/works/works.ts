// Works: published workflows. The ETag of what a person looks at goes with each change, so that no person undoes another's change
// by accident.
import type { ChangeWork, CreatedWorkLink, NewWorkLink, PublishWork, Work, WorkForm, WorkflowForm } from "@atelier/sdk";
import { parseJson } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call, callRaw } from "../client.ts";
import { operations } from "../operations.ts";
import { readList, readPages, readQuery } from "../read-query.ts";

export interface ReadWork {
  readonly work: Work;
  readonly etag: string;
}

const key = "works";
export const worksKey = [key] as const;
export const linksKey = (name: string) => [key, name, "links"] as const;

// The works that a workflow was published as. A server lists at most a hundred at once, which is more than a person can oversee.
export function worksOfQuery(workflowId: string) {
  return queryOptions({
    queryKey: [key, "of", workflowId],
    queryFn: async ({ signal }) => {
      const { data } = await call(operations.listWorks, { query: { limit: 100 }, signal });
      return { own: data.filter((work) => work.workflow_id === workflowId), isFirst: data.length === 0 };
    },
  });
}

export function workQuery(name: string) {
  return queryOptions({
    queryKey: [key, name],
    queryFn: async ({ signal }): Promise<ReadWork> => {
      const response = await callRaw(operations.getWork, { params: { name }, signal });
      return { work: (await response.json()) as Work, etag: response.headers.get("etag") ?? "*" };
    },
  });
}

// A version never changes; which one is the latest does.
export const workVersionQuery = (name: string, version: number) => ({
  ...readQuery([key, name, "version", version], operations.getWorkVersion, {
    params: { name, version: String(version) },
  }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const workVersionsQuery = (name: string) =>
  readPages([key, name, "versions"], operations.listWorkVersions, { params: { name }, query: { limit: 50 } });

export const workDiffQuery = (name: string, from: number, to: number) => ({
  ...readQuery([key, name, "diff", from, to], operations.diffWorkVersions, { params: { name }, query: { from, to } }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const workflowFormQuery = (workflowId: string, version: number) => ({
  ...readQuery([key, "form", workflowId, version], operations.getWorkflowForm, {
    params: { workflowId },
    query: { version },
  }),
  // What a person does with it must not be replaced below their hands.
  staleTime: Number.POSITIVE_INFINITY,
});

export async function saveWorkflowForm(
  workflowId: string,
  { form, note }: { readonly form: WorkForm; readonly note: string },
  etag: string,
): Promise<{ readonly form: WorkflowForm; readonly etag: string }> {
  const response = await callRaw(operations.saveWorkflowForm, {
    params: { workflowId },
    headers: { "if-match": etag },
    json: { form, ...(note === "" ? {} : { note }) },
  });
  return { form: parseJson(await response.text()) as WorkflowForm, etag: response.headers.get("etag") ?? "*" };
}

// Runs the examples first, and answers when they have ended.
export function publishWork(name: string, json: PublishWork, signal?: AbortSignal): Promise<Work> {
  return call(operations.publishWork, { params: { name }, json, signal });
}

export function changeWork({ work: { name }, etag }: ReadWork, json: ChangeWork): Promise<Work> {
  return call(operations.changeWork, { params: { name }, headers: { "if-match": etag }, json });
}

export function withdrawWork({ work: { name }, etag }: ReadWork): Promise<undefined> {
  return call(operations.deleteWork, { params: { name }, headers: { "if-match": etag } });
}

export const linksQuery = (name: string) => readList(linksKey(name), operations.listWorkLinks, { params: { name } });

export function createLink(name: string, json: NewWorkLink): Promise<CreatedWorkLink> {
  return call(operations.createWorkLink, { params: { name }, json });
}

export function endLink(name: string, linkId: string): Promise<undefined> {
  return call(operations.deleteWorkLink, { params: { name, linkId } });
}
