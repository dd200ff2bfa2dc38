// Files that an application has on this machine, beside the assets that we keep: a file of its own becomes an asset by
// being read once, a model that was uploaded is put where the application finds it, and an asset whose bytes the
// application has already is named to it instead of sent to it.
import { BoundedMap } from "@atelier/engine/bounded-map";

import { Fault } from "../../foundation/fault.ts";
import { type Asset, contentTypeOf } from "../assets/index.ts";
import { type Blobs, blake3Stream } from "../blobs/index.ts";
import { type ApplicationFolder, type FoundFile, goneFile, openApplicationFolder } from "./application-folder.ts";
import {
  type ApplicationPath,
  isModelPath,
  nameInGraph,
  readApplicationPath,
  requireApplicationPath,
} from "./application-path.ts";
import { placeModel, takenName } from "./place-model.ts";

export interface ApplicationFilesDeps {
  // Null: its folder is not configured; then nothing can be placed or registered.
  readonly baseFolder: string | null;
  readonly blobs: Pick<Blobs, "open">;
}

export interface OpenedFile {
  readonly source: AsyncIterable<Uint8Array>;
  // By its name; what it is served as is decided by its bytes.
  readonly contentType: string;
}

export interface ApplicationFiles {
  // Before any byte has come: throws when a file of this name could not be put at its path.
  requireTarget(filePath: string): Promise<void>;
  // Once the asset is there. Throws conflict or validation_failed; what is no model has no path and needs none.
  put(asset: Pick<Asset, "filePath" | "hash" | "size">): Promise<void>;
  // A file below input, output, temp or models. Throws validation_failed, forbidden or output_unavailable.
  open(filePath: string): Promise<OpenedFile>;
  // What the application calls the very bytes of this asset; null when it does not have them. Puts back a model that
  // is missing from its path.
  nameOf(asset: Pick<Asset, "filePath" | "hash" | "size">): Promise<string | null>;
}

export function createApplicationFiles({ baseFolder, blobs }: ApplicationFilesDeps): ApplicationFiles {
  const folder = baseFolder === null ? null : openApplicationFolder(baseFolder);
  const hashes = hashMemory();
  const inTurn = turns();
  const require = (): ApplicationFolder => {
    if (folder !== null) return folder;
    throw new Fault(
      "validation_failed",
      "The application's folder is not known here. Set ATELIER_APPLICATION_FOLDER to use its files and models.",
    );
  };

  async function hasBytes(path: ApplicationPath, asset: Pick<Asset, "hash" | "size">): Promise<boolean> {
    const found = await require().find(path);
    return found !== null && found.size === asset.size && (await hashes.of(require(), found)) === asset.hash;
  }

  async function put(asset: Pick<Asset, "filePath" | "hash" | "size">): Promise<void> {
    const { filePath } = asset;
    if (filePath === null || !isModelPath(filePath)) return;
    const [own, path] = [require(), requireApplicationPath(filePath)];
    await inTurn(filePath, async () => {
      if ((await own.find(path)) !== null) {
        if (await hasBytes(path, asset)) return;
        throw takenName();
      }
      const opened = await blobs.open(asset.hash);
      if (opened === null) throw goneFile();
      await placeModel(own, { path, source: opened.stream, isSame: () => hasBytes(path, asset) });
    });
  }

  return {
    put,
    async requireTarget(filePath) {
      if (!isModelPath(filePath)) return;
      // Looks for what leads out; a file of that name may be the same one.
      await require().find(requireApplicationPath(filePath));
    },
    async open(filePath) {
      const own = require();
      const found = await own.find(requireApplicationPath(filePath));
      if (found === null) throw goneFile();
      return { source: readFile(own, found), contentType: contentTypeOf(filePath) };
    },
    async nameOf(asset) {
      const path = asset.filePath === null ? null : readApplicationPath(asset.filePath);
      if (folder === null || path === null) return null;
      if (path.root === "models") await put(asset);
      return (await hasBytes(path, asset)) ? nameInGraph(path) : null;
    },
  };
}

const readBytes = 1024 * 1024;

async function* readFile(folder: ApplicationFolder, found: FoundFile): AsyncGenerator<Uint8Array> {
  const handle = await folder.open(found);
  try {
    yield* handle.createReadStream({ highWaterMark: readBytes, autoClose: false });
  } finally {
    await handle.close();
  }
}

const rememberedMax = 4096;

// A file is hashed once for as long as it does not change.
function hashMemory() {
  const newHash = blake3Stream();
  const known = new BoundedMap<string, { readonly stamp: string; readonly hash: Promise<string> }>(rememberedMax);
  async function compute(folder: ApplicationFolder, found: FoundFile): Promise<string> {
    const hash = await newHash();
    for await (const chunk of readFile(folder, found)) hash.update(chunk);
    return hash.digest();
  }
  return {
    of(folder: ApplicationFolder, found: FoundFile): Promise<string> {
      const remembered = known.get(found.path);
      if (remembered?.stamp === found.stamp) return remembered.hash;
      const hash = compute(folder, found);
      hash.catch(() => known.delete(found.path));
      known.set(found.path, { stamp: found.stamp, hash });
      return hash;
    },
  };
}

// One at a time under the same name.
function turns() {
  const last = new Map<string, Promise<void>>();
  return async (name: string, run: () => Promise<void>): Promise<void> => {
    const before = last.get(name) ?? Promise.resolve();
    const mine = before.catch(() => undefined).then(run);
    last.set(name, mine);
    try {
      await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}
