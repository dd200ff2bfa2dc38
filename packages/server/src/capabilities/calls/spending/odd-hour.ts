// What an odd hour is, and the rule that finds it.
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface OddHour {
  readonly hour: Date;
  readonly sequence: number;
  readonly spent: bigint;
  readonly average: bigint;
  readonly highest: bigint;
  readonly weeks: number;
  readonly at: Date;
}

export interface OddSpending extends OddHour {
  readonly workspaceId: WorkspaceId;
}

export interface OddRule {
  readonly weeksMin: number;
  readonly weeksMax: number;
  readonly times: number;
  // Micro-credits, unless the workspace says otherwise.
  readonly atLeast: bigint;
}

export const oddRule: OddRule = { weeksMin: 4, weeksMax: 8, times: 3, atLeast: 200_000_000n };
