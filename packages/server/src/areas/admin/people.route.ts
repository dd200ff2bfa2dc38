// All people of the installation, and which of them are operators.
import { operations, SetInstallationRole, SetOperator } from "@atelier/contract";
import type { Operators } from "../../capabilities/identity/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { pageById, QueryReader } from "../../foundation/http/page-query.ts";
import { type PersonId, requireId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentPerson } from "./present.ts";

export interface PeopleDeps {
  readonly operators: Pick<Operators, "list" | "roleOf" | "set">;
  readonly personalData: {
    export(personId: PersonId): Promise<{ readonly lists: object; readonly cut: readonly string[] }>;
    erase(
      erasure: { readonly personId: PersonId; readonly keepKeys: boolean },
      by: ReturnType<typeof actingAsAdmin>,
    ): Promise<Readonly<Record<string, number>>>;
  };
  readonly cursors: Cursors;
}

export function listPeopleRoute({ operators, cursors }: PeopleDeps): Route<AdminCaller> {
  return route(operations.listPeople, async ({ query }) => {
    const reader = new QueryReader(query);
    const words: Readonly<Record<string, boolean>> = { true: true, false: false };
    const operatorsOnly = reader.read("is_operator", (text) => words[text] ?? null, "true or false") ?? false;
    const page = await pageById(
      { reader, cursors, purpose: `admin people ${operatorsOnly}` },
      (after: PersonId | null, count) => operators.list({ after, count, operatorsOnly }),
      presentPerson,
    );
    return freshAnswer(200, page);
  });
}

export function setOperatorRoute({ operators }: PeopleDeps): Route<AdminCaller> {
  return route(operations.setOperator, async (incoming) => {
    const { is_operator: isOperator } = requireValid(SetOperator, await incoming.json());
    const personId = requirePersonId(incoming.params["personId"]);
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    // An auditor who is not made an operator stays one.
    const other = (await operators.roleOf(personId)) === "auditor" ? "auditor" : null;
    const role = isOperator ? "operator" : other;
    return freshAnswer(200, presentPerson(await operators.set({ personId, role }, by)));
  });
}

export function setInstallationRoleRoute({ operators }: PeopleDeps): Route<AdminCaller> {
  return route(operations.setInstallationRole, async (incoming) => {
    const { role } = requireValid(SetInstallationRole, await incoming.json());
    const personId = requirePersonId(incoming.params["personId"]);
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    return freshAnswer(200, presentPerson(await operators.set({ personId, role }, by)));
  });
}

export function exportPersonAsAdminRoute({ personalData }: PeopleDeps): Route<AdminCaller> {
  return route(operations.exportPersonAsAdmin, async ({ params }) => {
    const { lists, cut } = await personalData.export(requirePersonId(params["personId"]));
    return freshAnswer(200, { ...lists, cut });
  });
}

export function erasePersonAsAdminRoute({ personalData }: PeopleDeps): Route<AdminCaller> {
  return route(operations.erasePersonAsAdmin, async ({ caller, params, query, requestId }) => {
    const personId = requirePersonId(params["personId"]);
    const reader = new QueryReader(query);
    const words: Readonly<Record<string, boolean>> = { true: true, false: false };
    const keepKeys = reader.read("keep_keys", (text) => words[text] ?? null, "true or false") ?? false;
    reader.requireNoProblem();
    const erased = await personalData.erase({ personId, keepKeys }, actingAsAdmin(caller, requestId));
    return freshAnswer(200, { erased });
  });
}

const requirePersonId = (text: string | undefined): PersonId => requireId(text, "There is no person with this id.");
