// Opens files a graph loads: assets of the job's workspace, by id or by upload name, and pictures that a model returned as a
// URL. If a served definition names the URL's host, we fetch it like a call to that provider. Otherwise it goes through the
// guard for untrusted addresses, which makes no exception for this machine.
import type { AssetContent, FileReference } from "@atelier/engine";
import { Fault } from "../../foundation/fault.ts";
import type { Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import type { GuardedClient } from "../../foundation/http/outgoing/guarded-client.ts";
import { parseId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Assets } from "../assets/index.ts";
import type { Blobs } from "../blobs/index.ts";
import { isProviderAddress, type ServedModel } from "../providers/index.ts";

export interface OpenGraphFileDeps {
  readonly assets: Pick<Assets, "find">;
  readonly blobs: Pick<Blobs, "open">;
  readonly upstream: Upstream;
  // Whether a definition served here names this address as its provider's.
  isServedAddress(url: URL): boolean;
  readonly client: GuardedClient;
}

// `name` is the name it was uploaded under.
export type OpenedFile = AssetContent & { readonly name?: string };

const pictureBytesMax = 64 * 1024 * 1024;
const fetchMs = 60_000;

export function openGraphFile(deps: OpenGraphFileDeps) {
  return (workspaceId: WorkspaceId, reference: FileReference): Promise<OpenedFile | null> =>
    reference.kind === "url" ? fetchPicture(deps, reference.url) : openAsset(deps, workspaceId, reference);
}

// A picture that this model returned as a URL. Null if it cannot be fetched.
export function openPicture(deps: Pick<OpenGraphFileDeps, "upstream" | "client">) {
  return (address: string, model: ServedModel) => open(deps, address, (url) => isProviderAddress(model, url));
}

async function open(
  deps: Pick<OpenGraphFileDeps, "upstream" | "client">,
  address: string,
  isOwn: (url: URL) => boolean,
): Promise<Buffer | null> {
  const url = URL.parse(address);
  if (url === null) return null;
  return isOwn(url) ? fromProvider(deps, url) : fromStranger(deps, address);
}

async function openAsset(
  { assets, blobs }: OpenGraphFileDeps,
  workspaceId: WorkspaceId,
  reference: Exclude<FileReference, { kind: "url" }>,
): Promise<OpenedFile | null> {
  const assetId = reference.kind === "asset" ? parseId<"asset">(reference.id) : null;
  if (reference.kind === "asset" && assetId === null) return null;
  const found = await assets.find({
    workspaceId,
    assetIds: assetId === null ? [] : [assetId],
    filePaths: reference.kind === "name" && reference.folder === "input" ? [reference.name] : [],
  });
  const [asset] = found;
  const opened = asset ? await blobs.open(asset.hash) : null;
  if (!asset || !opened) return null;
  return { stream: opened.stream, hash: asset.hash, ...(asset.filePath === null ? {} : { name: asset.filePath }) };
}

async function fetchPicture(deps: OpenGraphFileDeps, address: string): Promise<AssetContent> {
  if (!URL.canParse(address)) throw new Fault("provider_error", "The model returned an invalid URL.");
  const bytes = await open(deps, address, (url) => deps.isServedAddress(url));
  if (bytes === null) throw new Fault("provider_error", "The picture that the model made could not be fetched.");
  return { bytes };
}

async function fromProvider({ upstream }: Pick<OpenGraphFileDeps, "upstream">, url: URL): Promise<Buffer | null> {
  const outcome = await upstream.fetch({
    url,
    method: "GET",
    headers: {},
    answerBytesMax: pictureBytesMax,
    signal: AbortSignal.timeout(fetchMs),
  });
  return outcome.kind === "answered" && outcome.status === 200 ? outcome.body : null;
}

async function fromStranger({ client }: Pick<OpenGraphFileDeps, "client">, url: string): Promise<Buffer | null> {
  const outcome = await client.request({ url, method: "GET", answerBytesMax: pictureBytesMax, totalMs: fetchMs });
  return outcome.kind === "answered" && outcome.status === 200 && !outcome.truncated ? outcome.body : null;
}
