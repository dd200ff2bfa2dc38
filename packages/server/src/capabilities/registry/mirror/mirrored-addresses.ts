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
  within(value: unknown): unknown;
}

export function createMirroredAddresses(contentUrl: () => string): MirroredAddresses {
  const of: MirroredAddresses["of"] = ({ id, node_id, version }) =>
    `${contentUrl()}/c/archives/${id}?${new URLSearchParams({ node: node_id, version })}`;
  const readdress = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const [id, node_id, version] = ["id", "node_id", "version"].map((name) => memberIn(value, name));
    const isWhole = typeof id === "string" && typeof node_id === "string" && typeof version === "string";
    if (!isWhole || parseId(id) === null || !isNodeId(node_id) || memberIn(value, "downloadUrl") === undefined)
      return value;
    return { ...value, downloadUrl: of({ id, node_id, version }) };
  };
  return {
    of,
    within(value) {
      if (Array.isArray(value)) return value.map(readdress);
      const latest = memberIn(value, "latest_version");
      if (typeof value !== "object" || value === null || latest === undefined) return readdress(value);
      return { ...value, latest_version: readdress(latest) };
    },
  };
}
