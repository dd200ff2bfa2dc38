#!/usr/bin/env node
// The `atelier` command. Plain JavaScript, so that an old Node can still read it and say what is missing.
// In a checkout it runs the TypeScript sources; installed from a package it runs the built files.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isCurrent = major > 22 || (major === 22 && minor >= 19);
const sources = join(here, "../src/main.ts");

if (!isCurrent) {
  const local = join(here, "../../../node_modules/.bin/node");
  if (!existsSync(local)) {
    process.stderr.write(`atelier needs Node 22.19 or newer; this is ${process.version}.\n`);
    process.exit(2);
  }
  const child = spawn(local, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
} else if (existsSync(sources)) {
  // Workspace packages resolve to their sources (the condition `atelier-source` of their exports).
  nodeModule.registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, { ...context, conditions: [...context.conditions, "atelier-source"] }),
  });
  await import(sources);
} else {
  await import("../dist/main.js");
}
