// Finds matches. Choices are tried in order; what failed at a position is remembered and not tried there again, so the time
// grows with the length of the text and never with the number of ways to read it. Patterns that look back at what they matched
// (references, conditions, atomic groups) cannot be remembered that way: they get a step budget, and fail if they exceed it.
import { NodeError } from "../execution/node-error.ts";
import type { Program, Step } from "./compile-pattern.ts";
import type { Codes } from "./pattern-tree.ts";

// Slot 2n is the start of group n, 2n + 1 its end; −1 if it did not participate.
type Found = Int32Array;

const memoryBitsMax = 2 ** 29;
const freeStepsMax = 20_000_000;
const openChoicesMax = 2 ** 25;

export class Matcher {
  readonly #steps: readonly Step[];
  readonly #program: Program;
  readonly #text: Codes;
  readonly #failed: Uint32Array;
  // Choices inside look-arounds that led to a match; they are tried again from other positions.
  readonly #led: Uint32Array;
  readonly #slots: Int32Array;
  // Previous slot values: number and value, in the order of their change.
  readonly #changes: number[] = [];
  // Open choices: step, position, loop bits, length of the changes, which option was taken last.
  #open = new Int32Array(5 * 256);
  #openCount = 0;
  #stepsLeft = freeStepsMax;
  #start = 0;
  #mustAdvance = false;

  constructor(program: Program, text: Codes) {
    this.#program = program;
    this.#steps = program.steps;
    this.#text = text;
    this.#slots = new Int32Array(program.slots).fill(-1);
    const hasLooks = program.steps.some(({ op }) => op === "look");
    const bits = program.isRegular ? (text.length + 1) * program.choices * 2 ** program.loopBits : 0;
    if (bits > memoryBitsMax) throw new NodeError("regex_pattern: the pattern is too large for a text of this length.");
    this.#failed = new Uint32Array(Math.ceil(bits / 32));
    this.#led = new Uint32Array(hasLooks ? this.#failed.length : 0);
  }

  // The first match at `from` or later; with `mustAdvance`, an empty one right there does not count.
  search(from: number, mustAdvance: boolean): Found | null {
    for (let start = from; start <= this.#text.length; start++) {
      this.#slots.fill(-1);
      this.#changes.length = 0;
      this.#start = start;
      this.#mustAdvance = mustAdvance && start === from;
      const end = this.#run(0, start, 0, false);
      if (end < 0) continue;
      this.#slots[0] = start;
      this.#slots[1] = end;
      return this.#slots.slice();
    }
    return null;
  }

  // Where it ends; −1 if nothing matches. Closes the choices it opened.
  #run(step: number, position: number, loops: number, isLook: boolean): number {
    const base = this.#openCount;
    let [at, pos, bits] = [step, position, loops];
    for (;;) {
      if (!this.#program.isRegular && --this.#stepsLeft < 0) throw tooManySteps();
      const now = this.#steps[at];
      if (now === undefined) throw new Error("A pattern ran past its end.");
      let isStuck = false;
      switch (now.op) {
        case "character":
          if (pos < this.#text.length && now.test(this.#text[pos] ?? 0)) {
            pos += 1;
            at += 1;
            bits |= now.loops;
          } else isStuck = true;
          break;
        case "place":
          isStuck = !now.test(this.#text, pos);
          at += 1;
          break;
        case "choose": {
          const known = this.#knownOf(now.memory, pos, bits);
          if (known === "led" && isLook) return this.#close(base, pos, true);
          if (known === "failed") isStuck = true;
          else {
            this.#push(at, pos, bits);
            at = now.first;
          }
          break;
        }
        case "go":
          at = now.to;
          break;
        case "keep":
          this.#keep(now.slot, pos);
          at += 1;
          break;
        case "again":
          at = bits & now.loop ? now.to : now.out;
          bits &= ~now.loop;
          break;
        case "look":
          if (this.#looks(at + 1, now.back, pos) !== now.isNegative) at = now.after;
          else isStuck = true;
          break;
        case "atomic": {
          const end = this.#run(at + 1, pos, bits, false);
          isStuck = end < 0;
          if (end > pos) bits |= now.loops;
          if (end >= 0) pos = end;
          at = now.after;
          break;
        }
        case "reference": {
          const length = this.#repeated(now.group, now.fold, pos);
          isStuck = length < 0;
          if (length > 0) bits |= now.loops;
          pos += Math.max(0, length);
          at += 1;
          break;
        }
        case "condition":
          at = (this.#slots[now.group * 2 + 1] ?? -1) >= 0 ? at + 1 : now.no;
          break;
        case "done":
          return this.#close(base, pos, isLook);
        case "match":
          if (!(this.#mustAdvance && pos === this.#start)) return this.#close(base, pos, false);
          isStuck = true;
      }
      if (!isStuck) continue;
      const next = this.#backtrack(base);
      if (next < 0) return -1;
      at = next;
      pos = this.#open[this.#openCount * 5 - 4] ?? 0;
      bits = this.#open[this.#openCount * 5 - 3] ?? 0;
    }
  }

  #looks(step: number, back: number | null, pos: number): boolean {
    const from = back === null ? pos : pos - back;
    if (from < 0) return false;
    const level = this.#changes.length;
    if (this.#run(step, from, 0, true) >= 0) return true;
    this.#undo(level);
    return false;
  }

  #push(at: number, pos: number, bits: number): void {
    if (this.#openCount >= openChoicesMax) throw new NodeError("string: the text is too long for this pattern.");
    let start = this.#openCount * 5;
    if (start + 5 > this.#open.length) {
      const larger = new Int32Array(this.#open.length * 2);
      larger.set(this.#open);
      this.#open = larger;
    }
    this.#open[start++] = at;
    this.#open[start++] = pos;
    this.#open[start++] = bits;
    this.#open[start++] = this.#changes.length;
    this.#open[start] = 0;
    this.#openCount += 1;
  }

  // Where to continue: the other option of the newest choice that has one. −1 if there is none.
  #backtrack(base: number): number {
    while (this.#openCount > base) {
      const start = (this.#openCount - 1) * 5;
      const choice = this.#steps[this.#open[start] ?? 0];
      this.#undo(this.#open[start + 3] ?? 0);
      if (choice?.op === "choose") {
        if (this.#open[start + 4] === 0) {
          this.#open[start + 4] = 1;
          return choice.second;
        }
        if (this.#program.isRegular) {
          this.#remember(this.#failed, choice.memory, this.#open[start + 1] ?? 0, this.#open[start + 2] ?? 0);
        }
      }
      this.#openCount -= 1;
    }
    return -1;
  }

  #close(base: number, end: number, isLook: boolean): number {
    while (isLook && this.#program.isRegular && this.#openCount > base) {
      this.#openCount -= 1;
      const start = this.#openCount * 5;
      const choice = this.#steps[this.#open[start] ?? 0];
      if (choice?.op !== "choose") continue;
      this.#remember(this.#led, choice.memory, this.#open[start + 1] ?? 0, this.#open[start + 2] ?? 0);
    }
    this.#openCount = base;
    return end;
  }

  #indexOf(memory: number, pos: number, bits: number): number {
    return (pos * this.#program.choices + memory) * 2 ** this.#program.loopBits + bits;
  }

  #remember(marks: Uint32Array, memory: number, pos: number, bits: number): void {
    const index = this.#indexOf(memory, pos, bits);
    marks[index >>> 5] = (marks[index >>> 5] ?? 0) | (1 << (index & 31));
  }

  #knownOf(memory: number, pos: number, bits: number): "failed" | "led" | null {
    if (!this.#program.isRegular) return null;
    const index = this.#indexOf(memory, pos, bits);
    const mark = 1 << (index & 31);
    if ((this.#failed[index >>> 5] ?? 0) & mark) return "failed";
    return (this.#led[index >>> 5] ?? 0) & mark ? "led" : null;
  }

  #keep(slot: number, pos: number): void {
    this.#changes.push(slot, this.#slots[slot] ?? -1);
    this.#slots[slot] = pos;
  }

  #undo(level: number): void {
    while (this.#changes.length > level) {
      const value = this.#changes.pop() ?? -1;
      const slot = this.#changes.pop() ?? 0;
      this.#slots[slot] = value;
    }
  }

  // The length of a group's text if it is repeated here; −1 if it is not.
  #repeated(group: number, fold: (code: number) => number, pos: number): number {
    const [start, end] = [this.#slots[group * 2] ?? -1, this.#slots[group * 2 + 1] ?? -1];
    if (start < 0 || end < start || pos + end - start > this.#text.length) return -1;
    for (let at = start; at < end; at++) {
      if (fold(this.#text[at] ?? 0) !== fold(this.#text[pos + at - start] ?? 0)) return -1;
    }
    return end - start;
  }
}

function tooManySteps(): NodeError {
  return new NodeError(
    "regex_pattern: a pattern with group references, conditions, atomic groups, or groups inside lookarounds may take " +
      `${freeStepsMax.toLocaleString("en")}steps; this one needs more on this text.`,
  );
}
