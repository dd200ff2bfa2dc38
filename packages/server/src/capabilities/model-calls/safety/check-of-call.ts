// A verdict of the safety hook as it is recorded with a call, and as a caller reads it.
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import type { CheckOfCall } from "../../calls/index.ts";
import type { SafetyCheck, SafetyStage, SafetyVerdict } from "../../safety/index.ts";
import { type HidingDeps, hideInWords } from "../endings/hide-secrets.ts";

export async function checkOf(
  deps: HidingDeps,
  workspaceId: WorkspaceId,
  stage: SafetyStage,
  { at, ms, verdict }: SafetyCheck,
): Promise<CheckOfCall> {
  const said = verdict.kind === "refuse" || verdict.kind === "failed" ? verdict.reason : null;
  const words = await hideInWords(deps, workspaceId, said);
  return { at, ms, step: "check", stage, verdict: wordOf(verdict), words };
}

function wordOf(verdict: SafetyVerdict): CheckOfCall["verdict"] {
  switch (verdict.kind) {
    case "allow":
      return "allowed";
    case "refuse":
      return "refused";
    case "replace":
      return "replaced";
    case "failed":
      return verdict.mayPass ? "passed_unchecked" : "failed";
  }
}

export function policyRefusal(stage: SafetyStage, reason: string | null): Fault {
  const words = `The operator of this server refused the ${stage} on policy grounds${reason === null ? "." : `: ${reason}`}`;
  return new Fault("content_policy_violation", words);
}

// What a process that takes the call over finds of it.
export const storedChecks = {
  context: (checks: readonly CheckOfCall[]): object => ({ checks }),
  read(context: unknown): readonly CheckOfCall[] {
    const stored = isRecord(context) ? context["checks"] : null;
    return Array.isArray(stored) ? stored.filter(isRecord).map((check) => check as unknown as CheckOfCall) : [];
  },
};
