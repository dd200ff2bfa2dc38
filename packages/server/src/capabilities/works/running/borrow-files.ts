// Files of its own that a work loads, for callers of other workspaces. They belong to the workspace that published it; the
// caller's job needs records in its own. The bytes are stored once.
import { Fault } from "../../../foundation/fault.ts";
import { parseId, type WorkspaceId } from "../../../foundation/ids.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import type { Asset, AssetId, Assets } from "../../assets/index.ts";

export interface BorrowFilesDeps {
  readonly assets: Pick<Assets, "find" | "fromHash" | "receive" | "bytes">;
}

const fileBytesMax = 512 * 1024 * 1024;

// The graph with the caller's records in place of the owner's. `own`: the graph as it was published; only files named there
// are lent.
export async function borrowFiles(
  deps: BorrowFilesDeps,
  { ownerId, workspaceId }: { readonly ownerId: WorkspaceId; readonly workspaceId: WorkspaceId },
  own: unknown,
  graph: JsonRecord,
): Promise<JsonRecord> {
  if (ownerId === workspaceId) return graph;
  const lent = referencesIn(own);
  const wanted = [...referencesIn(graph)].filter((id) => lent.has(id));
  if (wanted.length === 0) return graph;
  const found = await deps.assets.find({ workspaceId: ownerId, assetIds: wanted, filePaths: [] });
  const replaced = new Map<string, string>();
  for (const asset of found) replaced.set(asset.id, (await copy(deps, workspaceId, asset)).id);
  const whole = replace(graph, replaced);
  return isRecord(whole) ? whole : graph;
}

async function copy({ assets }: BorrowFilesDeps, workspaceId: WorkspaceId, asset: Asset): Promise<Asset> {
  const { contentType, hash } = asset;
  const described = { contentType, filePath: null, tags: [], keepSeconds: null };
  try {
    return (await assets.fromHash({ workspaceId, hash, ...described })).asset;
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "blob_not_found") throw thrown;
  }
  const bytes = await assets.bytes(asset, fileBytesMax);
  const stored = await assets.receive({
    workspaceId,
    source: (async function* () {
      yield bytes;
    })(),
    expectedHash: hash,
    describe: () => ({ ...described, expectedHash: null }),
    jobId: null,
  });
  return stored.asset;
}

function idIn(value: JsonRecord): AssetId | null {
  const info = value["__type"] === "core/ASSET" ? value["info"] : undefined;
  return isRecord(info) && typeof info["id"] === "string" ? parseId<"asset">(info["id"]) : null;
}

function referencesIn(value: unknown, found: Set<AssetId> = new Set()): Set<AssetId> {
  if (Array.isArray(value)) for (const item of value) referencesIn(item, found);
  else if (isRecord(value)) {
    const id = idIn(value);
    if (id !== null) found.add(id);
    for (const member of Object.values(value)) referencesIn(member, found);
  }
  return found;
}

function replace(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replace(item, ids));
  if (!isRecord(value)) return value;
  const id = idIn(value);
  const other = id === null ? undefined : ids.get(id);
  if (other !== undefined) return { __type: "core/ASSET", info: { id: other } };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replace(member, ids)]));
}
