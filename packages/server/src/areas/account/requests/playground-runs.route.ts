// What the caller ran in the playground: remembered, listed and forgotten. Each person sees only their own.
import { KeepPlaygroundRun, operations, type PlaygroundRun as WireRun } from "@atelier/contract";
import { type Principal, requireScope } from "../../../capabilities/identity/index.ts";
import type { PlaygroundRun, PlaygroundRuns, RunOwner } from "../../../capabilities/playground-runs/index.ts";
import { creditsText, parseCredits } from "../../../capabilities/prices/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { pageById, QueryReader } from "../../../foundation/http/page-query.ts";
import { type Id, parseId, trustedId } from "../../../foundation/ids.ts";
import { hasAtMost } from "../../../foundation/json/characters.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface PlaygroundRunDeps {
  readonly playgroundRuns: PlaygroundRuns;
  readonly cursors: Cursors;
}

const fresh = { "cache-control": "no-store" } as const;

export function listPlaygroundRunsRoute({ playgroundRuns, cursors }: PlaygroundRunDeps): Route<AccountCaller> {
  return route(operations.listPlaygroundRuns, async ({ caller, query }) => {
    const owner = ownerOf(caller.principal);
    const reader = new QueryReader(query);
    const model =
      reader.read("model", (text) => (hasAtMost(text, 201) && isStorable(text) ? text : null), "a model's id") ?? null;
    const page = await pageById(
      { reader, cursors, purpose: JSON.stringify(["playground runs", owner.workspaceId, owner.ownerId, model]) },
      (before: Id<"playground run"> | null, count) => playgroundRuns.list(owner, { model, before, count }),
      present,
    );
    return jsonAnswer(200, page, fresh);
  });
}

export function keepPlaygroundRunRoute({ playgroundRuns }: PlaygroundRunDeps): Route<AccountCaller> {
  return route(operations.keepPlaygroundRun, async (incoming) => {
    const owner = ownerOf(incoming.caller.principal);
    const body = requireValid(KeepPlaygroundRun, await incoming.json());
    if (!isStorable(body.model) || !isObject(body.input))
      throw new Fault("invalid_request", "The request is not valid: input must be a JSON object as text.", {
        details: [{ path: "input", message: "must be a JSON object as text" }],
      });
    const run = await playgroundRuns.keep({
      ...owner,
      model: body.model,
      input: body.input,
      requestId: body.request_id === null ? null : trustedId(body.request_id),
      credits: body.credits === null ? null : parseCredits(body.credits),
      assetIds: body.asset_ids,
    });
    return jsonAnswer(201, present(run), fresh);
  });
}

export function deletePlaygroundRunRoute({ playgroundRuns }: PlaygroundRunDeps): Route<AccountCaller> {
  return route(operations.deletePlaygroundRun, async ({ caller, params }) => {
    const owner = ownerOf(caller.principal);
    const id = parseId<"playground run">(params["runId"] ?? "");
    if (id === null || !(await playgroundRuns.remove(owner, id)))
      throw new Fault("not_found", "There is no such run in your history.");
    return { status: 204 };
  });
}

export function deletePlaygroundRunsRoute({ playgroundRuns }: PlaygroundRunDeps): Route<AccountCaller> {
  return route(operations.deletePlaygroundRuns, async ({ caller }) => {
    await playgroundRuns.clear(ownerOf(caller.principal));
    return { status: 204 };
  });
}

function ownerOf(principal: Principal): RunOwner {
  requireScope(principal, "account");
  const ownerId = principal.kind === "key" ? principal.keyId : principal.personId;
  return { workspaceId: principal.workspaceId, ownerId };
}

// PostgreSQL cannot store NUL.
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

function isObject(text: string): boolean {
  if (!isStorable(text)) return false;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function present({ id, at, model, input, requestId, credits, assetIds }: PlaygroundRun): WireRun {
  return {
    id,
    at: at.toISOString(),
    model,
    input,
    request_id: requestId,
    credits: credits === null ? null : creditsText(credits),
    asset_ids: [...assetIds],
  };
}
