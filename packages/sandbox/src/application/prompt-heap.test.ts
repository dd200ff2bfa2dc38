import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Numbered, PromptHeap } from "./prompt-heap.ts";

const heapOf = (numbers: readonly number[]) => {
  const heap = new PromptHeap<Numbered>();
  for (const [index, number] of numbers.entries()) heap.push({ number, id: String(index).padStart(4, "0") });
  return heap;
};
const numbersOf = (entries: readonly Numbered[]) => entries.map(({ number }) => number);

test("the list is ordered like the application's: a front one and three more are −13, 10, 12, 11", () => {
  assert.deepEqual(numbersOf(heapOf([10, 11, 12, -13]).list()), [-13, 10, 12, 11]);
});

test("prompts come out lowest number first, ties by id", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), (numbers) => {
      const heap = heapOf(numbers);
      const out: Numbered[] = [];
      for (let next = heap.pop(); next; next = heap.pop()) out.push(next);
      const sorted = out.toSorted((one, other) => one.number - other.number || (one.id < other.id ? -1 : 1));
      assert.deepEqual(out, sorted);
      assert.equal(out.length, numbers.length);
    }),
  );
});

test("a removed prompt is gone, and nothing else", () => {
  const heap = heapOf([3, 1, 2]);
  assert.equal(
    heap.remove(({ number }) => number === 1),
    true,
  );
  assert.equal(
    heap.remove(({ number }) => number === 1),
    false,
  );
  assert.deepEqual([heap.pop()?.number, heap.pop()?.number, heap.pop()], [2, 3, null]);
});
