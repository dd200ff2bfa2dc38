// What a work made when it was published, for those who may call it: they see it before they pay for a run of their own.
import type { Queryable } from "../../../foundation/database/index.ts";
import { trustedId } from "../../../foundation/ids.ts";
import { readExactJson } from "../../../foundation/json/exact-json.ts";
import type { RunnerExample } from "../../providers/index.ts";
import type { CallableWork, PublishedExample } from "../publishing/published-work.ts";
import { findExamples } from "../publishing/work-read-store.ts";
import type { AnswerDeps } from "./work-answer.ts";

export interface WorkExamplesDeps extends AnswerDeps {
  readonly database: Queryable;
}

export async function workExamples(deps: WorkExamplesDeps, work: CallableWork): Promise<readonly RunnerExample[]> {
  const examples = readExactJson(await findExamples(deps.database, work)) as readonly PublishedExample[];
  return Promise.all(
    examples.map(async ({ title, inputs, assets }) => ({ title, inputs, urls: await urlsOf(deps, work, assets) })),
  );
}

async function urlsOf({ assets }: AnswerDeps, { ownerId }: CallableWork, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    ids.map((id) => assets.get({ workspaceId: ownerId, assetId: trustedId<"asset">(id) })),
  );
  return found.map((asset) => assets.sign(asset).url);
}
