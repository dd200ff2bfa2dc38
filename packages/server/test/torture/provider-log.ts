// The provider's own log: one line per run, on disk before the work begins. It is the truth against which the checker
// holds everything else, and what a killed provider knows when it comes back.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import type { ProviderKind } from "./provider-script.ts";

export interface RunLine {
  readonly callId: string;
  readonly kind: ProviderKind;
  readonly price: number;
  readonly body: string;
}

export interface ProviderLog {
  write(line: RunLine): void;
  close(): void;
}

export function openProviderLog(file: string): ProviderLog {
  const descriptor = openSync(file, "a");
  return {
    write(line) {
      writeSync(descriptor, `${JSON.stringify(line)}\n`);
      fsyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

export function readProviderLog(file: string): RunLine[] {
  const whole = readFileSync(file, { encoding: "utf8", flag: "a+" }).split("\n");
  // The last piece is empty, or a line that a kill cut short: its work had not begun.
  return whole.slice(0, -1).map((line): RunLine => JSON.parse(line));
}
