// An answer that is passed on while it arrives. What is passed on ends with a line's end, so that a secret that is split over
// two packets can still be found. Everything is also kept, in one growing piece of memory of a bounded size: the whole answer
// is read at its end.
import type { Clock } from "../../clock.ts";
import type { StreamTap } from "./upstream-outcome.ts";

interface ReadingEnds {
  pause(): void;
  resume(): void;
  tooSlow(): void;
  tooLarge(): void;
}

const firstBytes = 4 * 1024;
const [newline, carriageReturn] = [0x0a, 0x0d];

export class TappedAnswer {
  readonly #tap: StreamTap;
  readonly #clock: Clock;
  readonly #ends: ReadingEnds;
  #kept = Buffer.allocUnsafeSlow(firstBytes);
  #length = 0;
  #passed = 0;
  #passedBefore = 0;
  #waits = false;
  #cancel: () => void;

  constructor(tap: StreamTap, clock: Clock, ends: ReadingEnds) {
    this.#tap = tap;
    this.#clock = clock;
    this.#ends = ends;
    this.#cancel = clock.after(tap.idleMs, this.#look);
  }

  add(chunk: Buffer): void {
    if (this.#length + chunk.length > this.#tap.bytesMax) {
      this.#ends.tooLarge();
      return;
    }
    this.#grow(this.#length + chunk.length);
    chunk.copy(this.#kept, this.#length);
    this.#length += chunk.length;
    const end = Math.max(chunk.lastIndexOf(newline), chunk.lastIndexOf(carriageReturn));
    if (end !== -1) this.#pass(this.#length - chunk.length + end + 1);
  }

  // The whole answer. What follows the last line's end is passed on now.
  end(): Buffer {
    this.stop();
    if (this.#passed < this.#length) this.#pass(this.#length);
    return this.#kept.subarray(0, this.#length);
  }

  stop(): void {
    this.#cancel();
  }

  #pass(to: number): void {
    const lines = this.#kept.subarray(this.#passed, to);
    this.#passed = to;
    const taken = this.#tap.lines(lines);
    if (taken === undefined) return;
    this.#waits = true;
    this.#ends.pause();
    void taken.then(() => {
      this.#waits = false;
      this.#ends.resume();
    });
  }

  #grow(bytes: number): void {
    if (bytes <= this.#kept.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#tap.bytesMax, Math.max(bytes, this.#kept.length * 2)));
    this.#kept.copy(larger, 0, 0, this.#length);
    this.#kept = larger;
  }

  // Time that the reader needs does not count.
  readonly #look = (): void => {
    if (this.#passed === this.#passedBefore && !this.#waits) this.#ends.tooSlow();
    else this.#cancel = this.#clock.after(this.#tap.idleMs, this.#look);
    this.#passedBefore = this.#passed;
  };
}
