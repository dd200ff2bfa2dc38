// Copies what a model made to the workspace's assets before its answer is recorded, where the call or the definition asks for it. The
// answer's bytes stay the provider's: their addresses expire when the provider says, and the copies are named in a header. A file that
// cannot be copied costs the caller nothing but the copy.

import { isRecord } from "../../../foundation/json/json-record.ts";
import type { Log } from "../../../foundation/log.ts";
import type { OpenCall } from "../../calls/index.ts";
import { resultAddresses, type ServedModel } from "../../providers/index.ts";
import type { Ending } from "./decide-ending.ts";

export interface KeptOutput {
  readonly workspaceId: OpenCall["workspaceId"];
  readonly model: ServedModel;
  readonly url: string;
  // Without its extension.
  readonly name: string;
}

export interface OutputKeeper {
  // The id of the asset. Null if it cannot be fetched, or the workspace has no room for it.
  keep(output: KeptOutput): Promise<string | null>;
}

export interface KeepDeps {
  // Null or absent: nothing is kept.
  readonly keeper?: OutputKeeper | null;
  readonly log?: Pick<Log, "warn">;
}

const outputsMax = 20;

export async function keepOutputs(
  { keeper, log }: KeepDeps,
  { call, model, ending, isAsked }: KeepRequest,
): Promise<Ending> {
  const isKept = isAsked ?? model.definition.keep_outputs ?? false;
  if (!isKept || !keeper || ending.outcome !== "succeeded" || model.runner) return ending;
  const { id, workspaceId } = call;
  const ids: string[] = [];
  const urls = resultAddresses(model, ending.answer.body).slice(0, outputsMax);
  for (const [index, url] of urls.entries()) {
    const name = `${model.definition.model}-${id}-${index + 1}`;
    const kept = await keeper.keep({ workspaceId, model, url, name }).catch((error: unknown) => {
      log?.warn({ callId: id, err: error }, "an output could not be kept");
      return null;
    });
    if (kept !== null) ids.push(kept);
  }
  if (ids.length === 0) return ending;
  const headers = { ...ending.answer.headers, "x-service-kept-outputs": ids.join(",") };
  return { ...ending, answer: { ...ending.answer, headers } };
}

export interface KeepRequest {
  readonly call: OpenCall;
  // The one that answered.
  readonly model: ServedModel;
  readonly ending: Ending;
  // Absent or null: as the definition says.
  readonly isAsked?: boolean | null | undefined;
}

// Stored with the call.
export const keepContext = (isAsked: boolean | null | undefined): object =>
  isAsked === null || isAsked === undefined ? {} : { keep_outputs: isAsked };

export function storedKeep(context: unknown): boolean | null {
  const isAsked = isRecord(context) ? context["keep_outputs"] : null;
  return typeof isAsked === "boolean" ? isAsked : null;
}

// Calls run before assets are built.
export interface KeeperHolder extends OutputKeeper {
  connect(keeper: OutputKeeper): void;
}

export function keeperHolder(): KeeperHolder {
  let connected: OutputKeeper | null = null;
  return {
    connect(keeper) {
      connected = keeper;
    },
    keep: async (output) => (await connected?.keep(output)) ?? null,
  };
}
