// The TypeScript shown to readers, from every page and example that uses the SDK, and the compiler run over it.
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programMsMax } from "../../../server/test/support/limits.ts";
import { checkout } from "./command-line.ts";

export interface TypedPiece {
  readonly name: string;
  readonly code: string;
}

const ofTheSdk = /from "@atelier\/sdk/;

// A page's pieces are joined in order, as a reader types them.
export function typedPieces(): TypedPiece[] {
  const pages = globSync(["README.md", "docs/*.md", "packages/*/README.md", "examples/README.md"], { cwd: checkout });
  const ofPages = pages.map((page) => {
    const text = readFileSync(join(checkout, page), "utf8");
    const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
    return { name: `${page.replaceAll(/\W+/g, "-")}.ts`, code: blocks.join("\n") };
  });
  const ofExamples = globSync("examples/typescript/*.ts", { cwd: checkout }).map((example) => ({
    name: example.replaceAll("/", "-"),
    code: readFileSync(join(checkout, example), "utf8"),
  }));
  const pieces = [...ofPages, ...ofExamples].filter(({ code }) => ofTheSdk.test(code));
  if (!pieces.some(({ name }) => name.startsWith("README")) || pieces.length < 6) throw new Error("pages are missing");
  return pieces;
}

// The compiler's errors in these pieces, compiled with the declarations already in the folder; and every cast, since a
// cast would hide an error.
export function compile(folder: string, pieces: readonly TypedPiece[]): string[] {
  for (const { name, code } of pieces) writeFileSync(join(folder, name), code);
  const compilerOptions = {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    types: ["node"],
    typeRoots: [join(checkout, "node_modules/@types")],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  const files = [...globSync("*.d.ts", { cwd: folder }), ...pieces.map(({ name }) => name)];
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compiler = join(checkout, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "--checkers", "1", "-p", folder], {
    encoding: "utf8",
    timeout: programMsMax,
  });
  const casts = pieces.flatMap(({ name, code }) =>
    [...code.matchAll(/^(?!import ).*\bas (?!const\b)[\w{[(<].*$/gm)]
      .filter(([line]) => !/^\s*(\/\/|\*)|\/\/.*\bas /.test(line))
      .map(([line]) => `${name}: a cast: ${line.trim()}`),
  );
  return [...stdout.split("\n").filter((line) => line.includes("error TS")), ...casts];
}
