// Where everything is: a page for people, JSON for programs.
import { type Index, operations } from "@atelier/contract";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { indexPage, wantsPage } from "./index-page.ts";
import type { SystemDeps } from "./system-deps.ts";

export function getIndexRoute(deps: Pick<SystemDeps, "version" | "baseUrl" | "look">): Route<undefined> {
  return route(operations.getIndex, async ({ headers }) => {
    const facts = { version: deps.version, baseUrl: deps.baseUrl() };
    if (wantsPage(headers.accept)) return indexPage({ ...facts, readiness: await deps.look() });
    return jsonAnswer(200, indexDocument(facts), { vary: "Accept" });
  });
}

// Follow links: what a program needs to find everything else.
function indexDocument({ version, baseUrl }: { readonly version: string; readonly baseUrl: string }): Index {
  const urls = {
    openapi: `${baseUrl}${operations.getOpenApi.path}`,
    docs: `${baseUrl}${operations.getDocs.path}`,
    llms: `${baseUrl}${operations.getLlmsText.path}`,
    ready: `${baseUrl}${operations.getReadiness.path}`,
  };
  return { name: "Atelier", version, urls };
}
