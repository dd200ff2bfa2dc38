// What each level claims, tried by a hostile child; and what the claims would be worth if the attempts were no good.
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { HostileMessage, Targets } from "../../test/support/hostile-child.ts";
import { ChildFolder } from "../child-folder.ts";
import { SupervisedChild } from "../supervised-child.ts";
import { claims, type Escape, escapes, type IsolationLevel, isolationLevels } from "./levels.ts";
import { confinementAt, openIsolation, whyNot } from "./open-isolation.ts";

const entry = new URL("../../test/support/hostile-child.ts", import.meta.url);
const all = Object.keys(escapes) as Escape[];
// Where this machine cannot give a level, its claims are not tried here. Who relies on a level demands it with this setting.
const reasons = new Map(await Promise.all(isolationLevels.map(async (level) => [level, await whyNot(level)] as const)));
const demanded = (process.env["ATELIER_TEST_ISOLATION"] ?? "process").split(",");

const folder = mkdtempSync(join(tmpdir(), "atelier-isolation-"));
const servers: Server[] = [];
let targets: Targets;
let opened = -1;

before(async () => {
  // As the server's: the data folder is its owner's only.
  const dataFolder = join(folder, "data");
  mkdirSync(dataFolder, { mode: 0o700 });
  const keyRing = join(dataFolder, "secrets.json");
  writeFileSync(keyRing, "the keys", { mode: 0o600 });
  opened = openSync(keyRing, "r");
  const socket = join(folder, ".s.PGSQL.5432");
  const listen = async (at: string | number) => {
    const server = createServer((peer) => peer.destroy());
    servers.push(server);
    if (typeof at === "string") server.listen(at);
    else server.listen(at, "127.0.0.1");
    await once(server, "listening");
    return server;
  };
  await listen(socket);
  // As PostgreSQL's usually is: anyone may connect, and must then prove who they are.
  chmodSync(socket, 0o777);
  chmodSync(folder, 0o755);
  const address = (await listen(0)).address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const common = mkdtempSync(join(folder, "everybody-"));
  chmodSync(common, 0o777);
  targets = {
    keyRing,
    dataFolder,
    outside: join(common, "x"),
    parent: process.pid,
    port,
    socket,
    secret: "secrets.json",
  };
});
after(() => {
  closeSync(opened);
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function triedAt(
  level: IsolationLevel,
  given: Targets = targets,
  hidden: readonly string[] = [],
): Promise<HostileMessage> {
  const shared = new ChildFolder(folder);
  const seen = Promise.withResolvers<HostileMessage>();
  const child = new SupervisedChild<HostileMessage, object>({
    entry,
    nodeFlags: [],
    runtimeMegabytes: 0,
    confinement: confinementAt(level, { entry, folder: shared.path, hidden }),
    receive: (message) => seen.resolve(message),
    late: () => seen.reject(new Error("late")),
    ended: ({ how, output }) => seen.reject(new Error(`${how}: ${output}`)),
  });
  child.hold();
  try {
    assert.ok(await Promise.race([child.ready, seen.promise]));
    child.send({ kind: "try", ...given });
    return await seen.promise;
  } finally {
    child.kill();
    await child.gone;
    shared.remove();
  }
}

describe("what a level claims", { concurrency: false }, () => {
  for (const level of isolationLevels) {
    const reason = reasons.get(level) ?? null;
    const skip = reason !== null && !demanded.includes(level) ? `not on this machine: ${reason}` : false;
    test(`${level} holds a hostile child`, { skip }, async () => {
      const { worked, wroteWithin } = await triedAt(level);
      assert.deepEqual(
        worked.filter((tried) => claims[level].includes(tried)),
        [],
      );
      assert.ok(wroteWithin, "a child can write in its own folder");
    });
  }

  test("every attempt is a real one: without a wall they work", { skip: process.platform !== "linux" }, async () => {
    const { worked } = await triedAt("process");
    assert.deepEqual(worked.toSorted(), all.filter((tried) => tried !== "inherit_secrets").toSorted());
  });

  test("a secret that a child inherits is found", () => {
    // The one attempt that no level lets through: the file that we hold open is what the child looks for.
    assert.ok(readFileSync(`/proc/self/fd/${opened}`, "utf8").includes("keys"));
  });
});

describe("a data folder among the programs", () => {
  // Where children read code; nothing of ours belongs here.
  const among = mkdtempSync(fileURLToPath(new URL("../../../../node_modules/.cache/atelier-hidden-", import.meta.url)));
  const keyRing = join(among, "secrets.json");
  writeFileSync(keyRing, "the keys", { mode: 0o644 });
  after(() => rmSync(among, { recursive: true, force: true }));
  const seenAt = (level: IsolationLevel, hidden: readonly string[]) =>
    triedAt(level, { ...targets, keyRing, dataFolder: among }, hidden);

  test("is covered up in bubblewrap", { skip: reasons.get("bubblewrap") ?? false }, async () => {
    const open = await seenAt("bubblewrap", []);
    assert.ok(open.worked.includes("read_keys") && open.worked.includes("read_data"), "it would be seen otherwise");
    for (const hidden of [[among], [keyRing]]) {
      const { worked } = await seenAt("bubblewrap", hidden);
      assert.ok(!worked.includes("read_keys"), hidden.join(" "));
    }
    assert.ok(!(await seenAt("bubblewrap", [among])).worked.includes("read_data"));
  });

  test("is refused by permissions", { skip: reasons.get("permissions") ?? false }, async () => {
    assert.match((await whyNot("permissions", [among])) ?? "", /is in a folder that children must read/);
  });
});

describe("the level of a server's children", () => {
  test("the strongest that works is taken for each kind, and the others have their reasons", async () => {
    const isolation = await openIsolation("auto");
    assert.ok(!("problem" in isolation));
    const strongest = isolationLevels.toReversed().find((level) => reasons.get(level) === null);
    assert.equal(isolation.levels.find(({ kind }) => kind === "badges")?.level, strongest);
    for (const { level, reason } of isolation.refused) assert.equal(reason.length > 0, reasons.get(level) !== null);
  });

  test("a level that this machine cannot give is a problem, not a weaker level", async () => {
    for (const level of isolationLevels) {
      const isolation = await openIsolation(level);
      assert.equal("problem" in isolation, reasons.get(level) !== null);
    }
  });
});
