// What this person ran in the playground, kept on the server so that every machine shows it. Anything that looks secret and whole
// files stay out.
import type { PlaygroundRun } from "@atelier/sdk";
import { parseJson, writeJson } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../client.ts";
import { asFault } from "../fault.ts";
import { isRecord } from "../json-record.ts";
import { operations } from "../operations.ts";
import type { Input } from "./model-run.ts";

const shownMax = 48;

export const playgroundRunsQuery = (model: string) =>
  queryOptions({
    queryKey: ["playground runs", model],
    staleTime: 30_000,
    // Servers that keep none have no such page.
    queryFn: async ({ signal }): Promise<readonly PlaygroundRun[]> => {
      try {
        return (await call(operations.listPlaygroundRuns, { query: { model, limit: shownMax }, signal })).data;
      } catch (thrown) {
        if (asFault(thrown).status === 404) return [];
        throw thrown;
      }
    },
  });

export const inputCharactersMax = 20_000;

export interface NewRun {
  readonly model: string;
  readonly input: unknown;
  readonly requestId: string | null;
  readonly credits: string | null;
  readonly assetIds: readonly string[];
}

// False if it is too large to keep.
export async function keepRun({ model, input, requestId, credits, assetIds }: NewRun): Promise<boolean> {
  const text = writeJson(input);
  if (text.length > inputCharactersMax) return false;
  const json = { model, input: text, request_id: requestId, credits, asset_ids: assetIds.slice(0, 16) };
  await call(operations.keepPlaygroundRun, { json });
  return true;
}

export const forgetRun = (runId: string) => call(operations.deletePlaygroundRun, { params: { runId } });
export const forgetRuns = () => call(operations.deletePlaygroundRuns);

export function inputOfRun({ input }: Pick<PlaygroundRun, "input">): Input {
  const value = parseJson(input);
  return isRecord(value) ? value : {};
}

// The words people remember it by: the prompt, or the first text.
export function wordsOfInput(input: Input): string {
  const named = ["prompt", "text", "query"].map((name) => input[name]).find((value) => typeof value === "string");
  const first =
    named ?? Object.values(input).find((value) => typeof value === "string" && !/^(data:|https?:)/.test(value));
  return typeof first === "string" ? first : "";
}
