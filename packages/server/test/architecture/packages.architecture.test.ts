// Which package may use which. The contract and the engine use none of our packages, and the SDK uses no package at all,
// so that each can be used alone. The command line and the server refer to the server and the sandbox only by type, and
// load them if they are installed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isTestFile, packageSources, planted, type Sources } from "./sources.ts";

interface Uses {
  readonly always: readonly string[];
  // Types, and `import()`.
  readonly whenInstalled: readonly string[];
}

const uses: Readonly<Record<string, Uses>> = {
  contract: { always: [], whenInstalled: [] },
  engine: { always: [], whenInstalled: [] },
  sdk: { always: [], whenInstalled: [] },
  sandbox: { always: ["engine"], whenInstalled: [] },
  server: { always: ["contract", "engine", "sdk"], whenInstalled: ["console", "sandbox"] },
  cli: { always: ["sdk"], whenInstalled: ["server"] },
  console: { always: ["sdk"], whenInstalled: [] },
};

test("a package uses only those below it", () => {
  assert.deepEqual(wrongUses(packageSources), []);
});

describe("a planted fault is found", () => {
  const plants: readonly [path: string, text: string, expected: RegExp][] = [
    ["packages/contract/src/planted.ts", 'import { Atelier } from "@atelier/sdk";', /uses sdk/],
    ["packages/engine/src/planted.ts", 'export type { Config } from "@atelier/server";', /uses server/],
    ["packages/sdk/src/planted.ts", 'import type { Job } from "@atelier/contract";', /uses contract/],
    [
      "packages/cli/src/planted.ts",
      'import { serverCommands } from "@atelier/server/commands";',
      /cannot do without server/,
    ],
    ["packages/server/src/planted.ts", 'import { startSandbox } from "@atelier/sandbox";', /cannot do without sandbox/],
    ["packages/sandbox/src/planted.ts", 'import "../../server/src/config.ts";', /leaves its package/],
  ];
  for (const [path, text, expected] of plants)
    test(text, () => {
      const found = wrongUses(planted(packageSources, [path, text]));
      assert.equal(found.length, 1, found.join("\n"));
      assert.match(found[0] ?? "", expected);
    });
});

function wrongUses(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (isTestFile(path)) return [];
    const own = path.split("/")[1] ?? "";
    const { always, whenInstalled } = uses[own] ?? { always: [], whenInstalled: [] };
    const statements = text.matchAll(
      /(?:^|\n)\s*((?:import|export)\s(?:[^"';]*?from\s+)?)"([^"]+)"|(import\()"([^"]+)"/g,
    );
    return [...statements].flatMap(([, statement, from, dynamic, loaded]) => {
      const specifier = from ?? loaded ?? "";
      const depth = path.split("/").length - 3;
      if (specifier.startsWith("../".repeat(depth + 1))) return [`${path} leaves its package: ${specifier}`];
      const used = /^@atelier\/([a-z-]+)/.exec(specifier)?.[1];
      if (used === undefined || used === own || always.includes(used)) return [];
      if (!whenInstalled.includes(used)) return [`${path} uses ${used}`];
      const isLoose = dynamic !== undefined || /^(import|export) type\b/.test(statement ?? "");
      return isLoose ? [] : [`${path} cannot do without ${used}`];
    });
  });
}
