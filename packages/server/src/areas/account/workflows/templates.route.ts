// Templates, for every member who may run workflows: with what they need here, and what they cost.
import { createHash } from "node:crypto";
import { operations } from "@atelier/contract";
import { requireScope } from "../../../capabilities/identity/index.ts";
import { needsOf, type ServedHere, type Template, type Templates } from "../../../capabilities/templates/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { QueryReader } from "../../../foundation/http/page-query.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { AccountCaller } from "../account-caller.ts";
import type { JobCostDeps } from "../figures/job-costs.route.ts";
import { fresh } from "./saved-workflows.route.ts";

export interface TemplateDeps {
  readonly templates: Templates;
  // The classes and models that this workspace can use.
  readonly servedTo: (workspaceId: WorkspaceId) => Promise<ServedHere>;
  // Throws whatever submitting it would throw.
  readonly estimate: JobCostDeps["estimate"];
}

const sources = ["operator", "installed"] as const;

export function listTemplatesRoute({ templates, servedTo }: TemplateDeps): Route<AccountCaller> {
  return route(operations.listTemplates, async ({ caller: { principal }, query }) => {
    requireScope(principal, "workflows");
    const reader = new QueryReader(query);
    const source = reader.read("source", (text) => sources.find((each) => each === text) ?? null, sources.join(" or "));
    reader.requireNoProblem();
    const found = await templates.list(source);
    // Without templates nothing needs to be known about the server.
    const here = found.length === 0 ? null : await servedTo(principal.workspaceId);
    return jsonAnswer(200, { data: here === null ? [] : found.map((template) => present(template, here)) }, fresh);
  });
}

function present(template: Template, here: ServedHere) {
  const { name, source, title, description = null, category = null, tags = [], facts } = template;
  const needs = facts === null ? { classes: [], weights: [], providers: [] } : needsOf(facts, here);
  const lacks = needs.classes.length + needs.weights.length + needs.providers.length;
  return {
    ...{ name, source, title, description, category, tags },
    has_picture: template.hasPicture,
    runs_here: facts !== null && facts.classes.length > 0 && lacks === 0,
    needs,
    files: facts?.files ?? [],
  };
}

export function getTemplateEstimateRoute({ templates, estimate }: TemplateDeps): Route<AccountCaller> {
  return route(operations.getTemplateEstimate, async ({ caller: { principal }, params }) => {
    requireScope(principal, "workflows");
    const workflow = await templates.workflow(params["name"] ?? "");
    if (workflow === null) throw noSuchTemplate();
    const bytes = Buffer.concat([Buffer.from('{"workflow":'), workflow, Buffer.from("}")]);
    return jsonAnswer(200, await estimate({ caller: principal, deploymentId: null, bytes, mayBeMissing: true }), fresh);
  });
}

const noSuchTemplate = () => new Fault("not_found", "There is no such template, or its file is not a workflow.");

export function getTemplateRoute({ templates }: TemplateDeps): Route<AccountCaller> {
  return route(operations.getTemplate, async ({ caller: { principal }, params }) => {
    requireScope(principal, "workflows");
    const body = await templates.workflow(params["name"] ?? "");
    if (body === null) throw noSuchTemplate();
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
