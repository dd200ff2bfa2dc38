// Compiles a pattern to steps. We try everything in the order of Python's own engine, so that we find the same match. One thing
// needs care: an iteration of a loop that consumed no character ends the loop. Whether it consumed one is a bit of the state, so
// that what follows depends only on step, position and these bits.
import { NodeError } from "../execution/node-error.ts";
import {
  type CharacterTest,
  type Codes,
  type GroupWidths,
  type PatternNode,
  type ReadPattern,
  type Repeat,
  widthOf,
} from "./pattern-tree.ts";

export type Step =
  // `loops`: the bits of all enclosing loops: each has consumed a character now.
  | { readonly op: "character"; readonly test: CharacterTest; readonly loops: number }
  | { readonly op: "place"; readonly test: (text: Codes, at: number) => boolean }
  // `memory`: the index of this choice among all choices.
  | { op: "choose"; first: number; second: number; readonly memory: number }
  | { op: "go"; to: number }
  | { readonly op: "keep"; readonly slot: number }
  // The end of an iteration: repeat if it consumed something, otherwise leave the loop.
  | { op: "again"; readonly loop: number; readonly to: number; out: number }
  | { op: "look"; readonly back: number | null; readonly isNegative: boolean; after: number }
  | { op: "atomic"; after: number; readonly loops: number }
  | {
      readonly op: "reference";
      readonly group: number;
      readonly fold: (code: number) => number;
      readonly loops: number;
    }
  | { op: "condition"; readonly group: number; no: number }
  // A part that was matched separately has matched.
  | { readonly op: "done" }
  | { readonly op: "match" };

export interface Program {
  readonly steps: readonly Step[];
  readonly choices: number;
  // The number of loop bits in use at the same time.
  readonly loopBits: number;
  readonly slots: number;
  // Whether what follows depends on step, position and bits only: then what failed once need not be tried again.
  readonly isRegular: boolean;
}

const stepsMax = 50_000;
const loopBitsMax = 6;

export function compileTree({ root, groups, widths }: ReadPattern): Program {
  const compiler = new Compiler(widths);
  compiler.add(root, 0);
  compiler.emit({ op: "match" });
  const { steps, choices, loopBits, isRegular } = compiler;
  return {
    steps,
    choices,
    loopBits,
    slots: (groups + 1) * 2,
    isRegular: isRegular && loopBits <= loopBitsMax,
  };
}

class Compiler {
  readonly steps: Step[] = [];
  choices = 0;
  loopBits = 0;
  isRegular = true;
  readonly #widths: GroupWidths;
  #isLooking = false;

  constructor(widths: GroupWidths) {
    this.#widths = widths;
  }

  emit<S extends Step>(step: S): S {
    if (this.steps.length >= stepsMax) {
      throw new NodeError(`regex_pattern: its repetitions expand to more than the ${stepsMax} steps allowed.`);
    }
    this.steps.push(step);
    return step;
  }

  // `loops`: the bits of the loops around the node.
  add(node: PatternNode, loops: number): void {
    switch (node.kind) {
      case "character":
        this.emit({ op: "character", test: node.test, loops });
        return;
      case "place":
        this.emit({ op: "place", test: node.test });
        return;
      case "sequence":
        for (const item of node.items) this.add(item, loops);
        return;
      case "choice":
        this.#choice(node.options, loops);
        return;
      case "group":
        this.#group(node.index, node.body, loops);
        return;
      case "repeat":
        if (node.mode === "possessive") this.#atomic({ ...node, mode: "greedy" }, loops);
        else this.#repeat(node, loops);
        return;
      case "atomic":
        this.#atomic(node.body, loops);
        return;
      case "look":
        this.#look(node);
        return;
      case "reference":
        this.isRegular = false;
        this.emit({ op: "reference", group: node.group, fold: node.fold, loops });
        return;
      case "condition":
        this.#condition(node, loops);
    }
  }

  get #here(): number {
    return this.steps.length;
  }

  #choice(options: readonly PatternNode[], loops: number): void {
    const ends: { to: number }[] = [];
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.add(option, loops);
        break;
      }
      const choice = this.#choose();
      choice.first = this.#here;
      this.add(option, loops);
      ends.push(this.emit({ op: "go", to: 0 }));
      choice.second = this.#here;
    }
    for (const end of ends) end.to = this.#here;
  }

  #choose() {
    return this.emit({ op: "choose", first: 0, second: 0, memory: this.choices++ });
  }

  #group(index: number, body: PatternNode, loops: number): void {
    // A group captured inside a look-around would have to be captured again at a position that is already known to match.
    if (this.#isLooking) this.isRegular = false;
    this.emit({ op: "keep", slot: index * 2 });
    this.add(body, loops);
    this.emit({ op: "keep", slot: index * 2 + 1 });
  }

  #repeat({ min, max, mode, body }: Repeat, loops: number): void {
    for (let count = 0; count < min; count++) this.add(body, loops);
    if (max === min) return;
    const canBeEmpty = widthOf(body, this.#widths)[0] === 0;
    const loop = canBeEmpty ? this.#freeBit(loops) : 0;
    const isEndless = max === Number.POSITIVE_INFINITY;
    const [into, out] = mode === "greedy" ? (["first", "second"] as const) : (["second", "first"] as const);
    const outs: ((to: number) => void)[] = [];
    const times = isEndless ? 1 : max - min;
    for (let time = 0; time < times; time++) {
      const start = this.#here;
      const choice = this.#choose();
      choice[into] = this.#here;
      outs.push((to) => {
        choice[out] = to;
      });
      this.add(body, loops | loop);
      if (loop > 0) {
        const again = this.emit({ op: "again", loop, to: isEndless ? start : this.#here + 1, out: 0 });
        outs.push((to) => {
          again.out = to;
        });
      } else if (isEndless) this.emit({ op: "go", to: start });
    }
    for (const leave of outs) leave(this.#here);
  }

  #freeBit(loops: number): number {
    let bit = 0;
    while (loops & (1 << bit)) bit += 1;
    // Beyond that many nothing is remembered, so the bits need not be few.
    if (bit > 29) throw new NodeError("regex_pattern: too many nested loops.");
    this.loopBits = Math.max(this.loopBits, bit + 1);
    return 1 << bit;
  }

  #atomic(body: PatternNode, loops: number): void {
    this.isRegular = false;
    const step = this.emit({ op: "atomic", after: 0, loops });
    this.add(body, loops);
    this.emit({ op: "done" });
    step.after = this.#here;
  }

  #look({ back, isNegative, body }: PatternNode & { kind: "look" }): void {
    const step = this.emit({ op: "look", back, isNegative, after: 0 });
    const wasLooking = this.#isLooking;
    this.#isLooking = true;
    this.add(body, 0);
    this.#isLooking = wasLooking;
    this.emit({ op: "done" });
    step.after = this.#here;
  }

  #condition({ group, yes, no }: PatternNode & { kind: "condition" }, loops: number): void {
    this.isRegular = false;
    const step = this.emit({ op: "condition", group, no: 0 });
    this.add(yes, loops);
    const end = this.emit({ op: "go", to: 0 });
    step.no = this.#here;
    this.add(no, loops);
    end.to = this.#here;
  }
}
