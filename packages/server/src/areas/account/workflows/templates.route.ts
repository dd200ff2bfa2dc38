// The operator's templates, for every member who may run workflows.
import { createHash } from "node:crypto";
import { operations } from "@atelier/contract";
import { requireScope } from "../../../capabilities/identity/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import type { AccountCaller } from "../account-caller.ts";
import { fresh } from "./saved-workflows.route.ts";

export interface Templates {
  list(): Promise<readonly { readonly name: string; readonly title: string; readonly hasPicture: boolean }[]>;
  // The file's bytes, a JSON object. Null if there is no such template.
  workflow(name: string): Promise<Uint8Array | null>;
  picture(name: string): Promise<{ readonly type: string; readonly bytes: Uint8Array } | null>;
}

export interface TemplateDeps {
  readonly templates: Templates;
}

export function templateRoutes(deps: TemplateDeps): Route<AccountCaller>[] {
  return [listTemplatesRoute(deps), getTemplateRoute(deps), getTemplatePictureRoute(deps)];
}

export function listTemplatesRoute({ templates }: TemplateDeps): Route<AccountCaller> {
  return route(operations.listTemplates, async ({ caller: { principal } }) => {
    requireScope(principal, "workflows");
    const data = (await templates.list()).map(({ name, title, hasPicture }) => ({
      name,
      title,
      has_picture: hasPicture,
    }));
    return jsonAnswer(200, { data }, fresh);
  });
}

export function getTemplateRoute({ templates }: TemplateDeps): Route<AccountCaller> {
  return route(operations.getTemplate, async ({ caller: { principal }, params }) => {
    requireScope(principal, "workflows");
    const body = await templates.workflow(params["name"] ?? "");
    if (body === null) throw new Fault("not_found", "There is no such template, or its file is not a workflow.");
    return { status: 200, headers: { ...fresh, "content-type": "application/json; charset=utf-8" }, body };
  });
}

export function getTemplatePictureRoute({ templates }: TemplateDeps): Route<AccountCaller> {
  return route(operations.getTemplatePicture, async ({ caller: { principal }, params, headers }) => {
    requireScope(principal, "workflows");
    const picture = await templates.picture(params["name"] ?? "");
    if (picture === null) throw new Fault("not_found", "This template has no picture.");
    const etag = `"${createHash("sha256").update(picture.bytes).digest("base64url").slice(0, 22)}"`;
    const kept = { etag, "cache-control": "private, no-cache" };
    if ((headers["if-none-match"] ?? "").includes(etag)) return { status: 304, headers: kept };
    return { status: 200, headers: { ...kept, "content-type": picture.type }, body: picture.bytes };
  });
}
