// Works as the router finds them: looked up for each caller, prepared once per version.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { CatalogModel, PublishedModels } from "../../model-calls/index.ts";
import { findCallable, listCallable } from "../publishing/work-read-store.ts";
import { followedModel, type PreparedWork, type PrepareWork, workModel } from "./prepared-work.ts";
import { followingRunner, type RunWorkDeps, workRunner } from "./run-work.ts";
import { workExamples } from "./work-examples.ts";

export interface WorkModelsDeps extends RunWorkDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly prepare: PrepareWork;
}

// Models kept with their compiled schemas.
const keptMax = 500;

export function createWorkModels(deps: WorkModelsDeps): PublishedModels {
  const following = followingRunner(deps);
  const kept = new BoundedMap<string, CatalogModel>(keptMax);

  function model(prepared: PreparedWork, id: string): CatalogModel {
    const { workId, version, title, description, deprecatedAt, sunsetAt } = prepared.work;
    const key = JSON.stringify([id, workId, version, title, description, deprecatedAt, sunsetAt]);
    const known = kept.get(key);
    if (known) return known;
    const runner = { ...workRunner(deps, prepared), examples: () => workExamples(deps, prepared.work) };
    const made = workModel(prepared, id, runner);
    kept.set(key, made);
    return made;
  }

  return {
    async find(workspaceId, id) {
      const work = await findCallable(deps.database, { workspaceId, modelId: id, at: deps.clock.now() });
      if (work === null) return null;
      return model(await deps.prepare(work), id);
    },
    async list({ workspaceId, after, count }) {
      const found = await listCallable(deps.database, { workspaceId, after, limit: count, at: deps.clock.now() });
      return found.map(({ modelId }) => ({ id: modelId }));
    },
    followed: (id, version) => followedModel(id, version, following),
  };
}
