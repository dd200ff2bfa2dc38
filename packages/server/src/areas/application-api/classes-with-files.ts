// The answer about node classes for one workspace: the prepared one, with the names of its uploads. Workspaces with the same names,
// such as none, share it.
import { BoundedMap } from "@atelier/engine/bounded-map";
import { type PreparedAnswers, quickAnswers } from "../../foundation/http/prepared-answers.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { ApplicationDeps } from "./application-caller.ts";
import type { ApplicationCaller } from "./application-person.ts";
import { type FileNames, withFileNames } from "./file-choices.ts";

const headers = { cacheControl: "private, no-cache", vary: "Cookie, X-API-Key, Authorization, Accept-Encoding" };
const keptMax = 16;
const pagesMax = 5;
const pageSize = 100;

export function classesWithFiles({ assets }: Pick<ApplicationDeps, "assets">) {
  const kept = new BoundedMap<string, Promise<PreparedAnswers>>(keptMax);
  return async ({ workspaceId }: ApplicationCaller, prepared: PreparedAnswers): Promise<PreparedAnswers> => {
    const names = await namesOf(assets, workspaceId);
    const key = `${prepared.identity.etag} ${JSON.stringify(names)}`;
    const before = kept.get(key);
    if (before !== undefined) return before;
    const { body } = prepared.identity.full;
    const text = body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : "";
    const made = quickAnswers(Buffer.from(withFileNames(text, names)), headers);
    kept.set(key, made);
    return made;
  };
}

// Newest first, up to a bound.
async function namesOf(assets: ApplicationDeps["assets"], workspaceId: WorkspaceId): Promise<FileNames> {
  const names = {
    image: new Set<string>(),
    video: new Set<string>(),
    audio: new Set<string>(),
    file: new Set<string>(),
  };
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page++) {
    const asked = {
      workspaceId,
      tag: null,
      kind: null,
      jobId: null,
      source: "upload",
      limit: pageSize,
      cursor,
    } as const;
    const found: Awaited<ReturnType<typeof assets.list>> = await assets.list(asked);
    for (const { filePath, servedType } of found.assets) {
      if (filePath === null) continue;
      const kind = (["image", "video", "audio"] as const).find((each) => servedType.startsWith(`${each}/`));
      if (kind !== undefined) names[kind].add(filePath);
      names.file.add(filePath);
    }
    cursor = found.nextCursor;
    if (cursor === null) break;
  }
  return { image: [...names.image], video: [...names.video], audio: [...names.audio], file: [...names.file] };
}
