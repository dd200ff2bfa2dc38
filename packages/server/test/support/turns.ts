// The longest turn of a server's main thread while something is done to it: see turn-watch.ts.
import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Turns {
  // Environment of the server's process.
  readonly env: Readonly<Record<string, string>>;
  // The longest turn while `attack` ran, in milliseconds of processor time on the machine of yardstick.ts; 0 if none was
  // worth a line.
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
      writeFileSync(`${file}.mark`, "");
      // Once the mark is gone, the last turn is written down.
      while (existsSync(`${file}.mark`)) await new Promise((resolve) => setTimeout(resolve, 2));
      const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
      const turns = lines.map((line) => line.split(" ").map(Number));
      return Math.max(0, ...turns.map(([ms = 0, slowness = 1]) => ms / slowness));
    },
  };
}
