// The server and key that `atelier login` stored for this user. The environment and flags take precedence, and so does the first
// key of a data folder in the working folder: a person inside a project means that project.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolder } from "../files/output-path.ts";

interface SignedIn {
  readonly baseUrl: string;
  readonly key: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export function signedInFile(env: Env): string {
  const home = env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
  return join(home, "atelier", "login.json");
}

export function readSignedIn(env: Env): SignedIn | null {
  try {
    const { base_url: baseUrl, key }: { base_url?: unknown; key?: unknown } = JSON.parse(
      readFileSync(signedInFile(env), "utf8"),
    );
    return typeof baseUrl === "string" && typeof key === "string" ? { baseUrl, key } : null;
  } catch {
    return null;
  }
}

// Readable by its owner alone from the first byte, and written completely or not at all.
export function writeSignedIn(env: Env, { baseUrl, key }: SignedIn): string {
  const file = signedInFile(env);
  makeFolder(dirname(file), 0o700);
  const part = `${file}.${process.pid}.part`;
  writeFileSync(part, `${JSON.stringify({ base_url: baseUrl, key }, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, file);
  return file;
}

export function forgetSignedIn(env: Env): boolean {
  const wasThere = readSignedIn(env) !== null;
  rmSync(signedInFile(env), { force: true });
  return wasThere;
}
