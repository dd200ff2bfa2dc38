// The descriptors part of the registry: changing descriptors, and where their classes may run.
import type { NodeDescriptor } from "@atelier/contract";
import type { AdminCaller } from "../../tokens/index.ts";
import type { NodeHosting, NodePolicies, RefusedClasses } from "../policies/node-policies.ts";
import type { RegistryActor, Sent } from "../readers/actor.ts";
import type { VersionNumber } from "../versions/read-versions.ts";
import { type DescriptorDeps, type DescriptorPath, storeExtraction, updateDescriptor } from "./change-descriptors.ts";
import { presentDescriptor, retryExtractions } from "./descriptor-store.ts";

export interface DescriptorsDeps extends DescriptorDeps {
  readonly policies: NodePolicies;
}

export type Descriptors = ReturnType<typeof createDescriptors>;

export function createDescriptors(deps: DescriptorsDeps) {
  return {
    async update(at: DescriptorPath, sent: Sent<RegistryActor>): Promise<NodeDescriptor> {
      return presentDescriptor(await updateDescriptor(deps, at, sent));
    },
    storeExtraction: (at: VersionNumber, sent: Sent<AdminCaller>) => storeExtraction(deps, at, sent),
    retryExtractions: (nodesMax: number) => retryExtractions(deps.database, nodesMax),
    // Which classes of a graph must not run there.
    policyAt: (hosting: NodeHosting): RefusedClasses => deps.policies.at(hosting),
  };
}
