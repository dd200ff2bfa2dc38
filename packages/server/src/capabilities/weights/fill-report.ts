// What a worker reports of its fill, and what operators see of it.
export type FillState = "filling" | "filled" | "failed";

export interface FillReport {
  readonly workerId: string;
  readonly tokenId: string;
  readonly poolId: string;
  readonly name: string;
  readonly state: FillState;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly problem: string | null;
  readonly share: { readonly url: string; readonly key: string } | null;
  // Null: as before.
  readonly has: readonly string[] | null;
  readonly wants: string | null;
  readonly accuses: readonly string[];
}

export interface WorkerFill extends Omit<FillReport, "tokenId" | "share" | "has" | "wants" | "accuses"> {
  readonly weights: number;
  readonly isSharing: boolean;
  readonly accusations: number;
  readonly accusedBy: string | null;
  readonly seenAt: Date;
}
