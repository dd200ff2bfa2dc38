// GET /view: a file of one of the three folders, in full or a range of it. A name that leads upwards is refused, a folder that
// leads outside is forbidden, and a missing file is an empty 404.
import { type FileHandle, open } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { extname } from "node:path";
import type { ApplicationVersion } from "./application.ts";
import { type Folders, folderNames } from "./folders.ts";
import { empty, type Reply } from "./reply.ts";
import { shownName, viewPicture } from "./view-picture.ts";

const contentTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".mp4": "video/mp4",
  ".webm": "video/webm",
  ".flac": "audio/flac",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".txt": "text/plain",
  ".json": "application/json",
  ".html": "text/html",
  ".js": "text/javascript",
  ".glb": "model/gltf-binary",
};
// A browser would run these.
const active: ReadonlySet<string> = new Set([".svg", ".html", ".js"]);

export async function viewFile(
  folders: Folders,
  version: ApplicationVersion,
  query: URLSearchParams,
  request: IncomingMessage,
): Promise<Reply> {
  const filename = query.get("filename") ?? "";
  if (filename === "") return empty(404);
  if (filename.startsWith("/") || filename.includes("..") || filename.includes("\0")) return empty(400);
  const folder = folderNames.find((name) => name === (query.get("type") ?? "output"));
  if (!folder) return empty(400);
  const subfolder = query.get("subfolder") ?? "";
  if (subfolder !== "" && folders.path(folder, subfolder, "x") === null) return empty(403);
  // As in the application: only the last part of the name counts.
  const path = folders.path(folder, subfolder, filename.split("/").at(-1) ?? "");
  const file = path === null ? null : await open(path, "r").catch(() => null);
  if (!file) return empty(404);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return empty(404);
    const picture = await changedPicture(file, query, filename);
    if (picture) return picture;
    const extension = extname(filename).toLowerCase();
    const isForced = version === "new" && active.has(extension);
    const named = {
      "Content-Disposition": `${isForced ? "attachment; " : ""}${shownName(filename)}`,
      "Content-Type": isForced ? "application/octet-stream" : (contentTypes[extension] ?? "application/octet-stream"),
    };
    const head = {
      ...named,
      ETag: `"${Math.round(stats.mtimeMs * 1e6).toString(16)}-${stats.size.toString(16)}"`,
      "Last-Modified": stats.mtime.toUTCString(),
      "Accept-Ranges": "bytes",
    };
    const range = rangeOf(request.headers.range, stats.size);
    if (range === "unsatisfiable")
      return { status: 416, headers: { ...named, "Content-Range": `bytes */${stats.size}` }, body: "" };
    const { start, end } = range ?? { start: 0, end: stats.size - 1 };
    const body = Buffer.alloc(Math.max(0, end - start + 1));
    await file.read(body, 0, body.length, start);
    if (!range) return { status: 200, headers: head, body };
    return { status: 206, headers: { ...head, "Content-Range": `bytes ${start}-${end}/${stats.size}` }, body };
  } finally {
    await file.close();
  }
}

function changedPicture(file: FileHandle, query: URLSearchParams, filename: string): Promise<Reply | null> | null {
  const isWanted = query.has("preview") || query.has("channel");
  return isWanted ? file.readFile().then((bytes) => viewPicture(bytes, query, filename)) : null;
}

// null for the whole file.
export function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | null | "unsatisfiable" {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start >= size || end < start ? "unsatisfiable" : { start, end };
}
