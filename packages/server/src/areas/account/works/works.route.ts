// The workspace's works: list, publish, describe, share, deprecate, withdraw. Every member may publish and change them; only an
// owner withdraws.
import { ChangeWork, limits, operations, PublishWork, WorkName } from "@atelier/contract";
import { actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import type { SavedWorkflows } from "../../../capabilities/saved-workflows/index.ts";
import type { PublishedWork, WorkCaller, WorkLocator, Works } from "../../../capabilities/works/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireMediaType } from "../../../foundation/http/body/read-body.ts";
import { readExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import { trustedId } from "../../../foundation/ids.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import type { JsonReader } from "../../../foundation/json/large-json.ts";
import { compileSchema, requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { readMoment } from "../figures/read-moment.ts";
import { authorOf, etagOf, fresh } from "../workflows/saved-workflows.route.ts";
import { presentWorks } from "./present-works.ts";

export interface WorkDeps {
  readonly works: Works;
  readonly savedWorkflows: Pick<SavedWorkflows, "existing">;
  readonly bodies: Pick<JsonReader, "read">;
  readonly identity: Identity;
  readonly cursors: Cursors;
}

export function listWorksRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.listWorks, async ({ caller: { principal }, query }) => {
    requireScope(principal, "workflows");
    const { workspaceId } = principal;
    const { text, limit, cursor } = readWorkQuery(query);
    const purpose = `works ${JSON.stringify([workspaceId, text])}`;
    const after = afterOf(deps.cursors, purpose, cursor);
    const { works, next } = await deps.works.list({ workspaceId, text, after, limit });
    const nextCursor = next === null ? null : deps.cursors.issue(purpose, [next]);
    return jsonAnswer(200, pageBody(await presentWorks(deps, works), nextCursor, limit), fresh);
  });
}

export function listCallableWorksRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.listCallableWorks, async ({ caller: { principal }, query }) => {
    requireScope(principal, "models");
    const { workspaceId } = principal;
    const { text, limit, cursor } = readWorkQuery(query);
    const purpose = `callable works ${JSON.stringify([workspaceId, text])}`;
    const after = afterOf(deps.cursors, purpose, cursor);
    const { works, next } = await deps.works.callable({ workspaceId, text, after, limit });
    const data = works.map(({ id, title, description, cover }) => {
      const [provider = "", model = ""] = id.split("/");
      return { id, provider, model, title, description, cover };
    });
    const nextCursor = next === null ? null : deps.cursors.issue(purpose, [next]);
    return jsonAnswer(200, pageBody(data, nextCursor, limit), fresh);
  });
}

function readWorkQuery(query: URLSearchParams) {
  const reader = new QueryReader(query);
  const text = reader.read("q", (given) => (given.length <= 200 ? given : null), "1 to 200 characters") ?? null;
  const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
  reader.requireNoProblem();
  return { text, limit, cursor };
}

function afterOf(cursors: Cursors, purpose: string, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const after = cursors.read(purpose, cursor)?.[0];
  if (after === undefined) throw refuseCursor();
  return after;
}

export function publishWorkRoute(deps: WorkDeps): Route<AccountCaller> {
  return {
    operation: operations.publishWork,
    bodyBytesMax: limits.jsonBodyBytesMax,
    async handle(incoming) {
      const caller = workCaller(incoming);
      const name = incoming.params["name"] ?? "";
      if (!isName.accepts(name)) throw wrongName();
      const expected = readExpectedVersion(incoming.headers);
      const { body, form, examples } = await readPublication(deps, incoming);
      const { title, description, visibility } = body;
      incoming.waitsForOthers();
      const { work, isNew } = await deps.works.publish(
        caller,
        {
          ...{ name, title, description, visibility, form, examples, expected },
          workflowId: trustedId<"workflow">(body.workflow_id),
          workflowVersion: body.version ?? null,
          note: body.note ?? null,
          sharedWith: body.shared_with?.map((id) => trustedId<"workspace">(id)),
          provider: body.provider ?? null,
        },
        incoming.signal,
      );
      const location = isNew ? { location: `/account/works/${work.name}` } : {};
      return answerWork(deps, isNew ? 201 : 200, work, location);
    },
  };
}

export function getWorkRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.getWork, async (incoming) =>
    answerWork(deps, 200, await deps.works.get(requireLocator(incoming))),
  );
}

export function changeWorkRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.changeWork, async (incoming) => {
    const locator = requireLocator(incoming);
    const expected = readExpectedVersion(incoming.headers);
    const body = requireValid(ChangeWork, await incoming.json());
    const { title, description, visibility, version } = body;
    const change = {
      ...{ title, description, visibility, version },
      sharedWith: body.shared_with?.map((id) => trustedId<"workspace">(id)),
      deprecatedAt: dateOf("deprecated_at", body.deprecated_at),
      sunsetAt: dateOf("sunset_at", body.sunset_at),
    };
    return answerWork(deps, 200, await deps.works.change(workCaller(incoming), locator, { change, expected }));
  });
}

export function deleteWorkRoute(deps: WorkDeps): Route<AccountCaller> {
  return route(operations.deleteWork, async (incoming) => {
    const locator = requireLocator(incoming);
    await deps.works.remove(workCaller(incoming), locator, readExpectedVersion(incoming.headers));
    return { status: 204 };
  });
}

const isName = compileSchema(WorkName);

export function requireLocator({ caller: { principal }, params }: Incoming<AccountCaller>): WorkLocator {
  requireScope(principal, "workflows");
  const name = params["name"] ?? "";
  if (!isName.accepts(name)) throw new Fault("not_found", "There is no such work or version in this workspace.");
  return { workspaceId: principal.workspaceId, name };
}

export function workCaller({ caller: { principal }, requestId }: Incoming<AccountCaller>): WorkCaller {
  requireScope(principal, "workflows");
  const { workspaceId, keyId } = principal;
  return { workspaceId, keyId, acting: actingAs(principal, requestId), author: authorOf(principal) };
}

// The form and the inputs of examples keep the digits of large integers.
async function readPublication({ bodies }: WorkDeps, incoming: Incoming<AccountCaller>) {
  requireMediaType(incoming.headers, "application/json");
  const flow = incoming.caller.principal.workspaceId;
  const read = await bodies.read(await incoming.bytes(), formReading, flow);
  const body = requireValid(PublishWork, read.value);
  const part = (pointer: string, given: unknown) => partOf(read, pointer, given);
  const examples = body.examples?.map(({ title, inputs }, at) => ({
    title: title?.trim() ?? null,
    inputs: part(`/examples/${at}/inputs`, inputs),
  }));
  return { body, form: body.form === undefined ? null : part("/form", body.form), examples: examples ?? null };
}

export function partOf({ exactIntegers }: JsonDocument, pointer: string, value: unknown): JsonDocument {
  const below = [...exactIntegers].filter(([at]) => at.startsWith(`${pointer}/`));
  return { value, exactIntegers: new Map(below.map(([at, digits]) => [at.slice(pointer.length), digits])) };
}

// Room for 200 inputs with 1,000 choices each.
export const formReading = { limits: { keysMax: 50_000, valuesMax: 250_000, exactMax: 10_000 }, unhashed: [] };

async function answerWork(deps: WorkDeps, status: number, work: PublishedWork, more: Record<string, string> = {}) {
  const [body] = await presentWorks(deps, [work]);
  return jsonAnswer(status, body, { ...fresh, etag: etagOf(work.revision), ...more });
}

function dateOf(name: string, text: string | null | undefined): Date | null | undefined {
  return text === undefined ? undefined : readMoment(name, text);
}

const wrongName = () =>
  badField(
    "name",
    "must have at most 110 lower-case letters and digits, with single . _ or - between them, and not end in .v and a number",
  );
