// The form of a saved workflow, and what else it could contain.
import { limits, operations, SaveWorkflowForm } from "@atelier/contract";
import type { Works } from "../../../capabilities/works/index.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { requireMediaType } from "../../../foundation/http/body/read-body.ts";
import { readExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import { writeExactJson } from "../../../foundation/json/exact-json.ts";
import type { JsonReader } from "../../../foundation/json/large-json.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { formReading, partOf } from "../works/works.route.ts";
import { authorOf, etagOf, fresh, requireLocator } from "./saved-workflows.route.ts";
import { readVersion } from "./workflow-versions.route.ts";

export interface WorkflowFormDeps {
  readonly works: Pick<Works, "workflowForm" | "saveWorkflowForm">;
  readonly bodies: Pick<JsonReader, "read">;
}

// Limits beyond 2^53 keep their digits.
const headers = { ...fresh, "content-type": "application/json; charset=utf-8" };

export function getWorkflowFormRoute({ works }: WorkflowFormDeps): Route<AccountCaller> {
  return route(operations.getWorkflowForm, async (incoming) => {
    const locator = requireLocator(incoming);
    const reader = new QueryReader(incoming.query);
    const version = reader.read("version", readVersion, "a version") ?? null;
    reader.requireNoProblem();
    // The names inside are those of the wire.
    return { status: 200, headers, body: writeExactJson(await works.workflowForm(locator, version)) };
  });
}

export function saveWorkflowFormRoute({ works, bodies }: WorkflowFormDeps): Route<AccountCaller> {
  return {
    operation: operations.saveWorkflowForm,
    bodyBytesMax: limits.jsonBodyBytesMax,
    async handle(incoming) {
      const locator = requireLocator(incoming);
      const expected = readExpectedVersion(incoming.headers);
      requireMediaType(incoming.headers, "application/json");
      const read = await bodies.read(await incoming.bytes(), formReading, locator.workspaceId);
      const { form, note = null } = requireValid(SaveWorkflowForm, read.value);
      const given = { form: partOf(read, "/form", form), note, expected };
      const saved = await works.saveWorkflowForm(locator, given, authorOf(incoming.caller.principal));
      const { revision, isNew, ...shown } = saved;
      return {
        status: isNew ? 201 : 200,
        headers: { ...headers, etag: etagOf(revision) },
        body: writeExactJson(shown),
      };
    },
  };
}
