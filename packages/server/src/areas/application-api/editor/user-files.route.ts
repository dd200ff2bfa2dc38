// A person's files over HTTP, in the application's forms of listing, reading, writing, moving and deleting.
import { limits } from "@atelier/contract";
import { contentTypeOf } from "../../../capabilities/assets/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type BytesAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { readExpectedVersion } from "../../../foundation/http/expected-version.ts";
import { fresh, jsonText } from "../answers.ts";
import type { ApplicationCaller } from "../application-caller.ts";
import { requireNoForeignForm } from "../application-guards.ts";
import { cloudOperations as operations } from "../application-operations.ts";
import { readUserFolder } from "./user-file-path.ts";
import { infoOf, type UserFile, type UserFiles } from "./user-files.ts";

type FileRoute = Route<ApplicationCaller>;

export function listUserFilesRoute(files: UserFiles): FileRoute {
  return route(operations.listUserFiles, async ({ caller, query }) => {
    const given = query.get("dir") ?? "";
    if (given === "") throw new Fault("invalid_request", "Directory not provided");
    const folder = readUserFolder(given);
    const all = await files.list(caller, folder);
    if (all === null) throw new Fault("not_found", "Directory not found");
    const [recurse, full, split] = ["recurse", "full_info", "split"].map((name) => isTrue(query, name));
    const within = all
      .map((file) => ({ ...file, path: folder === "" ? file.path : file.path.slice(folder.length + 1) }))
      .filter(({ path }) => recurse || !path.includes("/"));
    if (full) return fresh(within.map(infoOf));
    return fresh(within.map(({ path }) => (split ? [path, ...path.split("/")] : path)));
  });
}

// Everything below the folder, folders first.
export function listUserFoldersRoute(files: UserFiles): FileRoute {
  return route(operations.listUserFolders, async ({ caller, query }) => {
    const folder = readUserFolder(query.get("path") ?? "");
    const all = await files.list(caller, folder);
    if (all === null) throw new Fault("not_found", "Requested path not found");
    const entries = [
      ...foldersOf(all, folder).map((path) => ({ name: nameOf(path), path, type: "directory" })),
      ...all.map((file) => ({
        name: nameOf(file.path),
        path: file.path,
        type: "file",
        size: file.sizeBytes,
        modified: file.updatedAt.getTime() / 1_000,
      })),
    ];
    return fresh(entries.sort(byKindAndName));
  });
}

export function readUserFileRoute(files: UserFiles): FileRoute {
  return route(operations.readUserFile, async ({ caller, params, headers }) => {
    const file = await files.read(caller, params["file"] ?? "");
    if (file === null) throw new Fault("not_found", "There is no such file.");
    const kept = { etag: etagOf(file), "cache-control": "private, no-cache", vary: "Cookie, X-API-Key, Authorization" };
    if ((headers["if-none-match"] ?? "").split(",").some((tag) => tag.trim() === kept.etag))
      return { status: 304, headers: kept };
    return { status: 200, headers: { ...kept, ...harmless, "content-type": typeOf(file.path) }, body: file.bytes };
  });
}

export function writeUserFileRoute(files: UserFiles): FileRoute {
  return {
    operation: operations.writeUserFile,
    bodyBytesMax: limits.jobBodyBytesMax,
    async handle(it) {
      const { caller, params, query, headers } = it;
      requireNoForeignForm(headers);
      const mayReplace = query.get("overwrite") !== "false";
      const written = { path: params["file"] ?? "", expected: readExpectedVersion(headers), mayReplace };
      return answerFile(await files.write(caller, { ...written, bytes: await it.bytes() }), query);
    },
  };
}

export function moveUserFileRoute(files: UserFiles): FileRoute {
  return route(operations.moveUserFile, async ({ caller, params, query, headers }) => {
    requireNoForeignForm(headers);
    const rules = { mayReplace: query.get("overwrite") !== "false", expected: readExpectedVersion(headers) };
    const moved = await files.move(caller, params["file"] ?? "", params["dest"] ?? "", rules);
    if (moved === null) throw new Fault("not_found", "There is no such file.");
    return answerFile(moved, query);
  });
}

export function deleteUserFileRoute(files: UserFiles): FileRoute {
  return route(operations.deleteUserFile, async ({ caller, params, headers }) => {
    if (!(await files.remove(caller, params["file"] ?? "", readExpectedVersion(headers))))
      throw new Fault("not_found", "There is no such file.");
    return { status: 204 };
  });
}

function answerFile(file: UserFile, query: URLSearchParams): BytesAnswer {
  const { status, headers, body } = jsonText(JSON.stringify(isTrue(query, "full_info") ? infoOf(file) : file.path));
  return { status, headers: { ...headers, etag: etagOf(file) }, body: body ?? null };
}

const isTrue = (query: URLSearchParams, name: string) => query.get(name)?.toLowerCase() === "true";
const etagOf = ({ revision }: UserFile) => `"${revision}"`;
const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

// A browser must not run anything that a person wrote into a file.
const harmless = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};
const asTheyAre: ReadonlySet<string> = new Set(["application/json", "text/css", "text/plain"]);

function typeOf(path: string): string {
  const type = path.endsWith(".css") ? "text/css" : contentTypeOf(path);
  return asTheyAre.has(type) ? `${type}; charset=utf-8` : "application/octet-stream";
}

function foldersOf(files: readonly UserFile[], below: string): string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const names = path.split("/").slice(0, -1);
    for (let depth = 1; depth <= names.length; depth++) folders.add(names.slice(0, depth).join("/"));
  }
  return [...folders].filter((path) => path !== below && (below === "" || path.startsWith(`${below}/`)));
}

interface ListedEntry {
  readonly name: string;
  readonly type: string;
}

function byKindAndName(one: ListedEntry, other: ListedEntry): number {
  if (one.type !== other.type) return one.type === "directory" ? -1 : 1;
  return one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1;
}
