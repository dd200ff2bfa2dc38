// Routes as their owners write them: a workspace its own, operators the server's. Every process remembers them for five seconds
// and drops them as soon as one is written.
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type ExpectedVersion, isExpected } from "../../foundation/http/expected-version.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Audit } from "../audit/index.ts";
import { checkRoute, type TargetModel } from "./check-route.ts";
import type { RouteDefinition, StoredRoute } from "./model-route.ts";
import { noSuchRoute } from "./present-route.ts";
import { deleteRoute, listRoutes, lockRoutes, writeRoute } from "./route-store.ts";

// Null for the server's.
type Owner = WorkspaceId | null;

export interface Routes {
  // The workspace's own and those of the server that they do not hide, by name. Synchronous if cached.
  of(workspaceId: WorkspaceId): RoutesByName | Promise<RoutesByName>;
  // Sorted by name. Read from the database.
  list(owner: Owner): Promise<readonly StoredRoute[]>;
  // Throws validation_failed with the list of problems, or precondition_failed.
  put(request: PutRequest, by: Acting): Promise<{ readonly isNew: boolean; readonly route: StoredRoute }>;
  remove(request: Omit<PutRequest, "definition">, by: Acting): Promise<void>;
}

export type RoutesByName = ReadonlyMap<string, StoredRoute>;

export interface PutRequest {
  readonly owner: Owner;
  readonly name: string;
  readonly definition: RouteDefinition;
  readonly expected: ExpectedVersion;
}

export interface RoutesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  // The providers' models that the owner can call; for the server's routes, those of the shared catalog.
  modelsOf(owner: Owner): Promise<(modelId: string) => TargetModel | null>;
  readonly forgetting?: Forgetting;
}

const keepMs = 5_000;
const ownersMax = 10_000;
const routesMax = 100;
const serverKey = "server";

export function createRoutes(deps: RoutesDeps): Routes {
  const { database, clock, forgetting = forgettingAlone } = deps;
  const kept = new TtlCache<string, readonly StoredRoute[]>({ clock, keepMs, entriesMax: ownersMax });
  const merged = new WeakMap<readonly StoredRoute[], { server: readonly StoredRoute[]; byName: RoutesByName }>();
  const forget = forgetting.share("routes", (key) => kept.delete(key));
  const keyOf = (owner: Owner) => owner ?? serverKey;
  const remembered = (owner: Owner) => kept.getOrLoad(keyOf(owner), () => listRoutes(database, owner));

  function merge(server: readonly StoredRoute[], own: readonly StoredRoute[]): RoutesByName {
    const known = merged.get(own);
    if (known?.server === server) return known.byName;
    const byName = new Map([...server, ...own].map((route) => [route.name, route]));
    merged.set(own, { server, byName });
    return byName;
  }

  return {
    of(workspaceId) {
      const [server, own] = [remembered(null), remembered(workspaceId)];
      if (server instanceof Promise || own instanceof Promise)
        return Promise.all([server, own]).then(([all, mine]) => merge(all, mine));
      return merge(server, own);
    },
    list: (owner) => listRoutes(database, owner),
    async put({ owner, name, definition, expected }, by) {
      const problems = checkRoute(name, definition, await deps.modelsOf(owner));
      if (problems.length > 0) throw refusal(problems);
      const written = await database.transaction(async (tx) => {
        await lockRoutes(tx, owner);
        const all = await listRoutes(tx, owner);
        const before = all.find((route) => route.name === name);
        requireExpected(expected, before);
        if (!before && all.length >= routesMax)
          throw new Fault("conflict", `There can be at most ${routesMax} routes. Remove one first.`);
        const at = clock.now();
        const route: StoredRoute = {
          id: before?.id ?? newId<"model-route">(at.getTime()),
          workspaceId: owner,
          name,
          definition,
          version: (before?.version ?? 0) + 1,
          createdAt: before?.createdAt ?? at,
          updatedAt: at,
        };
        await writeRoute(tx, route);
        await deps.audit.append(tx, entry(by, "route.put", route));
        return { isNew: before === undefined, route };
      });
      await forget(keyOf(owner));
      return written;
    },
    async remove({ owner, name, expected }, by) {
      await database.transaction(async (tx) => {
        await lockRoutes(tx, owner);
        const before = (await listRoutes(tx, owner)).find((route) => route.name === name);
        if (!before) throw noSuchRoute();
        requireExpected(expected, before);
        await deleteRoute(tx, before);
        await deps.audit.append(tx, entry(by, "route.remove", before));
      });
      await forget(keyOf(owner));
    },
  };
}

function requireExpected(expected: ExpectedVersion, before: StoredRoute | undefined): void {
  if (!isExpected(expected, before?.version ?? null))
    throw new Fault("precondition_failed", "The route has changed. Read it again.");
}

function refusal(problems: ReturnType<typeof checkRoute>): Fault {
  const [first] = problems;
  return new Fault("validation_failed", `The route is not valid: ${first?.path} ${first?.message}.`, {
    details: problems,
  });
}

function entry(by: Acting, action: string, { workspaceId, name, version, definition }: StoredRoute) {
  return {
    ...by,
    action,
    subject: { kind: "route", id: name },
    ...(workspaceId === null ? {} : { workspaceId }),
    after: { version, targets: definition.targets.map(({ model }) => model) },
    shown: ["version", "targets"],
  };
}
