// The console: pages for people, public like static files. They request their data like any other program.
import { type Area, area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { type ConsoleDeps, consoleAtRootRoutes, consoleRoutes } from "./console.route.ts";

export { type ConsoleDeps, showConsole } from "./console.route.ts";

export function consoleArea(deps: ConsoleDeps): Area {
  return area<undefined>({
    name: "console",
    prefixes: ["/console", "/packages", "/w"],
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: consoleRoutes(deps),
  });
}

// For a surface without its own index at its root.
export function consoleAtRoot(deps: ConsoleDeps): Area {
  return area<undefined>({
    name: "console-at-root",
    prefixes: [],
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: consoleAtRootRoutes(deps),
  });
}
export { consoleFinding, lookAtConsole } from "./look-at-console.ts";
export { buildConsoleWords, missingConsole, openClients, openConsole, prepareConsole } from "./open-console.ts";
