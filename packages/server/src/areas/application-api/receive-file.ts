// An upload in the application's form. A name that other bytes already have stays with them: the file gets the next free name,
// and the answer says which. That can be decided only once the bytes are known, so they are first stored without a name and for
// a short time.
import { type Asset, contentTypeOf, requireFilePath } from "../../capabilities/assets/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { openForm } from "../../foundation/http/body/coming-form.ts";
import { newId } from "../../foundation/ids.ts";
import type { ApplicationCaller, ApplicationDeps } from "./application-caller.ts";
import { uploadBytesMax } from "./features.ts";

export interface ReceivedFile {
  readonly name: string;
  readonly subfolder: string;
  readonly type: "input";
}

const unnamedSeconds = 60;
const namesMax = 100;

export async function receiveFile(deps: ApplicationDeps, it: Incoming<ApplicationCaller>): Promise<ReceivedFile> {
  const { workspaceId } = it.caller;
  const allowed = await deps.limits.limitOf(workspaceId, "asset_bytes");
  const fields = collectFields();
  const fileBytesMax = Math.min(uploadBytesMax, allowed);
  const form = openForm(it, { filePart: "image", fields, fileBytesMax, clock: deps.clock });
  try {
    await form.begun();
    const given = form.fileName();
    if (given === null) throw new Fault("invalid_request", "The file has no name.");
    const { asset } = await deps.assets.receive({
      workspaceId,
      source: form.file(),
      expectedHash: null,
      describe: () => {
        requireFilePath(readPath(fields, given), "image");
        return {
          contentType: contentTypeOf(given),
          filePath: null,
          tags: [],
          keepSeconds: unnamedSeconds,
          expectedHash: null,
        };
      },
      jobId: null,
    });
    const filePath = await freeName(deps, asset, readPath(fields, given), fields.overwrite());
    // In graphs, a name means its newest file.
    const named = { workspaceId, hash: asset.hash, filePath, tags: [], keepSeconds: null, isRenewed: true };
    await deps.assets.fromHash(named);
    const cut = filePath.lastIndexOf("/");
    return { name: filePath.slice(cut + 1), subfolder: filePath.slice(0, Math.max(0, cut)), type: "input" };
  } catch (thrown) {
    await form.giveUp();
    throw thrown;
  }
}

async function freeName(
  { assets }: ApplicationDeps,
  { workspaceId, hash }: Asset,
  wanted: string,
  mayReplace: boolean,
): Promise<string> {
  if (mayReplace) return wanted;
  const dot = wanted.lastIndexOf(".");
  const [stem, end] = dot > wanted.lastIndexOf("/") ? [wanted.slice(0, dot), wanted.slice(dot)] : [wanted, ""];
  const names = [wanted, ...Array.from({ length: namesMax }, (_, at) => `${stem} (${at + 1})${end}`)];
  const taken = await assets.find({ workspaceId, assetIds: [], filePaths: names });
  const hashes = new Map(taken.map((asset) => [asset.filePath, asset.hash]));
  const free = names.find((name) => (hashes.get(name) ?? hash) === hash);
  return requireFilePath(free ?? `${stem} ${newId()}${end}`, "image");
}

function collectFields() {
  const taken = new Map<string, string>();
  return {
    take: (name: string, value: string) => void taken.set(name, value),
    finish: () => undefined,
    overwrite: () => ["true", "1"].includes(taken.get("overwrite") ?? ""),
    // Whichever folder the client names, an upload here is an input of the workspace.
    subfolder: () => (taken.get("subfolder") ?? "").replace(/^\/+|\/+$/g, ""),
  };
}

function readPath(fields: ReturnType<typeof collectFields>, name: string): string {
  const subfolder = fields.subfolder();
  return subfolder === "" ? name : `${subfolder}/${name}`;
}
