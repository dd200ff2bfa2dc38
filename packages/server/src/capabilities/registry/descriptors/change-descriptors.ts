// Writing descriptors. Members write everything but the policy; operators set the policy, in any direction, and every
// change is audited (decisions, section 5). A policy covers the class in every version of the node, including future
// ones, so publishing a new number lifts no ban. Submissions follow the new policy as soon as the request is answered.
import { ExtractedDescriptors, type NodePolicy, UpdateDescriptor } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { hasAtMost } from "../../../foundation/json/characters.ts";
import type { AdminCaller } from "../../tokens/index.ts";
import { badFields } from "../fields/bad-fields.ts";
import { readBody } from "../fields/read-body.ts";
import { lockNode } from "../nodes/node-write-store.ts";
import { foldedNodeId, type NodeRowId } from "../nodes/stored-node.ts";
import type { NodePolicies } from "../policies/node-policies.ts";
import { type ChangeDeps, note, type RegistryActor, readerFor, type Sent } from "../readers/actor.ts";
import { requireVersion, type VersionNumber } from "../versions/read-versions.ts";
import { settleLatest } from "../versions/settle-latest.ts";
import type { VersionId } from "../versions/stored-version.ts";
import {
  findDescriptor,
  findEarlierPolicies,
  isExtractedByOperator,
  putDescriptor,
  type StoredDescriptor,
  setOperatorsExtraction,
  setPolicy,
} from "./descriptor-store.ts";

export interface DescriptorDeps extends Omit<ChangeDeps, "clock"> {
  readonly policies: Pick<NodePolicies, "set" | "changed">;
}

export interface DescriptorPath extends VersionNumber {
  readonly name: string;
}

const descriptorsMax = 5_000;
const nameLengthMax = 255;

export async function updateDescriptor(
  deps: DescriptorDeps,
  at: DescriptorPath,
  sent: Sent<RegistryActor>,
): Promise<StoredDescriptor> {
  const { caller } = sent;
  const { name } = at;
  const body = await readBody(UpdateDescriptor, sent);
  requireName(name);
  const version = await requireVersion(deps, at, readerFor(caller));
  if (!version.isOwn) throw new Fault("forbidden", "You are not a member of this node's publisher.");
  if (version.nodeStatus === "NodeStatusBanned" && caller.kind !== "admin") {
    throw new Fault("forbidden", "This node is banned.");
  }
  const changed = await deps.database.transaction(async (tx) => {
    await lockNode(tx, foldedNodeId(version.nodeId));
    const before = await policyBefore(tx, version, name);
    const after = body.policy ?? before.policy;
    if (after !== before.policy && caller.kind !== "admin") {
      throw new Fault("forbidden", "Only operators can change the policy of a node class.");
    }
    await putDescriptor(tx, version.id, { name, fields: known(body), policy: before.policy });
    if (after !== before.policy) await decide(deps, tx, version.nodeRowId, { name, policy: after });
    if (after !== before.policy || caller.kind === "admin") {
      await note(deps, tx, sent, {
        action: after === before.policy ? "node_descriptor.update" : "node_descriptor.policy",
        kind: "node",
        id: version.nodeId,
        before: { svc_node_name: name, policy: before.policy },
        after: { svc_node_name: name, version: version.version, policy: after },
        shown: ["svc_node_name"],
      });
    }
    const stored = await findDescriptor(tx, version.id, name, { locked: true });
    return { stored, folded: await settleLatest(tx, version.nodeRowId) };
  });
  await deps.policies.changed();
  await deps.nodesChanged([changed.folded]);
  if (changed.stored === null) throw new Fault("not_found", "There is no such descriptor.");
  return changed.stored;
}

// For extractors: stores all classes of a version in one call, and only once.
export async function storeExtraction(deps: DescriptorDeps, at: VersionNumber, sent: Sent<AdminCaller>): Promise<void> {
  const body = await readBody(ExtractedDescriptors, sent);
  const found = Object.entries(body.nodes ?? {});
  for (const [name] of found) requireName(name);
  if (found.length > descriptorsMax) {
    throw badFields([{ path: "/nodes", message: `has more than ${descriptorsMax} members` }]);
  }
  const version = await requireVersion(deps, at, readerFor(sent.caller));
  const folded = await deps.database.transaction(async (tx) => {
    await lockNode(tx, foldedNodeId(version.nodeId));
    if (await isExtractedByOperator(tx, version.id)) {
      throw new Fault("conflict", "The descriptors of this version were already extracted.");
    }
    if (body.success === false) {
      const reason = (body.reason ?? body.status ?? "The extraction failed.").slice(0, 2_000);
      await setOperatorsExtraction(tx, version.id, { status: "failed", reason });
      return settleLatest(tx, version.nodeRowId);
    }
    const names = found.map(([name]) => name);
    const earlier = await findEarlierPolicies(tx, version.nodeRowId, names);
    for (const [name, descriptor] of found) {
      const before = earlier.get(name) ?? "NodePolicyActive";
      const policy = descriptor.policy ?? before;
      await putDescriptor(tx, version.id, { name, fields: known(descriptor), policy: before });
      if (policy !== before) await decide(deps, tx, version.nodeRowId, { name, policy });
    }
    await setOperatorsExtraction(tx, version.id, { status: "success", reason: null });
    const after = { version: version.version, count: found.length };
    await note(deps, tx, sent, { action: "node_descriptor.extract", kind: "node", id: version.nodeId, after });
    return settleLatest(tx, version.nodeRowId);
  });
  await deps.policies.changed();
  await deps.nodesChanged([folded]);
}

async function policyBefore(
  tx: Queryable,
  version: { readonly id: VersionId; readonly nodeRowId: NodeRowId },
  name: string,
): Promise<{ readonly policy: NodePolicy }> {
  const stored = await findDescriptor(tx, version.id, name, { locked: true });
  if (stored !== null) return stored;
  const earlier = await findEarlierPolicies(tx, version.nodeRowId, [name]);
  return { policy: earlier.get(name) ?? "NodePolicyActive" };
}

async function decide(
  deps: DescriptorDeps,
  tx: Queryable,
  nodeRowId: NodeRowId,
  decision: { readonly name: string; readonly policy: NodePolicy },
): Promise<void> {
  await setPolicy(tx, nodeRowId, decision);
  await deps.policies.set(tx, { className: decision.name, holder: nodeRowId, policy: decision.policy });
}

function requireName(name: string): void {
  if (name === "" || !hasAtMost(name, nameLengthMax) || name.includes("\0")) {
    throw badFields([{ path: "/svcNodeName", message: `must have 1 to ${nameLengthMax} characters` }]);
  }
}

// Picks the members of a descriptor and drops everything else in the body.
function known(body: UpdateDescriptor): StoredDescriptor["fields"] {
  const { category, deprecated, description, experimental, input_types, output_is_list, return_names, return_types } =
    body;
  const { function: entry, display_name, output_node } = body;
  const shown = { category, deprecated, description, display_name, experimental };
  const fields = { ...shown, function: entry, input_types, output_is_list, output_node };
  return JSON.parse(JSON.stringify({ ...fields, return_names, return_types }));
}
