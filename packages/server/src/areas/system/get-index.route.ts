// Where everything is: the console for people, JSON for programs.
import { type Index, operations } from "@atelier/contract";
import { jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import type { SystemDeps } from "./system-deps.ts";
import { wantsPage } from "./wants-page.ts";

export function getIndexRoute(deps: Pick<SystemDeps, "version" | "baseUrl" | "showConsole">): Route<undefined> {
  return route(operations.getIndex, async ({ headers, path }) => {
    if (wantsPage(headers.accept)) return deps.showConsole({ headers, path });
    return jsonAnswer(200, indexDocument({ version: deps.version, baseUrl: deps.baseUrl() }), { vary: "Accept" });
  });
}

// Links from which a program finds everything else.
function indexDocument({ version, baseUrl }: { readonly version: string; readonly baseUrl: string }): Index {
  const urls = {
    openapi: `${baseUrl}${operations.getOpenApi.path}`,
    docs: `${baseUrl}${operations.getDocs.path}`,
    llms: `${baseUrl}${operations.getLlmsText.path}`,
    ready: `${baseUrl}${operations.getReadiness.path}`,
  };
  return { name: "Atelier", version, urls };
}
