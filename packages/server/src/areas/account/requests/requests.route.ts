// Shows one request of the caller's workspace, and lists the errors that its callers got.
import { type ErrorAnswerRow, operations } from "@atelier/contract";
import type { ErrorFilter, StoredError } from "../../../capabilities/error-answers/index.ts";
import { requireScope } from "../../../capabilities/identity/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { pageBody, QueryReader, refuseCursor } from "../../../foundation/http/page-query.ts";
import { isUuid, parseId, type RequestId, trustedId } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentRequestTrail } from "./present-request-trail.ts";
import { noSuchRequest, type RequestTrailDeps, showRequest } from "./show-request.ts";

export function getAccountRequestRoute(deps: RequestTrailDeps): Route<AccountCaller> {
  return route(operations.getAccountRequest, async ({ caller, params }) => {
    requireScope(caller.principal, "account");
    const id = params["requestId"] ?? "";
    if (!isUuid(id)) throw noSuchRequest();
    return jsonAnswer(200, presentRequestTrail(await showRequest(deps, { principal: caller.principal, id })));
  });
}

export function listErrorAnswersRoute({
  trails,
  cursors,
}: Pick<RequestTrailDeps, "trails"> & { readonly cursors: Cursors }): Route<AccountCaller> {
  return route(operations.listErrorAnswers, async ({ caller: { principal }, query }) => {
    requireScope(principal, "account");
    const { limit, cursor, ...asked } = readQuery(query);
    const filter = { workspaceId: principal.workspaceId, ...asked };
    const before = cursor === undefined ? null : readPosition(cursors, filter, cursor);
    // One more than requested shows whether there is a next page.
    const found = await trails.errorAnswers(filter, { before, count: limit + 1 });
    const rows = found.slice(0, limit);
    const last = found.length > limit ? rows.at(-1) : undefined;
    const next = last ? cursors.issue(purposeOf(filter), [last.requestId]) : null;
    return jsonAnswer(200, pageBody(rows.map(present), next, limit), { "cache-control": "no-store" });
  });
}

function readQuery(query: URLSearchParams) {
  const reader = new QueryReader(query);
  const asked = {
    status: reader.read("status", (text) => (/^[45]\d\d$/.test(text) ? Number(text) : null), "from 400 to 599"),
    apiKeyId: reader.read("api_key_id", (given) => parseId<"key">(given), "a UUID"),
    limit: reader.readLimit(),
    cursor: reader.readCursor(),
  };
  reader.requireNoProblem();
  return asked;
}

function readPosition(cursors: Cursors, filter: ErrorFilter, cursor: string): RequestId {
  const [id] = cursors.read(purposeOf(filter), cursor) ?? [];
  if (id === undefined || !isUuid(id)) throw refuseCursor();
  return trustedId(id);
}

const purposeOf = ({ workspaceId, status, apiKeyId }: ErrorFilter): string =>
  JSON.stringify(["error answers", workspaceId, status ?? null, apiKeyId ?? null]);

function present({ requestId, at, method, path, status, code, message, apiKeyId }: StoredError): ErrorAnswerRow {
  return { request_id: requestId, at: at.toISOString(), method, path, status, code, message, api_key_id: apiKeyId };
}
