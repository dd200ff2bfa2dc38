// One line of the v2 contract: what a caller does, and what the answer is. Every surface is tested; if a surface answers
// differently, the difference is in differences.ts with its reason, and nowhere else.
import type { OperationsByArea } from "@atelier/contract";
import type { LimitName } from "../../src/capabilities/limits/index.ts";
import type { HandWorker } from "../../src/surfaces/jobs.fixture.ts";
import type { Client, House, TestAnswer, TestRequest } from "../../src/surfaces/surfaces.fixture.ts";

export type V2Operation =
  | keyof OperationsByArea["workflowJobs"]
  | keyof OperationsByArea["workflowAssets"]
  | keyof OperationsByArea["workflowUploads"];

export type SurfaceName = "cloud" | "deployment" | "self-hosted";

export interface Scene {
  readonly surface: SurfaceName;
  readonly house: House;
  readonly client: Client;
  readonly worker: HandWorker;
  // Undone when the case is over, last one first.
  undo(run: () => Promise<unknown>): void;
  // For the first workspace, until the case is over.
  limit(name: LimitName, value: number): Promise<void>;
}

export interface Asked extends TestRequest {
  readonly target: string;
}

export interface Expected {
  readonly status: number;
  // v2's code for an error. Null if there is no error, and for tus, which speaks plain text.
  readonly code: string | null;
}

export interface ContractCase extends Expected {
  readonly operation: V2Operation;
  // Unique within the operation.
  readonly name: string;
  make(scene: Scene): Promise<Asked> | Asked;
}

export type CaseAnswer = Pick<TestAnswer, "status" | "headers" | "text">;

export function caseOf(operation: V2Operation) {
  return (name: string, status: number, code: string | null, make: ContractCase["make"]): ContractCase => ({
    operation,
    name,
    status,
    code,
    make,
  });
}
