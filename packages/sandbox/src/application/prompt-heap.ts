// The waiting prompts, lowest number first. The application lists them in the memory order of its heap, which is not the order
// they will run in; a reader of the list has to sort it. So this heap moves its entries exactly as that one does.
export interface Numbered {
  readonly number: number;
  readonly id: string;
}

export class PromptHeap<Entry extends Numbered> {
  #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  // In memory order.
  list(): readonly Entry[] {
    return this.#entries;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#rise(0, this.#entries.length - 1);
  }

  pop(): Entry | null {
    const last = this.#entries.pop();
    const [first] = this.#entries;
    if (last === undefined || first === undefined) return last ?? null;
    this.#entries[0] = last;
    this.#sinkThenRise();
    return first;
  }

  // Leaves no trace of what it removes.
  remove(matches: (entry: Entry) => boolean): boolean {
    const kept = this.#entries.filter((entry) => !matches(entry));
    const isRemoved = kept.length < this.#entries.length;
    this.#entries = [];
    for (const entry of kept) this.push(entry);
    return isRemoved;
  }

  #rise(top: number, from: number): void {
    const moving = this.#entries[from];
    let at = from;
    while (moving !== undefined && at > top) {
      const above = (at - 1) >> 1;
      const parent = this.#entries[above];
      if (parent === undefined || !isBefore(moving, parent)) break;
      this.#entries[at] = parent;
      at = above;
    }
    if (moving !== undefined) this.#entries[at] = moving;
  }

  // Moves the last entry all the way down along the smaller children, then up from there.
  #sinkThenRise(): void {
    const moving = this.#entries[0];
    let at = 0;
    for (let child = 1; child < this.#entries.length; child = 2 * at + 1) {
      const [left, right] = [this.#entries[child], this.#entries[child + 1]];
      const isRight = left !== undefined && right !== undefined && !isBefore(left, right);
      const smaller = isRight ? right : left;
      if (smaller === undefined) break;
      this.#entries[at] = smaller;
      at = isRight ? child + 1 : child;
    }
    if (moving !== undefined) this.#entries[at] = moving;
    this.#rise(0, at);
  }
}

function isBefore(one: Numbered, other: Numbered): boolean {
  return one.number === other.number ? one.id < other.id : one.number < other.number;
}
