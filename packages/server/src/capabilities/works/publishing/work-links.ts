// Links to a work: people who have one run the work without an account, up to a budget and until a date. A link is a key of the
// workspace that can call this work and nothing else.
import type { Queryable } from "../../../foundation/database/index.ts";
import { type PersonId, requireId } from "../../../foundation/ids.ts";
import type { KeyCaps } from "../../calls/index.ts";
import type { ApiKey, Keys } from "../../identity/index.ts";
import { requireFound } from "./change-work.ts";
import type { PublishedWork, WorkLocator } from "./published-work.ts";
import type { WorkCaller } from "./publishing-ports.ts";
import { findWork } from "./work-list-store.ts";

export interface WorkLink {
  readonly id: string;
  readonly label: string | null;
  // In micro-credits.
  readonly budget: bigint;
  readonly spent: bigint;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
}

export interface NewLink {
  readonly label: string | null;
  readonly budget: bigint;
  readonly expiresAt: Date;
  readonly createdBy: PersonId | null;
}

export interface WorkLinks {
  // `secret` is the whole key; it appears only here.
  create(
    caller: WorkCaller,
    locator: WorkLocator,
    given: NewLink,
  ): Promise<{ readonly link: WorkLink; readonly secret: string; readonly modelId: string }>;
  // The newest first, ended ones too.
  list(locator: WorkLocator): Promise<readonly WorkLink[]>;
  end(caller: WorkCaller, locator: WorkLocator, linkId: string): Promise<void>;
  // When the work is withdrawn.
  endAll(caller: WorkCaller, work: Pick<PublishedWork, "workspaceId" | "modelId">): Promise<void>;
}

export interface WorkLinksDeps {
  readonly keys: Pick<Keys, "create" | "links" | "endLink">;
  readonly caps: Pick<KeyCaps, "set" | "totals">;
  readonly database: Queryable;
}

export function createWorkLinks({ keys, caps, database }: WorkLinksDeps): WorkLinks {
  const work = async (locator: WorkLocator) => requireFound(await findWork(database, locator));
  return {
    async create({ acting }, locator, { label, budget, expiresAt, createdBy }) {
      const { workspaceId, modelId } = await work(locator);
      const name = label ?? modelId.slice(0, 100);
      const made = await keys.create(
        { workspaceId, name, role: "member", scopes: ["models"], expiresAt, createdBy, onlyModel: modelId },
        actingOf(acting),
      );
      try {
        const key = { workspaceId, apiKeyId: made.key.id };
        await caps.set(key, { day: null, month: null, total: budget }, actingOf(acting));
      } catch (thrown) {
        // Without its budget it must not work. Its secret has not been shown.
        await keys.endLink({ workspaceId, keyId: made.key.id, onlyModel: modelId }, actingOf(acting));
        throw thrown;
      }
      return { link: toLink(made.key, { total: budget, spent: 0n }), secret: made.secret, modelId };
    },
    async list(locator) {
      const { workspaceId, modelId } = await work(locator);
      const found = await keys.links(workspaceId, modelId);
      const totals = await caps.totals(
        workspaceId,
        found.map(({ id }) => id),
      );
      return found.map((key) => toLink(key, totals.get(key.id)));
    },
    async end({ acting }, locator, linkId) {
      const { workspaceId, modelId } = await work(locator);
      const keyId = requireId<"key">(linkId, "There is no such link.");
      await keys.endLink({ workspaceId, keyId, onlyModel: modelId }, actingOf(acting));
    },
    async endAll({ acting }, { workspaceId, modelId }) {
      const live = (await keys.links(workspaceId, modelId)).filter(({ revokedAt }) => revokedAt === null);
      for (const { id } of live) await keys.endLink({ workspaceId, keyId: id, onlyModel: modelId }, actingOf(acting));
    },
  };
}

function actingOf({ actor, requestId }: WorkCaller["acting"]) {
  return { actor, ...(requestId == null ? {} : { requestId }) };
}

function toLink(key: ApiKey, figures: { readonly total: bigint | null; readonly spent: bigint } | undefined): WorkLink {
  return {
    id: key.id,
    label: key.name === key.onlyModel?.slice(0, 100) ? null : key.name,
    budget: figures?.total ?? 0n,
    spent: figures?.spent ?? 0n,
    // Every link has one.
    expiresAt: key.expiresAt ?? key.createdAt,
    endedAt: key.revokedAt,
    createdAt: key.createdAt,
  };
}
