// Opaque page cursors: a signed position in a sorted list. A cursor is bound to its purpose, lives 24 hours, and is accepted
// under the current and earlier secrets, so it survives a rotation and a rollout. A cursor that we did not issue is refused; it
// never restarts at page one (Spec, Router rule 2).
// Format: v1.<base64url of [issued second, …position]>.<first 16 bytes of HMAC-SHA256, base64url>
import { createHmac, timingSafeEqual } from "node:crypto";
import { invariant } from "./assert.ts";
import type { Clock } from "./clock.ts";

export interface Cursors {
  // `purpose` names the endpoint and everything else the position depends on (filters, workspace). Within `stepSeconds` the
  // same position yields the same text, and its lifetime counts from the start of the step.
  issue(purpose: string, position: readonly string[], stepSeconds?: number): string;
  // Null if the cursor is not ours, was issued for another purpose, or has expired. The caller answers 400.
  read(purpose: string, text: string): readonly string[] | null;
}

// Spec, Page cursor: this alphabet, 1 to 512 characters.
const cursorCharactersMax = 512;
const cursorPattern = /^v1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/;
const lifeSeconds = 24 * 3600;
// The clock of another process may be ahead by this much.
const skewSeconds = 60;

// The first secret signs; all of them verify.
export function createCursors(deps: { readonly secrets: readonly Buffer[]; readonly clock: Clock }): Cursors {
  const [current] = deps.secrets;
  invariant(current !== undefined, "cursors need a secret");
  const nowSeconds = () => Math.floor(deps.clock.now().getTime() / 1000);

  return {
    issue(purpose, position, stepSeconds = 1) {
      const issuedSeconds = nowSeconds() - (nowSeconds() % stepSeconds);
      const payload = Buffer.from(JSON.stringify([issuedSeconds, ...position]), "utf8").toString("base64url");
      const cursor = `v1.${payload}.${sign(current, purpose, payload)}`;
      invariant(cursor.length <= cursorCharactersMax, "a cursor's position is at most about 360 bytes");
      return cursor;
    },
    read(purpose, text) {
      if (text.length > cursorCharactersMax) return null;
      const [, payload, signature] = cursorPattern.exec(text) ?? [];
      if (payload === undefined || signature === undefined) return null;
      if (!deps.secrets.some((secret) => isSignature(signature, sign(secret, purpose, payload)))) return null;
      return livePosition(payload, nowSeconds());
    },
  };
}

// The signature covers the encoded text, not the decoded bytes: base64url can spell the same bytes in several ways.
function sign(secret: Buffer, purpose: string, payload: string): string {
  const mac = createHmac("sha256", secret).update(`cursor v1 ${purpose.length} ${purpose} ${payload}`).digest();
  return mac.toString("base64url", 0, 16);
}

function isSignature(given: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(given, "latin1"), Buffer.from(right, "latin1"));
}

function livePosition(payload: string, nowSeconds: number): readonly string[] | null {
  const decoded: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  if (!Array.isArray(decoded)) return null;
  const [issuedSeconds, ...position]: unknown[] = decoded;
  if (typeof issuedSeconds !== "number") return null;
  const ageSeconds = nowSeconds - issuedSeconds;
  if (ageSeconds > lifeSeconds || ageSeconds < -skewSeconds) return null;
  return position.every((part) => typeof part === "string") ? position : null;
}
