// Lets a limited number through at a time; the rest wait in line. It limits pictures in progress and callbacks under way.

export class Gate {
  readonly #capacity: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#inside >= this.#capacity) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      // The slot is handed over, not freed: nothing can slip in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }
}
