// May this workspace run this model? A workspace has allow patterns: `*`, `provider/*` or one model id. Without its own
// list the installation's default applies; an empty list allows nothing. There are no deny patterns: what is not allowed
// is refused, so the order of patterns never matters. A gate comes first: whether the workspace may use the model router
// at all (decisions, section 3: a per-workspace gate).
import { forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import { Fault, orNotFound } from "../../foundation/fault.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Acting, ChangeDeps } from "./acting.ts";
import { allows } from "./model-patterns.ts";
import { findEntitlements, updateEntitlements, updateRouterGate } from "./workspace-store.ts";

export interface Entitlements {
  mayRun(workspaceId: WorkspaceId, modelId: string): boolean | Promise<boolean>;
  isRouterEnabled(workspaceId: WorkspaceId): boolean | Promise<boolean>;
  find(workspaceId: WorkspaceId): Promise<ModelRights>;
  // Null restores the installation's default.
  replace(workspaceId: WorkspaceId, patterns: readonly string[] | null, by: Acting): Promise<void>;
  setRouterGate(workspaceId: WorkspaceId, enabled: boolean, by: Acting): Promise<void>;
}

export interface ModelRights {
  readonly routerEnabled: boolean;
  // Null for the installation's default.
  readonly patterns: readonly string[] | null;
}

interface RememberedRights {
  readonly routerEnabled: boolean;
  readonly patterns: ReadonlySet<string>;
}

export interface EntitlementsOptions extends ChangeDeps {
  readonly defaultPatterns: readonly string[];
}

const segment = "[a-z0-9]+(?:[._-][a-z0-9]+)*";
const patternShape = new RegExp(`^(?:\\*|${segment}/\\*|${segment}/${segment})$`);
const patternCharactersMax = 193;
const patternsMax = 1_000;
const keepMs = 5_000;

export function createEntitlements(options: EntitlementsOptions): Entitlements {
  const { db, clock, audit, defaultPatterns, forgetting = forgettingAlone } = options;
  requirePatterns(defaultPatterns);
  const standard = new Set(defaultPatterns);
  const cache = new TtlCache<WorkspaceId, RememberedRights | null>({ clock, keepMs, entriesMax: 10_000 });
  const forget = forgetting.share("rights of workspaces", (workspaceId) => cache.delete(trustedId(workspaceId)));

  async function look(workspaceId: WorkspaceId): Promise<RememberedRights | null> {
    const found = await findEntitlements(db, workspaceId);
    if (found === null) return null;
    const { routerEnabled, patterns } = found;
    return { routerEnabled, patterns: patterns === null ? standard : new Set(patterns) };
  }

  const rightsOf = (workspaceId: WorkspaceId) => cache.getOrLoad(workspaceId, look);

  async function change(
    workspaceId: WorkspaceId,
    by: Acting,
    action: string,
    write: (tx: Queryable, before: ModelRights) => Promise<{ before: unknown; after: unknown }>,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      const changed = await write(tx, await requireRights(tx, workspaceId));
      const subject = { kind: "workspace", id: workspaceId };
      await audit.append(tx, { ...by, action, subject, workspaceId, ...changed });
    });
    await forget(workspaceId);
  }

  return {
    mayRun(workspaceId, modelId) {
      const rights = rightsOf(workspaceId);
      if (rights instanceof Promise) return rights.then((late) => allows(late?.patterns ?? null, modelId));
      return allows(rights?.patterns ?? null, modelId);
    },
    isRouterEnabled(workspaceId) {
      const rights = rightsOf(workspaceId);
      if (rights instanceof Promise) return rights.then((late) => late?.routerEnabled ?? false);
      return rights?.routerEnabled ?? false;
    },
    find: (workspaceId) => requireRights(db, workspaceId),
    setRouterGate: (workspaceId, enabled, by) =>
      change(workspaceId, by, "workspace.router", async (tx, { routerEnabled }) => {
        await updateRouterGate(tx, workspaceId, enabled);
        return { before: { enabled: routerEnabled }, after: { enabled } };
      }),
    async replace(workspaceId, patterns, by) {
      if (patterns !== null) requirePatterns(patterns);
      await change(workspaceId, by, "workspace.entitle", async (tx, before) => {
        await updateEntitlements(tx, workspaceId, patterns);
        return { before: before.patterns, after: patterns };
      });
    },
  };
}

async function requireRights(db: Queryable, workspaceId: WorkspaceId): Promise<ModelRights> {
  return orNotFound(await findEntitlements(db, workspaceId), "There is no such workspace.");
}

export function isPattern(text: string): boolean {
  return text.length <= patternCharactersMax && patternShape.test(text);
}

function requirePatterns(patterns: readonly string[]): void {
  const bad = patterns.filter((pattern) => !isPattern(pattern));
  if (bad.length > 0 || patterns.length > patternsMax) {
    throw new Fault("invalid_request", "An entitlement must be `*`, `provider/*` or a model id.", { details: { bad } });
  }
}
