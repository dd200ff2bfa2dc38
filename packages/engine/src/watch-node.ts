// Limits how long one node may take. A class that only computes cannot notice that it is stuck, so we time it here, outside the
// child. Classes that call a model, or that read or write files, wait for others and only have the job's time limit.
import type { EngineEvent } from "./engine-host.ts";
import { builtInClasses } from "./graph/built-in-classes.ts";
import type { NodeClassDescription } from "./graph/node-class.ts";

export interface NodeWatch {
  see(event: EngineEvent): void;
  stop(): void;
}

interface LateNode {
  readonly nodeId: string;
  readonly classType: string;
}

export function watchNodes(secondsMax: number, onLate: (node: LateNode) => void): NodeWatch {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    see(event) {
      if (event.kind === "node_finished") stop();
      if (event.kind !== "node_started" || !isPure(event.classType)) return;
      const { nodeId, classType } = event;
      stop();
      timer = setTimeout(() => onLate({ nodeId, classType }), secondsMax * 1000);
    },
    stop,
  };
}

function isPure(classType: string): boolean {
  const description = builtInClasses.get(classType);
  return description !== undefined && onlyComputes(description);
}

export function onlyComputes({ callsModel = false, isOutputNode, inputs }: NodeClassDescription): boolean {
  const readsFile = inputs.some((input) => input.type === "COMBO" && input.options === null);
  return !callsModel && !isOutputNode && !readsFile;
}
