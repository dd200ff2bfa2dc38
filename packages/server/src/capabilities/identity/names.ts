// Valid names of workspaces, people and keys: 1 to 100 characters, no line breaks or other control characters, nothing
// that reverses the direction of the surrounding text. Spaces at both ends are dropped.
import { Fault } from "../../foundation/fault.ts";

const hiddenPattern = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const emailPattern = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,189}$/u;

export function readName(text: string): string | null {
  const name = text.trim();
  const characters = [...name].length;
  if (characters < 1 || characters > 100 || !name.isWellFormed() || hiddenPattern.test(name)) return null;
  return name;
}

export function requireName(text: string): string {
  const name = readName(text);
  if (name === null) {
    throw new Fault("invalid_request", "A name must have 1 to 100 characters and no control characters.", {
      details: { name: "1 to 100 characters, no control characters" },
    });
  }
  return name;
}

// An address for people to read; we send nothing to it and match no person by it.
export function readEmail(text: string): string | null {
  const email = text.trim();
  return isOneAddress(email) ? email : null;
}

// Exactly one address, verbatim: access may depend on its domain, so nothing is corrected.
export function isOneAddress(text: string): boolean {
  return emailPattern.test(text) && text.isWellFormed() && !hiddenPattern.test(text);
}
