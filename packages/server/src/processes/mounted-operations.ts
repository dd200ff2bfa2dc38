// Which operations `serve` mounts, for documents that are written without starting it. A test compares this list with
// what a running server really mounts.
import { type Operation, operationsByArea } from "@atelier/contract";

export function mountedOperations(): readonly Operation[] {
  const { priceBadges, modelRouter, workflowAssets, workflowUploads, account, administration, system } =
    operationsByArea;
  return [priceBadges, modelRouter, workflowAssets, workflowUploads, account, administration, system].flatMap((table) =>
    Object.values(table),
  );
}
