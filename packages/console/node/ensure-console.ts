// The folder of the built console.
import { join } from "node:path";
import { type Built, ensureBuilt, packageFolder, toBuild } from "./ensure-built.ts";

export interface ConsoleBuild {
  // Holds index.html, manifest.json, and the files that they name.
  readonly folder: string;
}

export interface ConsoleOptions {
  // Where the checkout cannot be written: made where it is needed; what is in it is ours.
  readonly spareFolder?: string;
}

function consoleOf({ spareFolder }: ConsoleOptions): Built {
  const own = { folder: join(packageFolder, "dist/app"), building: join(packageFolder, "building") };
  return {
    name: "The console",
    script: join(packageFolder, "build.mjs"),
    tool: "vite",
    sources: ["src", "index.html", "build.mjs", "package.json", "../sdk/src"],
    locations:
      spareFolder === undefined
        ? [own]
        : [own, { folder: join(spareFolder, "app"), building: join(spareFolder, "building") }],
  };
}

export function ensureConsole(options: ConsoleOptions = {}): Promise<ConsoleBuild> {
  return ensureBuilt(consoleOf(options));
}

// Null: it is built. Else whether the next start can build it, and where, or why not. Makes nothing.
export function consoleToBuild(options: ConsoleOptions = {}): ReturnType<typeof toBuild> {
  return toBuild(consoleOf(options));
}
