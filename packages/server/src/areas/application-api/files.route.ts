// Files under the application's names: uploads are its input folder, outputs of jobs its output folder. Only the workspace's
// own files are found, and a name that leads out of a folder is not found.
import { type Asset, type AssetsPage, requireFilePath, withinRange } from "../../capabilities/assets/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { fresh } from "./answers.ts";
import type { ApplicationCaller, ApplicationDeps } from "./application-caller.ts";
import { applicationEnvelope } from "./application-envelope.ts";
import { editorOperations, applicationOperations as operations } from "./application-operations.ts";
import { receiveFile } from "./receive-file.ts";

type FileRoute = Route<ApplicationCaller>;

export function viewFileRoute(deps: ApplicationDeps): FileRoute {
  return route(operations.viewFile, async (it) => {
    const asset = await findFile(deps, it);
    if (asset === null) throw new Fault("not_found", "There is no such file.");
    return withinRange(await deps.content(asset, it), it, applicationEnvelope);
  });
}

export function uploadImageRoute(deps: ApplicationDeps): FileRoute {
  return route(operations.uploadImage, async (it) => fresh(await receiveFile(deps, it)));
}

// A mask is a whole image there too: the original with another alpha channel.
export function uploadMaskRoute(deps: ApplicationDeps): FileRoute {
  return route(operations.uploadMask, async (it) => fresh(await receiveFile(deps, it)));
}

const listedMax = 1_000;

// The names of the workspace's uploads, newest first. The other folders are not listed: outputs belong to their prompts.
export function listInputFilesRoute({ assets }: ApplicationDeps): FileRoute {
  return route(editorOperations.listInputFiles, async ({ caller: { workspaceId }, params }) => {
    if (params["type"] !== "input") return fresh([]);
    const names = new Set<string>();
    let cursor: string | null = null;
    do {
      const page: AssetsPage = await assets.list({ ...uploads, workspaceId, cursor });
      for (const { filePath } of page.assets) if (filePath !== null) names.add(filePath);
      cursor = page.nextCursor;
    } while (cursor !== null && names.size < listedMax);
    return fresh([...names].slice(0, listedMax));
  });
}

const uploads = { tag: null, kind: null, jobId: null, source: "upload", limit: 100 } as const;

async function findFile(deps: ApplicationDeps, { caller, query }: Incoming<ApplicationCaller>): Promise<Asset | null> {
  const { workspaceId } = caller;
  const [filename, folder] = [query.get("filename") ?? "", query.get("subfolder") ?? ""];
  const subfolder = folder.replace(/^\/+|\/+$/g, "");
  if ((query.get("type") ?? "output") === "input") {
    const filePath = requireFilePath(subfolder === "" ? filename : `${subfolder}/${filename}`, "filename");
    const [asset] = await deps.assets.find({ workspaceId, assetIds: [], filePaths: [filePath] });
    return asset ?? null;
  }
  const [job = "", ...folders] = subfolder.split("/");
  const jobId = parseId<"job">(job);
  if (jobId === null) return null;
  const { outputs } = await deps.jobs.get({ workspaceId, poolId: deps.poolId, jobId });
  const name = [...folders, filename].join("/");
  const wanted = query.get("type") === "temp" ? "temp" : "output";
  const output = outputs.find((each) => each.name === name && each.folder === wanted);
  return output === undefined ? null : deps.assets.get({ workspaceId, assetId: output.assetId });
}
