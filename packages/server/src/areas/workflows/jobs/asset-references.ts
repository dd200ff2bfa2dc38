// Assets in a graph: objects tagged core/ASSET anywhere, including in lists, and plain names where a class loads a file. A name
// that the caller uploaded becomes a reference to that upload, so that the graph keeps its meaning whatever is uploaded under
// that name later.
import type { Asset, AssetId, Assets } from "../../../capabilities/assets/index.ts";
import type { Graphs } from "../../../capabilities/graphs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { parseId, type WorkspaceId } from "../../../foundation/ids.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";

// The public contract's literal.
const assetTag = "core/ASSET";

export interface ResolveDeps {
  readonly assets: Pick<Assets, "find">;
  readonly graphs: Pick<Graphs, "fileInputs">;
}

export interface ResolvedGraph {
  readonly graph: JsonRecord;
  readonly assetIds: readonly AssetId[];
}

export interface FilesOfGraph {
  // If nothing runs, a reference can name by `file_path` alone a file that will be uploaded before the submission.
  readonly mayComeLater?: boolean;
  // If nothing runs, a plain name can be that of a file that the caller does not have, as in a template of other people.
  readonly mayBeMissing?: boolean;
}

// Throws missing_asset. Malformed ids, unknown ones and another workspace's get the same answer.
export async function resolveAssets(
  deps: ResolveDeps,
  workspaceId: WorkspaceId,
  workflow: JsonRecord,
  { mayComeLater = false, mayBeMissing = false }: FilesOfGraph = {},
): Promise<ResolvedGraph> {
  const named = collectReferences(workflow, {
    ids: new Set(),
    mayComeLater,
    isMalformed: false,
    isIncomplete: false,
  });
  const names = collectNames(deps.graphs, workflow);
  const ids = [...named.ids].map((text) => parseId<"asset">(text)).filter((id) => id !== null);
  const filePaths = [...new Set(names.map(({ filePath }) => filePath))];
  const found =
    ids.length + filePaths.length === 0 ? [] : await deps.assets.find({ workspaceId, assetIds: ids, filePaths });
  const known = new Set<string>(found.map(({ id }) => id));
  const missing = [...named.ids].filter((id) => !known.has(id));
  if (missing.length > 0 || named.isMalformed) throw missingAsset(missing);
  const uploads = new Map(found.filter(({ jobId }) => jobId === null).map((asset) => [asset.filePath, asset]));
  const replaced = names.flatMap((name): readonly NamedAsset[] => {
    const asset = uploads.get(name.filePath);
    if (asset !== undefined) return [{ ...name, asset }];
    return mayBeMissing ? [{ ...name, asset: null }] : [];
  });
  const assetIds = new Set<AssetId>([...ids, ...replaced.flatMap(({ asset }) => (asset === null ? [] : [asset.id]))]);
  const graph = replaceNames(workflow, replaced);
  const whole = named.isIncomplete ? withStandIns(graph) : graph;
  return { graph: isRecord(whole) ? whole : graph, assetIds: [...assetIds] };
}

const shownIdsMax = 100;
const shownIdCharactersMax = 64;

// The message is also logged, so the caller's own text appears only in the details.
export function missingAsset(ids: readonly string[]): Fault {
  const shown = ids.slice(0, shownIdsMax).map((id) => id.slice(0, shownIdCharactersMax));
  const message =
    ids.length === 0
      ? "The workflow contains an asset reference without info.id."
      : `The workflow refers to ${ids.length === 1 ? "an asset that does" : `${ids.length} assets that do`} not exist.`;
  return new Fault("missing_asset", message, { details: { missing_ids: shown } });
}

interface References {
  readonly ids: Set<string>;
  readonly mayComeLater: boolean;
  isMalformed: boolean;
  // True if some file comes later.
  isIncomplete: boolean;
}

function collectReferences(value: unknown, into: References): References {
  if (Array.isArray(value)) {
    for (const item of value) collectReferences(item, into);
  } else if (isRecord(value)) {
    if (memberOf(value, "__type") === assetTag) takeReference(value, into);
    else for (const member of Object.values(value)) collectReferences(member, into);
  }
  return into;
}

function takeReference(reference: JsonRecord, into: References): void {
  const info = memberOf(reference, "info");
  const id = isRecord(info) ? memberOf(info, "id") : undefined;
  if (typeof id === "string" && id !== "") into.ids.add(id);
  else if (into.mayComeLater && isLater(info)) into.isIncomplete = true;
  else into.isMalformed = true;
}

const isLater = (info: unknown): info is JsonRecord =>
  isRecord(info) && memberOf(info, "id") === undefined && typeof memberOf(info, "file_path") === "string";

// Graphs are validated with complete references; no asset has this id.
const laterId = "00000000-0000-0000-0000-000000000000";

function withStandIns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withStandIns);
  if (!isRecord(value)) return value;
  if (memberOf(value, "__type") !== assetTag)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withStandIns(member)]));
  const info = memberOf(value, "info");
  return isLater(info) ? { ...value, info: { ...info, id: laterId } } : value;
}

interface FileName {
  readonly nodeId: string;
  readonly input: string;
  readonly filePath: string;
}

// Null: a file that is missing.
type NamedAsset = FileName & { readonly asset: Asset | null };

// `photo.png` and `photo.png [input]` are uploads; callers cannot write to the other folders.
function collectNames(graphs: ResolveDeps["graphs"], workflow: JsonRecord): FileName[] {
  const names: FileName[] = [];
  for (const [nodeId, node] of Object.entries(workflow)) {
    if (!isRecord(node)) continue;
    const { class_type: classType, inputs } = node;
    if (typeof classType !== "string" || !isRecord(inputs)) continue;
    for (const input of graphs.fileInputs(classType)) {
      const text = memberOf(inputs, input);
      if (typeof text !== "string" || text === "" || text.includes("\0")) continue;
      names.push({ nodeId, input, filePath: text.endsWith(" [input]") ? text.slice(0, -" [input]".length) : text });
    }
  }
  return names;
}

function replaceNames(workflow: JsonRecord, names: readonly NamedAsset[]): JsonRecord {
  if (names.length === 0) return workflow;
  const byNode = Map.groupBy(names, ({ nodeId }) => nodeId);
  return Object.fromEntries(
    Object.entries(workflow).map(([nodeId, node]) => [nodeId, withReferences(node, byNode.get(nodeId) ?? [])]),
  );
}

function withReferences(node: unknown, names: readonly NamedAsset[]): unknown {
  const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
  if (names.length === 0 || !isRecord(node) || !isRecord(inputs)) return node;
  const references = names.map(({ input, asset, filePath }) => [
    input,
    { __type: assetTag, info: { id: asset?.id ?? laterId, file_path: asset?.filePath ?? filePath } },
  ]);
  return { ...node, inputs: { ...inputs, ...Object.fromEntries(references) } };
}
