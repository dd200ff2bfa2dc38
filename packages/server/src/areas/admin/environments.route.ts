// Operators keep locks of applications, compare them and remove them.
import { type Environment, limits, operations, SaveEnvironment } from "@atelier/contract";
import type { EnvironmentId, Environments, SavedEnvironment } from "../../capabilities/environments/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { pageById, QueryReader } from "../../foundation/http/page-query.ts";
import { parseId, requireId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";

export interface EnvironmentRouteDeps {
  readonly environments: Environments;
  readonly cursors: Cursors;
}

type Request = Incoming<AdminCaller>;

const purpose = "admin environments";
const differencesMax = 1_000;

export function listEnvironmentsRoute({ environments, cursors }: EnvironmentRouteDeps): Route<AdminCaller> {
  return route(operations.listEnvironments, async ({ query }) => {
    const page = await pageById(
      { reader: new QueryReader(query), cursors, purpose },
      (before: EnvironmentId | null, count) => environments.list({ before, count }),
      present,
    );
    return freshAnswer(200, page);
  });
}

export function saveEnvironmentRoute({ environments }: EnvironmentRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.saveEnvironment,
    bodyBytesMax: limits.environmentLockBytesMax,
    async handle(incoming) {
      const { name, note = null, lock } = requireValid(SaveEnvironment, await incoming.json());
      const { isNew, environment } = await environments.save({ name, note, lock }, by(incoming));
      return freshAnswer(isNew ? 201 : 200, present(environment));
    },
  };
}

export function getEnvironmentRoute({ environments }: EnvironmentRouteDeps): Route<AdminCaller> {
  return route(operations.getEnvironment, async ({ params }) => {
    const environment = await environments.get(readId(params["environmentId"]));
    return freshAnswer(200, { ...present(environment), lock: await environments.lockOf(environment) });
  });
}

export function compareEnvironmentsRoute({ environments }: EnvironmentRouteDeps): Route<AdminCaller> {
  return route(operations.compareEnvironments, async ({ params, query }) => {
    const reader = new QueryReader(query);
    const to = reader.read("to", (text) => parseId<"environment">(text), "the id of an environment");
    reader.requireNoProblem();
    if (to === undefined)
      throw new Fault("invalid_request", "to is required: the id of the environment to compare with.");
    const found = await environments.compare(readId(params["environmentId"]), to);
    return freshAnswer(200, { data: found.slice(0, differencesMax), total: found.length });
  });
}

export function deleteEnvironmentRoute({ environments }: EnvironmentRouteDeps): Route<AdminCaller> {
  return route(operations.deleteEnvironment, async (incoming) => {
    await environments.remove(readId(incoming.params["environmentId"]), by(incoming));
    return { status: 204 };
  });
}

const by = (incoming: Request) => actingAsAdmin(incoming.caller, incoming.requestId);

const readId = (text: string | undefined): EnvironmentId => requireId(text, "There is no such environment.");

function present(environment: SavedEnvironment): Environment {
  const { id, name, version, note, packs, weights } = environment;
  return {
    id,
    name,
    version,
    lock_id: environment.lockId,
    note,
    application_version: environment.applicationVersion,
    packs,
    weights,
    weight_bytes: environment.weightBytes,
    created_at: environment.createdAt.toISOString(),
  };
}
