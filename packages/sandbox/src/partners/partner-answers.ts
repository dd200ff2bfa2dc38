// Errors in each vendor's own shape, and the answers for ordered faults.
import { type Answer, jsonAnswer } from "../http/answer.ts";
import { refusedBeforehand, retryAfter } from "../http/misbehave.ts";
import type { ReadFault, SubmitFault } from "./faults.ts";
import type { Problem } from "./read-fields.ts";
import type { PartnerSlug } from "./sandbox-partners.ts";

export function partnerError(
  partner: PartnerSlug,
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return jsonAnswer(status, partner === "partner-a" ? { message } : { error: { code, message } }, headers);
}

export function invalid(partner: PartnerSlug, problems: readonly Problem[]): Answer {
  if (partner === "partner-a") return jsonAnswer(400, { message: "Validation error", invalid_params: problems });
  const message = problems.map(({ field, reason }) => `${field} ${reason}`).join("; ");
  return jsonAnswer(400, { error: { code: "invalid_request", message } });
}

export function faultAnswer(
  partner: PartnerSlug,
  fault: SubmitFault | ReadFault,
  seconds: number | null,
): Answer | null {
  switch (fault) {
    case "refuse":
      return partnerError(partner, 400, "content_policy", "The content was refused. Simulated.");
    case "fail":
    case "read_fail":
      return partnerError(partner, 500, "internal_error", "Something went wrong. Simulated.");
    case "unavailable":
      return partnerError(partner, 503, "unavailable", "Come back later. Simulated.", retryAfter(seconds));
    case "html":
    case "read_html":
      return refusedBeforehand("html", seconds);
    case "rate_limit":
    case "read_rate_limit":
      return partnerError(partner, 429, "rate_limited", "Too many requests. Simulated.", retryAfter(seconds));
    default:
      return null;
  }
}
