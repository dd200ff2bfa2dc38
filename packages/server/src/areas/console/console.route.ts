import { type ConsoleConfig, operations } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import {
  type Answer,
  type Arrival,
  type BytesAnswer,
  jsonAnswer,
  type Route,
  route,
} from "../../foundation/http/area.ts";
import type { ClientPackages } from "./client-packages.ts";
import { consoleDocument } from "./console-document.ts";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";

export interface ConsoleDeps {
  // Waits for a build in progress.
  readonly files: () => Promise<ConsoleFiles>;
  readonly clients: () => Promise<ClientPackages>;
  readonly config: () => ConsoleConfig;
  // Where the content origin may redirect browsers for bytes. Null for nowhere.
  readonly storeOrigin: string | null;
}

export type ShowConsole = (arrival: Pick<Arrival, "headers" | "path">) => Promise<BytesAnswer>;

export function showConsole({ files, config, storeOrigin }: ConsoleDeps): ShowConsole {
  return async (arrival) => consoleDocument(await files(), config(), arrival, storeOrigin);
}

export function consoleRoutes(deps: ConsoleDeps): Route<undefined>[] {
  const show = showConsole(deps);
  return [
    showConsoleRoute(show),
    showConsolePageRoute(show),
    showConsoleThingRoute(show),
    showConsolePartRoute(show),
    showWorkRoute(show),
    getConsoleFileRoute(deps),
    getClientPackageRoute(deps),
    getConsoleConfigRoute(deps),
  ];
}

export function showConsoleRoute(show: ShowConsole): Route<undefined> {
  return route(operations.showConsole, show);
}

export function showConsolePageRoute(show: ShowConsole): Route<undefined> {
  return route(operations.showConsolePage, show);
}

export function showConsoleThingRoute(show: ShowConsole): Route<undefined> {
  return route(operations.showConsoleThing, show);
}

export function showConsolePartRoute(show: ShowConsole): Route<undefined> {
  return route(operations.showConsolePart, show);
}

export function showWorkRoute(show: ShowConsole): Route<undefined> {
  return route(operations.showWork, show);
}

export function getConsoleFileRoute({ files }: ConsoleDeps): Route<undefined> {
  return route(operations.getConsoleFile, async ({ params, headers }) => {
    const file = (await files()).files.get(params["name"] ?? "");
    if (file === undefined) throw new Fault("not_found", "The console has no such file. Load the page again.");
    return fileAnswer(file, headers["accept-encoding"] ?? "", headers["if-none-match"] ?? "");
  });
}

// Its name stays the same when its content changes, so clients revalidate every time and get it only if it changed.
export function getClientPackageRoute({ clients }: Pick<ConsoleDeps, "clients">): Route<undefined> {
  return route(operations.getClientPackage, async ({ params, headers }) => {
    const known = await clients();
    const file = known.get(params["name"] ?? "");
    if (file === undefined)
      throw new Fault("not_found", `The packages here are ${[...known.keys()].join(", ")}, and no others.`);
    const kept = { etag: file.etag, "cache-control": "public, no-cache" };
    if ((headers["if-none-match"] ?? "").includes(file.etag)) return { status: 304, headers: kept };
    return { status: 200, headers: { ...kept, "content-type": file.type }, body: file.bytes };
  });
}

export function getConsoleConfigRoute({ config }: ConsoleDeps): Route<undefined> {
  return route(operations.getConsoleConfig, () => jsonAnswer(200, config(), { "cache-control": "no-store" }));
}

// A surface without its own index shows the console at its root to everyone.
export function consoleAtRootRoutes(deps: ConsoleDeps): Route<undefined>[] {
  const show = showConsole(deps);
  // There, signing in means typing the operator's token, if one is set.
  return [route(operations.getIndex, show), route(operations.showSignIn, show)];
}

// A name always has the same content: different content gets another name.
async function fileAnswer(file: ConsoleFile, accepted: string, known: string): Promise<Answer> {
  const kept = { etag: file.etag, "cache-control": "public, max-age=31536000, immutable", vary: "Accept-Encoding" };
  if (known.includes(file.etag)) return { status: 304, headers: kept };
  const headers = { ...kept, "content-type": file.type, "cross-origin-resource-policy": "same-origin" };
  if (file.brotli !== null && /\bbr\b/.test(accepted))
    return { status: 200, headers: { ...headers, "content-encoding": "br" }, body: file.brotli };
  const gzip = /\bgzip\b/.test(accepted) ? await file.gzip() : null;
  if (gzip !== null) return { status: 200, headers: { ...headers, "content-encoding": "gzip" }, body: gzip };
  return { status: 200, headers, body: file.plain };
}
