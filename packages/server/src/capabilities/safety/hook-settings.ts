// What must be said before a server with a hook may start. Whether a call passes while the hook is away is the operator's
// decision, so there is no default for it.
import { webhookSecretPrefix } from "@atelier/contract";
import type { Secret } from "../../foundation/settings.ts";

export interface SafetySettings {
  readonly safetyHookUrl: string | null;
  readonly safetyHookSecret: Secret | null;
  readonly safetyHookOnFailure: "open" | "closed" | null;
}

const secretBytesMin = 24;

export function safetyProblems(settings: SafetySettings): string[] {
  if (settings.safetyHookUrl === null) return [];
  const problems: string[] = [];
  if (settings.safetyHookOnFailure === null)
    problems.push(
      "ATELIER_SAFETY_HOOK_URL is set, but ATELIER_SAFETY_HOOK_ON_FAILURE is not. Set it to closed, so that a call fails while the hook gives no verdict, or to open, so that it passes unchecked.",
    );
  if (readHookSecret(settings.safetyHookSecret) === null)
    problems.push(
      `ATELIER_SAFETY_HOOK_SECRET must be ${webhookSecretPrefix} and at least ${secretBytesMin} bytes in base64, such as: echo "${webhookSecretPrefix}$(openssl rand -base64 32)"`,
    );
  return problems;
}

// Null if it cannot sign.
export function readHookSecret(secret: Secret | null): Buffer | null {
  const text = secret?.reveal() ?? "";
  if (!text.startsWith(webhookSecretPrefix)) return null;
  const encoded = text.slice(webhookSecretPrefix.length);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null;
  const bytes = Buffer.from(encoded, "base64");
  return bytes.byteLength >= secretBytesMin ? bytes : null;
}
