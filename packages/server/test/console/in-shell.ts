// What people do with code they copy: paste it into a shell, in an empty folder, with the key in the environment.
// Everything it needs comes from the server. The code is run unchanged.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { textOf } from "../support/app-client.ts";
import type { Scene } from "./scene.ts";

const root = join(import.meta.dirname, "../../../..");

export type Language = "shell" | "typescript" | "python";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  // The hashes of the pictures it saved.
  readonly pictures: readonly string[];
}

export interface ShellFolder {
  readonly path: string;
  run(code: string, language?: Language, env?: Readonly<Record<string, string>>): Promise<Ran>;
  close(): void;
}

export function shellFolder(scene: Scene): ShellFolder {
  const path = mkdtempSync(join(tmpdir(), "atelier-shell-"));
  // For operators of the server; code from the console does not need it.
  const tools = join(path, ".tools");
  mkdirSync(tools);
  symlinkSync(join(root, "packages/cli/bin/atelier.mjs"), join(tools, "atelier"));
  const base = {
    PATH: `${tools}:${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    HOME: path,
    ATELIER_API_KEY: scene.server.key,
    // A request to a registry fails immediately.
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_fetch_retries: "0",
  };
  return {
    path,
    run: (code, language = "shell", env = {}) => runIn(path, code, language, { ...base, ...env }),
    close: () => rmSync(path, { recursive: true, force: true }),
  };
}

function runIn(folder: string, code: string, language: Language, env: Record<string, string>): Promise<Ran> {
  if (language === "typescript") writeFileSync(join(folder, "call.mjs"), code);
  const [program, words] = {
    shell: ["bash", ["-c", code]],
    typescript: [process.execPath, ["call.mjs"]],
    python: ["python3", ["-c", code]],
  }[language] as [string, string[]];
  return new Promise((resolve) => {
    execFile(program, words, { cwd: folder, env, timeout: 900_000, maxBuffer: 1e8 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out, err, pictures: picturesIn(folder) });
    });
  });
}

// Each picture is removed once it was read, so that the next run's are not mixed up with it.
function picturesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".png") && !/^(node_modules|\.npm)\//.test(name),
  );
  return names.map((name) => {
    const hash = hashOf(readFileSync(join(folder, name)));
    rmSync(join(folder, name));
    return hash;
  });
}

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export async function hashAt(url: string): Promise<string> {
  return hashOf(new Uint8Array(await (await fetch(url)).arrayBuffer()));
}

// The hash of the bytes behind an asset's signed address.
export async function hashOfAsset(scene: Scene, id: string): Promise<string> {
  const asset = await scene.server.call({ path: `/api/v2/assets/${id}` });
  return hashAt(textOf(asset.json(), "url"));
}
