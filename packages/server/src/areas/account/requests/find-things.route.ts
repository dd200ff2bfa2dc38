// Finds anything by its id or the start of its name.
import { findTextMax, operations } from "@atelier/contract";
import { requireScope } from "../../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { hasAtMost } from "../../../foundation/json/characters.ts";
import type { AccountCaller } from "../account-caller.ts";
import { type FindDeps, findThings } from "./find-things.ts";

export function findThingsRoute(deps: FindDeps): Route<AccountCaller> {
  return route(operations.findThings, async ({ caller, query }) => {
    requireScope(caller.principal, "account");
    return jsonAnswer(200, { data: await findThings(deps, caller.principal, readText(query)) });
  });
}

function readText(query: URLSearchParams): string {
  const reader = new QueryReader(query);
  const text = reader.read(
    "q",
    (given) => (hasAtMost(given, findTextMax) ? given : null),
    `1 to ${findTextMax} characters`,
  );
  if (!query.has("q")) reader.problem("q", "is required");
  reader.requireNoProblem();
  return text ?? "";
}
