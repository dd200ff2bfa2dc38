// A max-heap. The order of equal items depends on how the heap moves them, and so does the application's palette: an item does
// not pass an equal one on the way up, but does on the way down.
export class LargestFirst<Item> {
  readonly #items: Item[] = [];
  readonly #sizeOf: (item: Item) => number;

  constructor(sizeOf: (item: Item) => number) {
    this.#sizeOf = sizeOf;
  }

  add(item: Item): void {
    const items = this.#items;
    let position = items.length;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const other = items[above];
      if (other === undefined || this.#sizeOf(item) <= this.#sizeOf(other)) break;
      items[position] = other;
      position = above;
    }
    items[position] = item;
  }

  take(): Item | null {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (first === undefined || last === undefined) return null;
    if (items.length === 0) return first;
    let position = 0;
    for (let below = 1; below < items.length; below = position * 2 + 1) {
      const larger = this.#isSmaller(below, below + 1) ? below + 1 : below;
      const other = items[larger];
      if (other === undefined || this.#sizeOf(last) > this.#sizeOf(other)) break;
      items[position] = other;
      position = larger;
    }
    items[position] = last;
    return first;
  }

  #isSmaller(one: number, other: number): boolean {
    const [left, right] = [this.#items[one], this.#items[other]];
    return left !== undefined && right !== undefined && this.#sizeOf(left) < this.#sizeOf(right);
  }
}
