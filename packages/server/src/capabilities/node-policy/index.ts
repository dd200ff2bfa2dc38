export {
  type ClassPolicy,
  createNodePolicies,
  type NodePlace,
  type NodePolicies,
  type NodePoliciesDeps,
  type RefusedClasses,
} from "./node-policies.ts";
