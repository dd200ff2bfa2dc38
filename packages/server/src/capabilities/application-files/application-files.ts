// Files that an application has on this machine, in addition to our assets. A file of the application becomes an asset by
// reading it once. An uploaded model is put where the application finds it. If the application already has the bytes of
// an asset, we pass it their name instead of the bytes.
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
  // Null if its folder is not configured; then nothing can be placed or registered.
  readonly baseFolder: string | null;
  readonly blobs: Pick<Blobs, "open">;
}

export interface OpenedFile {
  readonly source: AsyncIterable<Uint8Array>;
  // Guessed by name; the bytes decide what it is served as.
  readonly contentType: string;
}

export interface ApplicationFiles {
  // Call before any byte has arrived. Throws if a file of this name could not be put at its path.
  requireTarget(filePath: string): Promise<void>;
  // Call once the asset exists. Throws conflict or validation_failed. Does nothing for files that are not models.
  put(asset: Pick<Asset, "filePath" | "hash" | "size">): Promise<void>;
  // Opens a file below input, output, temp or models. Throws validation_failed, forbidden or output_unavailable.
  open(filePath: string): Promise<OpenedFile>;
  // The application's name for exactly the bytes of this asset. Null if it does not have them. Puts back a model that is
  // missing from its path.
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
      "This server does not know the application's folder. Set ATELIER_APPLICATION_FOLDER to use its files and models.",
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
      // Only checks that the path does not lead outside; an existing file of that name may be the same one.
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

// Hashes a file once, until it changes.
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

// One at a time per name.
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
