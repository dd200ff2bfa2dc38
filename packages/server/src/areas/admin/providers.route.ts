// Operators write provider definitions and release models while the servers run. The version is the ETag: a writer who names it
// changes only the version it saw.
import { operations, SetModelRelease, SetModelRetirement } from "@atelier/contract";
import type { LiveProvider, LiveProviders, ProviderCatalog } from "../../capabilities/providers/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type BytesAnswer, type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { readExpectedVersion } from "../../foundation/http/expected-version.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentModelRelease, presentProvider, presentProviderRecord } from "./present-provider.ts";

export interface ProviderRouteDeps {
  readonly catalog: Pick<ProviderCatalog, "put" | "remove" | "release" | "retire">;
  readonly live: Pick<LiveProviders, "list" | "refresh">;
}

export function listProvidersRoute({ live }: ProviderRouteDeps): Route<AdminCaller> {
  return route(operations.listProviders, () => freshAnswer(200, { data: live.list().map(presentProvider) }));
}

export function getProviderRoute({ live }: ProviderRouteDeps): Route<AdminCaller> {
  return route(operations.getProvider, (incoming) => answerOne(200, requireProvider(live, readName(incoming))));
}

export function putProviderRoute(deps: ProviderRouteDeps): Route<AdminCaller> {
  return route(operations.putProvider, async (incoming) => {
    const provider = readName(incoming);
    const expected = readExpectedVersion(incoming.headers);
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    const { isNew, version } = await deps.catalog.put({ provider, value: await incoming.json(), expected }, by);
    return answerOne(isNew ? 201 : 200, await written(deps, provider, version));
  });
}

export function deleteProviderRoute({ catalog }: ProviderRouteDeps): Route<AdminCaller> {
  return route(operations.deleteProvider, async (incoming) => {
    const expected = readExpectedVersion(incoming.headers);
    await catalog.remove(readName(incoming), expected, actingAsAdmin(incoming.caller, incoming.requestId));
    return { status: 204 };
  });
}

export function setModelReleaseRoute({ catalog, live }: ProviderRouteDeps): Route<AdminCaller> {
  return route(operations.setModelRelease, async (incoming) => {
    const { released } = requireValid(SetModelRelease, await incoming.json());
    const id = `${readName(incoming)}/${incoming.params["model"] ?? ""}`;
    requireModel(live, id);
    await catalog.release(id, released, actingAsAdmin(incoming.caller, incoming.requestId));
    return freshAnswer(200, presentModelRelease(requireModel(live, id)));
  });
}

// Decisions, section 1: a removal is announced at least 90 days ahead.
const noticeMs = 90 * 86_400_000;

export function setModelRetirementRoute({ catalog, live }: ProviderRouteDeps): Route<AdminCaller> {
  return route(operations.setModelRetirement, async (incoming) => {
    const body = requireValid(SetModelRetirement, await incoming.json());
    const id = `${readName(incoming)}/${incoming.params["model"] ?? ""}`;
    requireModel(live, id);
    const dateOf = (text: string | null | undefined) => (text == null ? null : new Date(text));
    const dates = { deprecatedAt: dateOf(body.deprecated_at), sunsetAt: dateOf(body.sunset_at) };
    const { deprecatedAt, sunsetAt } = dates;
    if (sunsetAt !== null && (deprecatedAt === null || sunsetAt.getTime() - deprecatedAt.getTime() < noticeMs))
      throw new Fault("invalid_request", "sunset_at must be at least 90 days after deprecated_at.");
    await catalog.retire(id, dates, actingAsAdmin(incoming.caller, incoming.requestId));
    return freshAnswer(200, presentModelRelease(requireModel(live, id)));
  });
}

// Text that cannot be a provider's name is not found.
function readName(incoming: Pick<Incoming<AdminCaller>, "params">): string {
  const name = incoming.params["provider"] ?? "";
  if (!/^[a-z0-9._-]{1,64}$/.test(name)) throw new Fault("not_found", "There is no such provider.");
  return name;
}

// A write may not be readable for a moment. Then the answer is a state at least as new, or 503.
async function written({ live }: ProviderRouteDeps, name: string, version: number): Promise<LiveProvider> {
  const shown = live.list().find(({ provider }) => provider === name);
  if (shown && (shown.version ?? 0) >= version && shown.source === "admin") return shown;
  await live.refresh();
  return requireProvider(live, name);
}

function requireProvider(live: Pick<LiveProviders, "list">, name: string): LiveProvider {
  const found = live.list().find(({ provider }) => provider === name);
  if (!found) throw new Fault("not_found", "There is no such provider.");
  return found;
}

function requireModel(live: Pick<LiveProviders, "list">, id: string) {
  const found = live
    .list()
    .flatMap(({ models }) => models)
    .find((model) => model.id === id);
  if (!found) throw new Fault("not_found", "There is no such model.");
  return found;
}

function answerOne(status: number, provider: LiveProvider): BytesAnswer {
  const answer = freshAnswer(status, presentProviderRecord(provider));
  if (provider.source !== "admin") return answer;
  return { ...answer, headers: { ...answer.headers, etag: `"${provider.version}"` } };
}
