// The models of a workspace for people to choose from, with titles and prices.
import { type AccountModel, operations } from "@atelier/contract";
import { requireScope } from "../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { AccountCaller } from "./account-caller.ts";

export interface AccountModelDeps {
  readonly models: (workspaceId: WorkspaceId) => Promise<readonly AccountModel[]>;
}

export function listAccountModelsRoute({ models }: AccountModelDeps): Route<AccountCaller> {
  return route(operations.listAccountModels, async ({ caller: { principal } }) => {
    requireScope(principal, "models");
    return jsonAnswer(200, { data: [...(await models(principal.workspaceId))] });
  });
}
