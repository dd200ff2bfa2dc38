import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { systemClock } from "../../foundation/clock.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { htmlOf } from "./compose-mail.ts";
import { aMail, aMember, aNotice, aWorkspace, from, senderTo, serverAt } from "./mail.fixture.ts";
import type { Mail } from "./mail.ts";
import { perDayMax } from "./mail-store.ts";
import { connectOnly, createSendMail } from "./send-mail.ts";
import { refusal, type SmtpSink, smtpSink } from "./smtp-sink.fixture.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const states = async (mail: Mail, workspaceId: WorkspaceId) =>
  (await mail.list(workspaceId)).map(({ recipient, status, attempts }) => `${recipient} ${status} ${attempts}`).sort();
const enqueue = (mail: Mail, ...notices: Parameters<Mail["enqueue"]>[1][number][]) =>
  database.transaction((tx) => mail.enqueue(tx, notices));

async function withSink(run: (sink: SmtpSink) => Promise<void>): Promise<void> {
  const sink = await smtpSink();
  try {
    await run(sink);
  } finally {
    await sink.close();
  }
}

describe("who gets it", () => {
  test("owners and billing people with an address, and the addresses that are named, each once", async () => {
    await withSink(async (sink) => {
      const workspaceId = await aWorkspace(database);
      const ada = await aMember(database, { workspaceId, email: "ada@example.com", role: "owner" });
      await aMember(database, { workspaceId, email: "bill@example.com", role: "billing" });
      await aMember(database, { workspaceId, email: "max@example.com", role: "member" });
      await aMember(database, { workspaceId, email: null, role: "owner" });
      await aMember(database, { workspaceId, email: "not an address\r\nBcc: eve@example.com", role: "owner" });
      const other = await aWorkspace(database);
      await aMember(database, { workspaceId: other, email: "other@example.com", role: "owner" });
      const mail = aMail(database, senderTo(sink.port));
      const notice = aNotice(workspaceId, { further: ["ADA@example.com", "shop@example.com"] });
      await enqueue(mail, notice);
      await enqueue(mail, notice);
      await mail.round();
      const sent = ["ada@example.com sent 1", "bill@example.com sent 1", "shop@example.com sent 1"];
      assert.deepEqual(await states(mail, workspaceId), sent);
      assert.deepEqual(sink.messages.map(({ to }) => to).sort(), [
        "ada@example.com",
        "bill@example.com",
        "shop@example.com",
      ]);

      assert.equal(await mail.wants(workspaceId, ada), true);
      await mail.setWanted(workspaceId, ada, false);
      assert.equal(await mail.wants(workspaceId, ada), false);
      await enqueue(mail, aNotice(workspaceId));
      await mail.round();
      assert.deepEqual(
        sink.messages.slice(3).map(({ to }) => to),
        ["bill@example.com"],
      );
      await mail.setWanted(workspaceId, ada, true);
      await enqueue(mail, aNotice(workspaceId));
      await mail.round();
      assert.deepEqual(
        sink.messages
          .slice(4)
          .map(({ to }) => to)
          .sort(),
        ["ada@example.com", "bill@example.com"],
      );
    });
  });

  test("a rolled-back change sends nothing, and a server without mail writes nothing", async () => {
    const workspaceId = await aWorkspace(database);
    const mail = aMail(database, senderTo(9));
    const further = ["a@example.com"];
    const failing = database.transaction(async (tx) => {
      await mail.enqueue(tx, [aNotice(workspaceId, { further })]);
      throw new Error("the change failed");
    });
    await assert.rejects(failing);
    const off = aMail(database, null);
    await enqueue(off, aNotice(workspaceId, { further }));
    await off.round();
    assert.equal(await off.sendTest("a@example.com"), null);
    assert.deepEqual(await mail.list(workspaceId), []);
  });

  test(`at most ${perDayMax} a day and workspace; the others are listed as failed`, async () => {
    const workspaceId = await aWorkspace(database);
    const mail = aMail(database, senderTo(9));
    const further = Array.from({ length: 30 }, (_, index) => `p${index}@example.com`);
    for (let count = 0; count < 8; count++) await enqueue(mail, aNotice(workspaceId, { further }));
    const counts = await database.query<{ status: string; count: number }>(sql`
      select status, count(*)::int as count from mails where workspace_id = ${workspaceId} group by status order by status`);
    assert.deepEqual(counts, [
      { status: "failed", count: 40 },
      { status: "waiting", count: perDayMax },
    ]);
    await database.execute(sql`delete from mails where workspace_id = ${workspaceId}`);
  });
});

describe("what it looks like", () => {
  test("nothing in a name can add a header or a recipient; text and HTML say the same, without anything to fetch", async () => {
    await withSink(async (sink) => {
      const workspaceId = await aWorkspace(database);
      const mail = aMail(database, senderTo(sink.port));
      const notice = aNotice(workspaceId, {
        further: ["a@example.com"],
        subject: "Budget x\r\nBcc: eve@example.com\r\n\r\nbody",
        lines: ["<img src=https://evil.example/x> & more\r\n.\r\nMAIL FROM:<eve@example.com>"],
        link: "https://studio.example/console/usage?a=1&b=2",
      });
      await enqueue(mail, notice);
      await mail.round();
      assert.deepEqual(sink.tried, ["a@example.com"]);
      const [{ raw, messageId } = assert.fail()] = sink.messages;
      const [head = "", ...bodies] = raw.split("\r\n\r\n");
      assert.doesNotMatch(head, /^Bcc:/im);
      assert.match(head, /^Auto-Submitted: auto-generated$/m);
      assert.match(head, /^From: Atelier <alerts@studio.example>$/m);
      assert.match(messageId, /^<[0-9a-f-]{36}@studio\.example>$/);
      const body = bodies.join("\r\n\r\n").replaceAll("=\r\n", "").replaceAll("=3D", "=");
      assert.match(body, /<a href="https:\/\/studio\.example\/console\/usage\?a=1&amp;b=2">/);
      assert.doesNotMatch(body.slice(body.indexOf("text/html")), /<(?!!doctype|\/?(html|body|p|a|small)[ >])/i);
    });
  });

  test("HTML escapes what is between the tags", () => {
    assert.equal(
      htmlOf(`a <b> "c" & 'd'`),
      "<!doctype html><html><body><p>a &lt;b&gt; &quot;c&quot; &amp; &#39;d&#39;</p></body></html>",
    );
  });
});

describe("the mail server", () => {
  test("says later: tried again on a schedule that ends; says no: not again", async () => {
    await withSink(async (sink) => {
      const workspaceId = await aWorkspace(database);
      const mail = aMail(database, senderTo(sink.port));
      sink.judge = (to) => {
        if (to.startsWith("later")) throw refusal(451, "4.7.1 Try again later");
        if (to.startsWith("never")) throw refusal(550, "5.1.1 No such user");
      };
      await enqueue(
        mail,
        aNotice(workspaceId, { further: ["later@example.com", "never@example.com", "ok@example.com"] }),
      );
      await mail.round();
      await mail.round();
      const first = ["later@example.com waiting 1", "never@example.com failed 1", "ok@example.com sent 1"];
      assert.deepEqual(await states(mail, workspaceId), first);
      const [never] = (await mail.list(workspaceId)).filter(({ status }) => status === "failed");
      assert.match(never?.lastAnswer ?? "", /550 5\.1\.1 No such user/);
      await mail.clock.advance(61_000);
      await mail.round();
      assert.ok((await states(mail, workspaceId)).includes("later@example.com waiting 2"));
      for (let hour = 0; hour < 72; hour++) {
        await mail.clock.advance(3_600_000);
        await mail.round();
      }
      assert.ok((await states(mail, workspaceId)).includes("later@example.com failed 9"));
      assert.equal(sink.tried.filter((to) => to.startsWith("later")).length, 9);
      assert.equal(sink.tried.filter((to) => to.startsWith("never")).length, 1);
    });
  });

  test("accepts at the second attempt: one copy", async () => {
    await withSink(async (sink) => {
      const workspaceId = await aWorkspace(database);
      const mail = aMail(database, senderTo(sink.port));
      let refusals = 0;
      sink.judge = () => {
        if (refusals++ === 0) throw refusal(450, "4.2.0 Greylisted");
      };
      await enqueue(mail, aNotice(workspaceId, { further: ["a@example.com"] }));
      await mail.round();
      await mail.clock.advance(61_000);
      await mail.round();
      await mail.clock.advance(86_400_000);
      await mail.round();
      assert.deepEqual(await states(mail, workspaceId), ["a@example.com sent 2"]);
      assert.equal(sink.messages.length, 1);
    });
  });

  test("is silent: 60 waiting messages cost one attempt at a time and a minute's rest, and end after three days", async () => {
    const sockets: Socket[] = [];
    const dead = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => dead.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = dead.address() as { port: number };
      const workspaceId = await aWorkspace(database);
      const mail = aMail(database, senderTo(port, 300));
      for (let count = 0; count < 6; count++)
        await enqueue(
          mail,
          aNotice(workspaceId, { further: Array.from({ length: 10 }, (_, n) => `p${n}@example.com`) }),
        );
      const startedMs = performance.now();
      await mail.round();
      assert.ok(performance.now() - startedMs < 5_000);
      assert.ok(sockets.length <= 3, `${sockets.length} connections`);
      await mail.round();
      assert.ok(sockets.length <= 3);
      assert.ok((await mail.list(workspaceId)).every(({ status, attempts }) => status === "waiting" && attempts === 0));
      await mail.clock.advance(3 * 86_400_000 + 700_000);
      await mail.round();
      assert.ok((await mail.list(workspaceId)).every(({ status }) => status === "failed"));
    } finally {
      for (const socket of sockets) socket.destroy();
      dead.close();
    }
  });

  test("dribbles a greeting for ever: the attempt ends all the same", async () => {
    const timers: NodeJS.Timeout[] = [];
    const dribbling = createServer((socket) => {
      socket.on("error", () => undefined);
      timers.push(setInterval(() => socket.write("220-wait\r\n"), 20));
    });
    await new Promise<void>((resolve) => dribbling.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = dribbling.address() as { port: number };
      const outcome = await senderTo(port, 400)({ ...aMessage, to: "a@example.com" });
      assert.equal(outcome.kind, "unavailable");
    } finally {
      for (const timer of timers) clearInterval(timer);
      dribbling.close();
    }
  });

  test("is away and comes back: everything arrives once", async () => {
    const first = await smtpSink();
    const { port } = first;
    await first.close();
    const workspaceId = await aWorkspace(database);
    const mail = aMail(database, senderTo(port));
    await enqueue(mail, aNotice(workspaceId, { further: ["a@example.com", "b@example.com"] }));
    await mail.round();
    const back = await smtpSink({ port });
    try {
      await mail.clock.advance(61_000);
      await mail.round();
      assert.deepEqual(back.messages.map(({ to }) => to).sort(), ["a@example.com", "b@example.com"]);
      assert.deepEqual(await states(mail, workspaceId), ["a@example.com sent 1", "b@example.com sent 1"]);
    } finally {
      await back.close();
    }
  });

  test("two processes at once: each message once", async () => {
    await withSink(async (sink) => {
      const workspaceId = await aWorkspace(database);
      const clock = handClock(new Date());
      const processes = [1, 2, 3].map(() => aMail(database, senderTo(sink.port), clock));
      const [mail = assert.fail()] = processes;
      for (let count = 0; count < 4; count++)
        await enqueue(
          mail,
          aNotice(workspaceId, { further: Array.from({ length: 10 }, (_, n) => `p${n}@example.com`) }),
        );
      await Promise.all(processes.map((each) => each.round()));
      assert.equal(sink.messages.length, 40);
      assert.equal(new Set(sink.messages.map(({ messageId }) => messageId)).size, 40);
    });
  });
});

const aMessage = {
  messageId: `${newId()}@studio.example`,
  to: "a@example.com",
  subject: "s",
  text: "t",
  html: "<p>t</p>",
  date: new Date(),
};

describe("name, password and TLS", () => {
  test("logs in; a wrong password is the server's matter and not the message's, and is never in an answer", async () => {
    const sink = await smtpSink({ login: { user: "atelier", password: "right-password" } });
    try {
      const to = (password: string) =>
        createSendMail({
          server: serverAt(sink.port, { user: "atelier", password }),
          from,
          clock: systemClock,
          redact: (text) => text.replaceAll(password, "***"),
        });
      assert.equal((await to("right-password")(aMessage)).kind, "accepted");
      const refused = await to("wrong-password")(aMessage);
      assert.equal(refused.kind, "unavailable");
      assert.match(refused.answer, /535/);
      assert.doesNotMatch(refused.answer, /wrong-password/);
      const server = serverAt(sink.port, { user: "atelier", password: "right-password" });
      assert.equal(await connectOnly({ server, from, clock: systemClock }), null);
    } finally {
      await sink.close();
    }
  });

  test("elsewhere than on this machine, nothing is sent without TLS, and not to a certificate that nobody vouches for", async () => {
    const plain = await smtpSink({ login: { user: "atelier", password: "secret-password" } });
    const secure = await smtpSink({ isSecure: true });
    try {
      const elsewhere = serverAt(plain.port, { isHere: false, user: "atelier", password: "secret-password" });
      const outcome = await createSendMail({ server: elsewhere, from, clock: systemClock })(aMessage);
      assert.equal(outcome.kind, "unavailable");
      const strange = serverAt(secure.port, { isSecure: true });
      assert.equal((await createSendMail({ server: strange, from, clock: systemClock })(aMessage)).kind, "unavailable");
      assert.deepEqual([plain.tried, secure.tried], [[], []]);
    } finally {
      await plain.close();
      await secure.close();
    }
  });
});
