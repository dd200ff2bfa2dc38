// Where readers of a mirror find the archives of upstream's versions: here, at an address that names the version in full,
// so we can copy an archive the first time it is asked for.
import type { NodeVersion } from "@atelier/contract";
import { parseId } from "../../../foundation/ids.ts";
import { memberIn } from "../fields/bad-fields.ts";
import { isNodeId } from "../nodes/node-authority.ts";

export interface MirroredAddresses {
  of(version: Pick<NodeVersion, "id" | "node_id" | "version">): string;
  // Takes a version, a list of versions, or a node with its latest version as upstream sent it, and replaces the
  // addresses with ours.
  within(told: unknown): unknown;
}

export function createMirroredAddresses(contentUrl: () => string): MirroredAddresses {
  const of: MirroredAddresses["of"] = ({ id, node_id, version }) =>
    `${contentUrl()}/c/archives/${id}?${new URLSearchParams({ node: node_id, version })}`;
  const ofTold = (told: unknown): unknown => {
    if (typeof told !== "object" || told === null) return told;
    const [id, node_id, version] = ["id", "node_id", "version"].map((name) => memberIn(told, name));
    const isWhole = typeof id === "string" && typeof node_id === "string" && typeof version === "string";
    if (!isWhole || parseId(id) === null || !isNodeId(node_id) || memberIn(told, "downloadUrl") === undefined)
      return told;
    return { ...told, downloadUrl: of({ id, node_id, version }) };
  };
  return {
    of,
    within(told) {
      if (Array.isArray(told)) return told.map(ofTold);
      const latest = memberIn(told, "latest_version");
      if (typeof told !== "object" || told === null || latest === undefined) return ofTold(told);
      return { ...told, latest_version: ofTold(latest) };
    },
  };
}
