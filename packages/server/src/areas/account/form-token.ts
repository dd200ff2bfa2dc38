// The token that every form carries: a MAC over what the form belongs to (a session, a sign-in link), so that a form of
// another site, another session or another link is refused. Nothing is stored; the key ring's rotation ends old ones.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeyRing } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";

const purpose = "session";

export interface FormTokens {
  make(subject: string): string;
  require(subject: string, token: string | null): void;
}

export function formTokens(keyRing: KeyRing): FormTokens {
  return {
    make: (subject) => tokenOf(keyRing.current(purpose), subject),
    require(subject, token) {
      if (token === null || !isGood(keyRing, subject, token)) {
        throw new Fault("forbidden", "This form is too old or not from this site. Open the page again and retry.");
      }
    },
  };
}

function isGood(keyRing: KeyRing, subject: string, token: string): boolean {
  const keyId = token.slice(0, token.lastIndexOf("."));
  const key = keyRing.verifying(purpose).find((entry) => entry.id === keyId);
  if (key === undefined) return false;
  // Compared as text: base64 has more than one spelling of the same bytes, and only ours is a token.
  const given = Buffer.from(token);
  const wanted = Buffer.from(tokenOf(key, subject));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

// Named apart from any other use of the same secret.
function tokenOf(key: { id: string; secret: Buffer }, subject: string): string {
  const mac = createHmac("sha256", key.secret).update(`form-token\n${subject}`).digest("base64url");
  return `${key.id}.${mac}`;
}
