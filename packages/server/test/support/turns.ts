// The longest turn of a server's main thread while something is done to it: see turn-watch.ts.
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Turns {
  // For the server's process.
  readonly env: Readonly<Record<string, string>>;
  // The longest turn in milliseconds of processor time while `attack` ran; 0 when none was worth a line.
  during(attack: () => Promise<unknown>): Promise<number>;
}

export function watchTurns(folder: string): Turns {
  const file = join(folder, "turns.txt");
  writeFileSync(file, "");
  const watch = new URL("./turn-watch.ts", import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import=${watch}`, ATELIER_TEST_TURNS: file },
    async during(attack) {
      truncateSync(file);
      await attack();
      // What was done last is written a tick later.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const turns = readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
      return Math.max(0, ...turns);
    },
  };
}
