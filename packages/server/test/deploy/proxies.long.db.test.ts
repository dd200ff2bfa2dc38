// nginx and Caddy with the files of deploy/ in front of a real server: what a client sees through them.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { WebSocket } from "ws";
import { bearer } from "../support/app-client.ts";
import { freePort } from "../support/free-port.ts";
import { startServerProcess, until } from "../support/server-process.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { apiHost, ask, clientAddress, contentHost, type Front, fronts, whole } from "../support/test-fronts.ts";

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
};
const settings = (contentPort: number) => ({
  ATELIER_BASE_URL: `https://${apiHost}`,
  ATELIER_CONTENT_URL: `https://${contentHost}`,
  ATELIER_CONTENT_PORT: String(contentPort),
  ATELIER_TRUST_PROXY: "127.0.0.1/32",
  ATELIER_WEBHOOK_TARGETS: "",
  ATELIER_DRAIN_NOTICE_SECONDS: "0",
  ATELIER_DRAIN_SECONDS: "1",
  ATELIER_DIALECT: "comfy",
  ATELIER_ENGINE_SLOTS: "0",
});

for (const { name, skip, start } of fronts) {
  describe(`a server behind ${name}`, { skip, timeout: 300_000 }, () => {
    let app: TestApp;
    let front: Front;
    before(async () => {
      const contentPort = await freePort();
      app = await testApp({ env: settings(contentPort) });
      front = await start([{ port: app.port, contentPort }]);
    });
    after(async () => {
      await front?.close();
      await app?.close();
    });

    test("an event stream arrives piece by piece, not all at its end", async () => {
      const headers = { ...bearer(app.key), "content-type": "application/json" };
      const body = JSON.stringify({ workflow });
      const submitted = await whole(await ask(front, { method: "POST", path: "/api/v2/jobs", headers, body }));
      assert.equal(submitted.status, 201, submitted.bytes.toString());
      const { id } = JSON.parse(submitted.bytes.toString());
      const stream = await ask(front, { path: `/api/v2/jobs/${id}/events`, headers: bearer(app.key) });
      let received = "";
      stream.on("data", (piece: Buffer) => {
        received += piece.toString();
      });
      // There is no worker, so nothing more comes before the job is canceled.
      await until("the first piece is here while the job waits", () => received.includes('"status":"queued"'));
      assert.equal(stream.complete, false);
      const canceled = { method: "POST", path: `/api/v2/jobs/${id}/cancel`, headers: bearer(app.key) };
      assert.ok((await whole(await ask(front, canceled))).status < 300);
      await until(
        "the stream tells the end and ends",
        () => stream.complete && received.includes('"status":"canceled"'),
      );
    });

    test("30 MiB go up, and come down from the content origin's own name", async () => {
      const bytes = randomBytes(30 * 1024 * 1024);
      const form = new FormData();
      form.set("content_type", "application/octet-stream");
      form.set("file_path", "large.bin");
      form.set("file", new File([bytes], "large.bin"));
      const sent = new Response(form);
      const headers = { ...bearer(app.key), "content-type": sent.headers.get("content-type") ?? "" };
      const body = Buffer.from(await sent.arrayBuffer());
      const made = await whole(await ask(front, { method: "POST", path: "/api/v2/assets", headers, body }));
      assert.equal(made.status, 201, made.bytes.toString().slice(0, 500));
      const url = new URL(JSON.parse(made.bytes.toString()).url);
      assert.equal(url.origin, `https://${contentHost}`);
      const path = `${url.pathname}${url.search}`;
      const content = await whole(await ask(front, { path, host: contentHost, port: front.contentPort }));
      assert.deepEqual([content.status, content.bytes.equals(bytes)], [200, true]);
    });

    test("the server sees the client's address, and believes none that the client made up", async () => {
      const headers = { ...bearer("service-no-such-key-at-all-000000000"), "x-forwarded-for": "203.0.113.9" };
      const refused = await whole(await ask(front, { path: "/account/profile", headers }));
      assert.equal(refused.status, 401);
      const seen = app.logged.map((line) => JSON.parse(line)).filter(({ status }) => status === 401);
      assert.deepEqual(
        seen.map(({ peer }) => peer),
        [clientAddress],
      );
    });

    test("a WebSocket of the dialect opens and works", async () => {
      const scheme = front.isSecure ? "wss" : "ws";
      const url = `${scheme}://127.0.0.1:${front.port}/api/ws?clientId=deploy&token=${app.key}`;
      const socket = new WebSocket(url, { headers: { host: apiHost }, rejectUnauthorized: false });
      try {
        const [message] = await once(socket, "message");
        assert.equal(JSON.parse(String(message)).type, "status");
      } finally {
        socket.terminate();
      }
    });

    test("a host name that the server does not serve gets no answer", async () => {
      const answer = await whole(await ask(front, { path: "/account/profile", host: "other.example" }));
      // Refused by the server (421), or cut off by a proxy that knows only its own names.
      assert.ok(answer.status === 421 || answer.bytes.length === 0, String(answer.status));
    });
  });
}

for (const { name, skip, start } of fronts) {
  test(`behind ${name}, when one of two gateways stops no client notices`, { skip, timeout: 300_000 }, async () => {
    const [firstPort, secondPort, port] = [await freePort(), await freePort(), await freePort()];
    const first = await testApp({ env: settings(firstPort) });
    // In a separate process: the notice comes before the drain that a signal begins.
    const second = await startServerProcess({
      home: first.home,
      env: {
        ...settings(secondPort),
        DATABASE_URL: first.database.url,
        ATELIER_PORT: String(port),
        ATELIER_DRAIN_NOTICE_SECONDS: "8",
        ATELIER_DRAIN_SECONDS: "20",
      },
    });
    const front = await start([
      { port: first.port, contentPort: firstPort },
      { port, contentPort: secondPort },
    ]);
    const statuses: number[] = [];
    let isOver = false;
    const headers = { ...bearer(first.key), "content-type": "application/json" };
    const body = JSON.stringify({ workflow });
    // Reads, which a proxy may send again, and submissions, which it must not.
    const client = async () => {
      while (!isOver)
        for (const asked of [
          { path: "/account/credits", headers },
          { method: "POST", path: "/api/v2/jobs", headers, body },
        ])
          statuses.push((await whole(await ask(front, asked))).status);
    };
    try {
      const clients = Promise.all([client(), client(), client()]);
      await until("both were asked", () => statuses.length > 30);
      assert.equal(await second.kill("SIGTERM"), 0, second.log());
      const before = statuses.length;
      await until("the other goes on alone", () => statuses.length > before + 30);
      isOver = true;
      await clients;
      // Too many waiting jobs are refused with 429, by a gateway and not by the proxy.
      assert.deepEqual([...new Set(statuses)].filter((status) => status !== 429).toSorted(), [200, 201]);
    } finally {
      isOver = true;
      await front.close();
      await second.kill("SIGKILL");
      await first.close();
    }
  });
}
