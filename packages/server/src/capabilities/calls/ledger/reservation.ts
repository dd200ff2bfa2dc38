// How a reservation of credits ends.
import type { WorkspaceId } from "../../../foundation/ids.ts";

export interface ReservationUsage {
  readonly apiKeyId: string | null;
  readonly subject: string;
  readonly outcome: string;
  readonly totalMs: number;
}

export interface ReservationEnd {
  readonly holderId: string;
  readonly workspaceId: WorkspaceId;
  // Null ends every part that is still open.
  readonly part: string | null;
  // Taken from the part `chargedPart`, up to the amount held; everything else goes back.
  readonly charge: bigint;
  // The usage row of the charge.
  readonly usage: ReservationUsage | null;
}
