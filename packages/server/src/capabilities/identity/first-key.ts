// The file that holds the first key of an installation, readable only by its owner. It is on disk before the key is in the
// database: however a first start ends, either the owner has a working key, or there is none and the next start creates one. If
// a first start was interrupted, the next one adds the missing sign-in link.
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { systemClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { makeFolder } from "../../foundation/make-folder.ts";

const fileName = "first-key.txt";
const keyLine = (key: string) => `API key:  ${key}`;
const linkWord = "Sign in:";

export interface FirstKey {
  readonly file: string;
  readonly lines: readonly string[];
}

// Flushed and renamed into place, so half a key is never visible.
export async function keepFirstKey(home: string, key: string): Promise<void> {
  await write(home, [keyLine(key)]);
}

export async function addSignInLink(home: string, key: string, link: string): Promise<FirstKey> {
  const lines = [
    keyLine(key),
    `${linkWord}  ${link}   (works once, for 10 minutes; get another with atelier keys link)`,
  ];
  return { file: await write(home, lines), lines };
}

// The key of a first start that was interrupted before it could print it. Null if there is none.
export async function findUnshownKey(home: string): Promise<string | null> {
  await sweepDrafts(resolve(home));
  const text = await readFile(pathOf(home), "utf8").catch(() => "");
  const key = /^API key: {2}(\S+)$/m.exec(text)?.[1];
  return key === undefined || text.includes(linkWord) ? null : key;
}

const pathOf = (home: string) => join(resolve(home), fileName);

async function write(home: string, lines: readonly string[]): Promise<string> {
  const folder = resolve(home);
  await makeFolder(folder);
  const file = pathOf(home);
  const coming = `${file}.${newId()}`;
  const handle = await open(coming, "wx", 0o600);
  try {
    await handle.writeFile(`${lines.join("\n")}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(coming, file);
  await flushFolder(folder);
  return file;
}

// A process killed before the rename leaves a draft: a second copy of the key, or a key that was never created. Writing one
// never takes a minute, so an older draft has no owner.
async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${fileName}.`)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found && systemClock.now().getTime() - found.mtimeMs > 60_000) await rm(join(folder, name), { force: true });
  }
}

// Not every system can flush a folder; where it works, the name survives a power failure.
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
