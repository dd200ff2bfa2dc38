// The editor's page and files. The page leads people who are signed out to the sign-in page, and back afterwards.
import { open, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { type Editor, type EditorFile, type InstalledEditor, packedEnding } from "../../capabilities/editor/index.ts";
import { unauthorized } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import {
  type Answer,
  type BytesAnswer,
  type HeaderValues,
  type Incoming,
  type Route,
  route,
} from "../../foundation/http/area.ts";
import type { EditorPeople, Visitor } from "./editor-caller.ts";
import { fileOperations, editorOperations as operations, pathIn } from "./editor-operations.ts";
import { notInstalledPage, noWorkspacePage } from "./editor-pages.ts";
import { editorPolicy } from "./editor-policy.ts";

export interface EditorDeps extends EditorPeople {
  readonly editor: Editor;
  // Scripts that the editor loads besides its own, by path.
  readonly extensions: ReadonlyMap<string, EditorExtension>;
}

export interface EditorExtension {
  readonly text: string;
  readonly etag: string;
}

type EditorRoute = Route<Visitor>;
type Request = Incoming<Visitor>;

export function openEditorRoute(): EditorRoute {
  return route(operations.openEditor, chooseWorkspace);
}

export function openEditorFolderRoute(): EditorRoute {
  return route(operations.openEditorFolder, chooseWorkspace);
}

// Its scripts derive their addresses from the folder in the path.
export function openEditorOfRoute(): EditorRoute {
  return route(operations.openEditorOf, ({ path, queryText }) => seeOther(`${path}/`, queryText));
}

export function showEditorRoute(deps: EditorDeps): EditorRoute {
  return route(operations.showEditor, async (it) => {
    if (it.caller === null) return signIn(it);
    if ((await deps.memberOf(it.caller, it.params["workspace"] ?? "")) === null) return noWorkspacePage();
    const installed = await deps.editor.current();
    const index = installed?.files.get("index.html");
    if (installed === null || index === undefined) return notInstalledPage();
    const policy = editorPolicy(await readFile(join(installed.folder, "index.html"), "utf8"));
    return fileAnswer(installed, "index.html", index, it, { ...policy, "cache-control": "private, no-cache" });
  });
}

export function editorFileRoutes(deps: EditorDeps): EditorRoute[] {
  return fileOperations.map((operation) => route(operation, (it) => getFile(deps, it)));
}

export function getProgressMarkRoute({ editor }: EditorDeps): EditorRoute {
  return route(operations.getProgressMark, async (it) => {
    if (it.caller === null) throw unauthorized();
    const { folder = "", name = "" } = it.params;
    const installed = await editor.current();
    const path = `assets/images/${folder}/${name}`;
    const file = folder.startsWith("favicon_progress") ? installed?.files.get(path) : undefined;
    if (installed === null || file === undefined) throw new Fault("not_found", "The editor has no such file.");
    return fileAnswer(installed, path, file, it, { "cache-control": "private, no-cache" });
  });
}

async function getFile(deps: EditorDeps, it: Request): Promise<Answer> {
  if (it.caller === null) throw unauthorized();
  if ((await deps.memberOf(it.caller, it.params["workspace"] ?? "")) === null)
    throw new Fault("not_found", "There is no such workspace.");
  const path = pathIn(it.params);
  const extension = deps.extensions.get(path);
  if (extension !== undefined) return extensionAnswer(extension, it);
  const installed = await deps.editor.current();
  if (installed === null) throw new Fault("not_found", "The editor is not installed.");
  // What people may add to an application on their own machine; here they have nothing to add.
  if (path === "user.css") return emptyStyle();
  const file = installed.files.get(path);
  if (file === undefined || path === "index.html") throw new Fault("not_found", "The editor has no such file.");
  return fileAnswer(installed, path, file, it, { "cache-control": isHashed(path) ? forever : "private, no-cache" });
}

// The name contains the content's hash, so different content has a different name.
const isHashed = (path: string): boolean => /^assets\/.*-[\w-]{8}\.\w+(?:\.map)?$/.test(path);
const forever = "private, max-age=31536000, immutable";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".webm": "video/webm",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
  ".txt": "text/plain; charset=utf-8",
};

// For files opened on their own in a browser: a vector drawing must not become a page with scripts.
const alone = { "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

async function fileAnswer(
  { folder }: InstalledEditor,
  path: string,
  file: EditorFile,
  { headers }: Pick<Request, "headers">,
  own: HeaderValues,
): Promise<BytesAnswer> {
  const isPacked = file.packed !== null && /\bgzip\b/.test(String(headers["accept-encoding"] ?? ""));
  const etag = `"${file.etag}${isPacked ? "-gz" : ""}"`;
  const kept = { ...own, etag, vary: "Accept-Encoding" };
  if ((headers["if-none-match"] ?? "").includes(etag)) return { status: 304, headers: kept };
  const ending = extname(path);
  const target = join(folder, `${path}${isPacked ? packedEnding : ""}`);
  const found = await open(target).catch(() => null);
  if (found === null)
    throw new Fault("service_unavailable", "A file of the editor is missing. Run: atelier editor install");
  return {
    status: 200,
    headers: {
      ...(ending === ".svg" || ending === ".html" ? alone : {}),
      ...kept,
      "content-type": types[ending] ?? "application/octet-stream",
      "content-length": String(isPacked ? file.packed : file.size),
      "cross-origin-resource-policy": "same-origin",
      ...(isPacked ? { "content-encoding": "gzip" } : {}),
    },
    body: found.createReadStream(),
  };
}

function extensionAnswer({ text, etag }: EditorExtension, { headers }: Pick<Request, "headers">): BytesAnswer {
  const kept = { etag, "cache-control": "private, no-cache", "cross-origin-resource-policy": "same-origin" };
  if ((headers["if-none-match"] ?? "").includes(etag)) return { status: 304, headers: kept };
  return { status: 200, headers: { ...kept, "content-type": "text/javascript; charset=utf-8" }, body: text };
}

function emptyStyle(): BytesAnswer {
  return { status: 200, headers: { "content-type": "text/css; charset=utf-8", "cache-control": "no-store" }, body: "" };
}

function chooseWorkspace(it: Request): BytesAnswer {
  if (it.caller === null) return signIn(it);
  const workspaceId = it.caller.principal?.workspaceId;
  if (workspaceId === undefined) return noWorkspacePage();
  return seeOther(`/editor/${workspaceId}/`, it.queryText);
}

function signIn({ path, queryText }: Pick<Request, "path" | "queryText">): BytesAnswer {
  const here = queryText === "" ? path : `${path}?${queryText}`;
  return seeOther("/sign-in", new URLSearchParams({ return_to: here }).toString());
}

function seeOther(path: string, queryText: string): BytesAnswer {
  const location = queryText === "" ? path : `${path}?${queryText}`;
  return { status: 303, headers: { location, "cache-control": "no-store" } };
}
