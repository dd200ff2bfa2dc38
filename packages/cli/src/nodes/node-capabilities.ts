// What the code of a version can do, as the registry has read it, and what is new in it.
import type { NodeCapabilities, NodeVersion } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { wrongCall } from "../read-call.ts";
import { type Asked, readAnswer } from "../server/over-http.ts";

const pathOf = (nodeId: string, version: string) =>
  `/nodes/${encodeURIComponent(nodeId)}/versions/${encodeURIComponent(version)}/capabilities`;

export async function showCapabilities({ call, atelier }: Asked): Promise<CommandResult> {
  const [, nodeId, version] = /^([^@]+)@(.+)$/.exec(call.words[0] ?? "") ?? [];
  if (nodeId === undefined || version === undefined)
    throw wrongCall("nodes", ["Pass a version, such as my-node@1.2.0."]);
  const since = call.text("since");
  const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
  const found: NodeCapabilities = await readAnswer(atelier.request(`${pathOf(nodeId, version)}${query}`));
  const rows = found.uses.map(({ kind, at_import, name, file, line }) => [
    at_import ? `${kind} at import` : kind,
    name,
    line === undefined ? file : `${file}:${line}`,
  ]);
  return {
    data: found,
    text: { columns: ["can", "with", "where"], rows, empty: "Its code was read, and nothing was found." },
    warnings: found.added.map(({ text }) => text),
  };
}

// Shown on install: what the code can do, and which of it is new. Nothing if the registry has not read the code.
export async function newCapabilities(
  atelier: Asked["atelier"],
  { node_id, version, capabilities }: NodeVersion,
): Promise<readonly string[]> {
  if (capabilities === undefined || capabilities.length === 0) return [];
  const read = readAnswer<NodeCapabilities>(atelier.request(pathOf(node_id, version)));
  const found = await read.catch(() => null);
  const can = `Its code can: ${capabilities.map((word) => word.replaceAll("_", " ")).join(", ")}.`;
  return [can, ...(found?.added ?? []).filter(({ is_new_kind }) => is_new_kind).map(({ text }) => text)];
}
