// The node states in which an operator wants a badge tried: the optional member `probes`.
import type { NodeState } from "../../capabilities/badge-proof/index.ts";
import { isRecord } from "../../foundation/json/json-record.ts";

const statesMax = 100;

// Null if it is not a list of states.
export function readStates(value: unknown): readonly NodeState[] | null {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > statesMax) return null;
  const states = value.map(readState);
  return states.every((state) => state !== null) ? states : null;
}

function readState(value: unknown): NodeState | null {
  if (!isRecord(value)) return null;
  const { widgets = {}, inputs = {}, inputGroups = {} } = value;
  return isRecord(widgets) && isRecordOf(inputs, isConnection) && isRecordOf(inputGroups, isCount)
    ? { widgets, inputs, inputGroups }
    : null;
}

function isRecordOf<Member>(
  value: unknown,
  isMember: (member: unknown) => member is Member,
): value is Readonly<Record<string, Member>> {
  return isRecord(value) && Object.values(value).every(isMember);
}

function isConnection(value: unknown): value is { readonly connected: boolean } {
  return isRecord(value) && typeof value["connected"] === "boolean";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
