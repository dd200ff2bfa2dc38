// The text of a pattern, token by token: a character, or a backslash with the character after it.
import { PatternError } from "./pattern-tree.ts";

export class PatternSource {
  readonly #letters: readonly string[];
  // How many characters were read; set it back to read them again.
  at = 0;

  constructor(text: string) {
    this.#letters = [...text];
  }

  get isOver(): boolean {
    return this.at >= this.#letters.length;
  }

  get next(): string | null {
    const letter = this.#letters[this.at];
    if (letter !== "\\") return letter ?? null;
    const escaped = this.#letters[this.at + 1];
    if (escaped === undefined) throw new PatternError("bad escape (end of pattern)");
    return letter + escaped;
  }

  // `null` at the end.
  take(): string | null {
    const token = this.next;
    if (token !== null) this.at += token.startsWith("\\") ? 2 : 1;
    return token;
  }

  match(token: string): boolean {
    if (this.next !== token) return false;
    this.take();
    return true;
  }

  takeWhile(most: number, isWanted: RegExp): string {
    let taken = "";
    while (taken.length < most) {
      const token = this.next;
      if (token === null || !isWanted.test(token)) break;
      taken += this.take() ?? "";
    }
    return taken;
  }

  takeUntil(end: string, what: string): string {
    let taken = "";
    for (let token = this.take(); token !== end; token = this.take()) {
      if (token === null)
        throw new PatternError(taken === "" ? `missing ${what}` : `missing ${end}, unterminated name`);
      taken += token;
    }
    if (taken === "") throw new PatternError(`missing ${what}`);
    return taken;
  }
}

// Anchored: a token of two characters is an escape.
export const digits = /^[0-9]$/;
export const octalDigits = /^[0-7]$/;
export const hexDigits = /^[0-9a-fA-F]$/;

const identifier = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

export function isIdentifier(name: string): boolean {
  return identifier.test(name);
}
