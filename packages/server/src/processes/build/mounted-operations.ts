// The operations that `serve` mounts, for documents generated without starting it. A test compares this list with what a
// running server really mounts.
import { allOperations, type Operation, operations, operationsByArea } from "@atelier/contract";

const mountedElsewhere: ReadonlySet<Operation> = new Set<Operation>([
  // On the content origin.
  ...Object.values(operationsByArea.content),
  // Spec, v2 endpoints: only a dedicated surface shows the graph it executed.
  operations.getExecutedWorkflow,
  // Only a surface next to an application knows the application's files.
  operations.createAssetFromPath,
]);

export const mountedOperations = (): readonly Operation[] =>
  allOperations.filter((operation) => !mountedElsewhere.has(operation));
