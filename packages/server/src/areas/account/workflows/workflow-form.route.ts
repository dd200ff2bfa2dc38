// The form of a saved workflow, and what else it could contain.
import { operations } from "@atelier/contract";
import type { Works } from "../../../capabilities/works/index.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import type { AccountCaller } from "../account-caller.ts";
import { fresh, requireLocator } from "./saved-workflows.route.ts";
import { readVersion } from "./workflow-versions.route.ts";

export interface WorkflowFormDeps {
  readonly works: Pick<Works, "workflowForm">;
}

export function getWorkflowFormRoute({ works }: WorkflowFormDeps): Route<AccountCaller> {
  return route(operations.getWorkflowForm, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const version = reader.read("version", readVersion, "a version") ?? null;
    reader.requireNoProblem();
    const found = await works.workflowForm(locator, version);
    // The names inside are those of the wire. Limits beyond 2^53 keep their digits.
    const headers = { ...fresh, "content-type": "application/json; charset=utf-8" };
    return { status: 200, headers, body: writeExactJson(found) };
  });
}
