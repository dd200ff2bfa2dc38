// Whether a caller with a derived token may use a model. A token that names a work may use every version of it.
import { allowsModel, type Principal, refuseToken } from "../../identity/index.ts";
import { isWorkId } from "../../providers/index.ts";

const versionPattern = /\.v[1-9][0-9]*$/;

export function mayUseModel(caller: Principal, modelId: string): boolean {
  const token = caller.kind === "key" ? caller.token : undefined;
  if (token === undefined || allowsModel(token, modelId)) return true;
  return isWorkId(modelId) && allowsModel(token, modelId.replace(versionPattern, ""));
}

export function requireModelOfToken(caller: Principal, modelId: string): void {
  if (!mayUseModel(caller, modelId)) throw refuseToken("models", "This token may not use this model.");
}
