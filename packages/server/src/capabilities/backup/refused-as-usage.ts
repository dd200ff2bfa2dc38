import { UsageProblem } from "../../foundation/settings.ts";
import { BackupRefused } from "./backup-refused.ts";

// For commands and a start: a refusal is something that the person can put right.
export async function refusedAsUsage<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof BackupRefused) throw new UsageProblem([error.message]);
    throw error;
  }
}
