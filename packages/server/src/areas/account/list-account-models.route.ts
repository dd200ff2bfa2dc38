// The models of a workspace for people to choose from, with titles and prices.
import { type AccountModel, type LockedModel, operations } from "@atelier/contract";
import { requireScope } from "../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { AccountCaller } from "./account-caller.ts";

export interface AccountModelLists {
  readonly callable: readonly AccountModel[];
  // Those whose provider has no credential.
  readonly locked: readonly LockedModel[];
}

export interface AccountModelDeps {
  readonly models: (workspaceId: WorkspaceId) => Promise<AccountModelLists>;
}

export function listAccountModelsRoute({ models }: AccountModelDeps): Route<AccountCaller> {
  return route(operations.listAccountModels, async ({ caller: { principal } }) => {
    requireScope(principal, "models");
    const { callable, locked } = await models(principal.workspaceId);
    return jsonAnswer(200, { data: callable, locked });
  });
}
