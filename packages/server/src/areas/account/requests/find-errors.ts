// Finds an error by its request id.
import type { ErrorAnswers } from "../../../capabilities/error-answers/index.ts";
import type { Operators } from "../../../capabilities/identity/index.ts";
import { nobodysWorkspace } from "../../../foundation/http/answered-error.ts";
import type { AccountDeps } from "../account-areas.ts";

// Operators also find the refusals that belong to no workspace.
export function findErrors(
  errorAnswers: Pick<ErrorAnswers, "find">,
  operators: Pick<Operators, "roleOf">,
): AccountDeps["trails"]["errorAnswer"] {
  return async ({ by: { workspaceId, personId }, requestId }) => {
    const own = await errorAnswers.find({ workspaceId, requestId });
    if (own !== null || personId === null || (await operators.roleOf(personId)) === null) return own;
    return errorAnswers.find({ workspaceId: nobodysWorkspace, requestId });
  };
}
