// A process is killed after the mail server accepted its message and before it wrote that down. The message is sent once more, under
// the same Message-ID, and then never again.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { testDatabase } from "../../../test/support/test-database.ts";
import { systemClock } from "../../foundation/clock.ts";
import { aMail, aNotice, aWorkspace, senderTo } from "./mail.fixture.ts";
import { smtpSink } from "./smtp-sink.fixture.ts";

test("a kill between the server's word and our record", { timeout: 600_000 }, async () => {
  const database = await testDatabase();
  const sink = await smtpSink();
  const children: ChildProcess[] = [];
  const start = (aheadMs: number) => {
    const settings = JSON.stringify({ databaseUrl: database.url, port: sink.port, aheadMs });
    const path = join(import.meta.dirname, "mail-loop.child.ts");
    const child = spawn(process.execPath, ["--conditions=atelier-source", path, settings], { stdio: "inherit" });
    children.push(child);
    return child;
  };
  try {
    const workspaceId = await aWorkspace(database);
    const mail = aMail(database, senderTo(sink.port));
    await database.transaction((tx) => mail.enqueue(tx, [aNotice(workspaceId, { further: ["a@example.com"] })]));
    const statusOf = async () => (await mail.list(workspaceId)).map(({ status }) => status);
    // Stopped before the server says yes, so it cannot read the answer, and killed after that.
    const first = start(0);
    const arrived = new Promise<void>((resolve) => {
      sink.arrived = async () => {
        first.kill("SIGSTOP");
        resolve();
      };
    });
    await arrived;
    await systemClock.sleep(500);
    first.kill("SIGKILL");
    await once(first, "exit");
    sink.arrived = async () => undefined;
    assert.deepEqual(await statusOf(), ["waiting"]);
    assert.equal(sink.messages.length, 1);

    start(700_000);
    while ((await statusOf())[0] !== "sent") await systemClock.sleep(50);
    const [one, two] = sink.messages;
    assert.equal(sink.messages.length, 2);
    assert.equal(one?.messageId, two?.messageId);
    assert.match(one?.messageId ?? "", /@studio\.example>$/);
    start(2_000_000);
    await systemClock.sleep(3_000);
    assert.equal(sink.messages.length, 2);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await sink.close();
    await database.close();
  }
});
