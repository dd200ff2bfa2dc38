// A lock that operators keep, without the lock itself.
import type { Id } from "../../foundation/ids.ts";

export type EnvironmentId = Id<"environment">;

export interface SavedEnvironment {
  readonly id: EnvironmentId;
  readonly name: string;
  readonly version: number;
  readonly lockId: string;
  readonly note: string | null;
  readonly applicationVersion: string;
  readonly packs: number;
  readonly weights: number;
  readonly weightBytes: number;
  readonly createdAt: Date;
}
