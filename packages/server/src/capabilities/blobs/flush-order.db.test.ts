// A power cut cannot be tested, and a killed process leaves the page cache alone, so we check that the system calls come
// in the right order. (The storage itself is tested in blob-storage.filesystem.test.ts; here the database takes part
// too.)
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { blobsFixture } from "./blobs.fixture.ts";

const hasStrace = spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;

test("write, fsync of the file, pin, rename, fsync of the folder, COMMIT, answer: in this order for every upload", {
  skip: hasStrace ? false : "strace is not installed",
}, async () => {
  const fixture = await blobsFixture();
  const scratch = await mkdtemp(join(tmpdir(), "atelier-strace-"));
  try {
    const trace = join(scratch, "trace");
    const settings = {
      databaseUrl: fixture.database.url,
      address: `file:${fixture.directory}`,
      callers: 1,
      count: 20,
      bytesMax: 300_000,
      collects: false,
      shares: true,
    };
    const child = spawn(
      "strace",
      [
        ...["-f", "-y", "-s", "120", "-o", trace],
        ...["-e", "trace=openat,pwrite64,write,writev,sendto,sendmsg,fsync,fdatasync,link,linkat,rename,renameat"],
        ...[process.execPath, "--conditions=atelier-source"],
        ...[join(import.meta.dirname, "keeping/keep-loop.child.ts"), JSON.stringify(settings)],
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    const giveUp = setTimeout(() => child.kill("SIGKILL"), 60_000);
    const code = await new Promise((resolve) => child.once("close", resolve));
    clearTimeout(giveUp);
    assert.equal(code, 0);
    checkOrder(eventsIn(await readFile(trace, "utf8"), fixture.directory));
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await fixture.close();
  }
});

type Event = "write" | "flush file" | "pin" | "name" | "flush folder" | "commit" | "answer";

// A flush counts when it ends; a call that must follow one counts when it begins.
function eventsIn(trace: string, directory: string): Event[] {
  const events: Event[] = [];
  const unfinished = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, thread = "", text = ""] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (text.includes("<unfinished ...>")) {
      unfinished.set(thread, text);
      if (!/^(fsync|fdatasync)/.test(text)) push(events, eventOf(text, directory));
    } else if (text.startsWith("<... ")) {
      const begun = unfinished.get(thread) ?? "";
      if (/^(fsync|fdatasync)/.test(begun)) push(events, eventOf(begun, directory));
    } else push(events, eventOf(text, directory));
  }
  return events;
}

function push(events: Event[], event: Event | null): void {
  if (event !== null) events.push(event);
}

function eventOf(call: string, directory: string): Event | null {
  const isIn = (folder: string) => call.includes(`${directory}/${folder}/`);
  if (/^(fsync|fdatasync)\(/.test(call)) {
    if (isIn("tmp")) return "flush file";
    return new RegExp(`${directory}/blobs/..>`).test(call) ? "flush folder" : null;
  }
  if (/^(link|linkat|rename|renameat)\(/.test(call)) return call.includes(`"${directory}/blobs/`) ? "name" : null;
  if (!/^(write|writev|pwrite64|sendto|sendmsg)\(/.test(call)) return null;
  if (isIn("tmp")) return "write";
  if (/blob_pins \(id, hash/.test(call) || /synchronous_commit/.test(call)) return "pin";
  if (/[Cc]ommit\\0/.test(call)) return "commit";
  return call.includes('"{\\"hash\\"') ? "answer" : null;
}

function checkOrder(events: readonly Event[]): void {
  let at = 0;
  let uploads = 0;
  const next = (event: Event): boolean => {
    const found = events.indexOf(event, at);
    if (found === -1) return false;
    at = found + 1;
    return true;
  };
  assert.equal(events.filter((event) => event === "answer").length, 15);
  while (events.indexOf("write", at) !== -1) {
    const start = at;
    // Once its first byte is written, no later step may come early.
    assert.ok(next("write"));
    const end = events.indexOf("commit", at);
    const upload = events.slice(start, end + 1).filter((event) => event !== "pin" && event !== "answer");
    const kinds = upload.filter((event, index) => event !== upload[index - 1]);
    // A release between two uploads has its own commit.
    const own = kinds.slice(kinds.indexOf("write"));
    assert.ok(
      ["write,flush file,name,flush folder,commit", "write,flush file,flush folder,name,flush folder,commit"].includes(
        own.join(","),
      ),
      own.join(","),
    );
    at = end + 1;
    uploads++;
  }
  assert.equal(uploads, 20);
}
