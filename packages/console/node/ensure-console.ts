// The folder of the built console.
import { join } from "node:path";
import { type Built, ensureBuilt, packageFolder, toBuild } from "./ensure-built.ts";

export interface ConsoleBuild {
  // Contains index.html, manifest.json and the files they name.
  readonly folder: string;
}

export interface ConsoleOptions {
  // For a checkout that cannot be written. Created when needed; its contents are ours.
  readonly spareFolder?: string;
}

function consoleOf({ spareFolder }: ConsoleOptions): Built {
  const own = { folder: join(packageFolder, "dist/app"), building: join(packageFolder, "building") };
  return {
    name: "The console",
    script: join(packageFolder, "build.mjs"),
    tool: "vite",
    sources: ["src", "index.html", "build.mjs", "package.json", "../sdk/src", "../../examples/gallery"],
    // The script reads it too.
    variant: process.env["ATELIER_CONSOLE_LANGUAGE"] || "en",
    locations:
      spareFolder === undefined
        ? [own]
        : [own, { folder: join(spareFolder, "app"), building: join(spareFolder, "building") }],
  };
}

export function ensureConsole(options: ConsoleOptions = {}): Promise<ConsoleBuild> {
  return ensureBuilt(consoleOf(options));
}

// Null if it is built. Otherwise where the next start would build it, or why it cannot. Creates nothing.
export function consoleToBuild(options: ConsoleOptions = {}): ReturnType<typeof toBuild> {
  return toBuild(consoleOf(options));
}
