import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { UsageProblem } from "../foundation/settings.ts";
import { requireFreePort } from "./proxy-port.ts";

async function withServer(host: string, answer: RequestListener, run: (port: number) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  try {
    await run((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const plain: RequestListener = (_request, response) => response.writeHead(404).end("no");

const refusal = (port: number) =>
  requireFreePort(port).then(
    () => null,
    (thrown: unknown) => (thrown instanceof UsageProblem ? thrown.message : String(thrown)),
  );

test("a taken port is reported with what to do, on either address, and a running proxy is named", async () => {
  await withServer("127.0.0.1", plain, async (port) => {
    const refused = await refusal(port);
    assert.match(
      refused ?? "",
      /^Port \d+ on 127\.0\.0\.1 is in use by another program\. Choose another with --proxy-port/,
    );
  });
  const health: RequestListener = (request, response) =>
    response.end(request.url === "/api/v2/health" ? '{"upstream":"http://127.0.0.1:8188"}' : "");
  await withServer("127.0.0.1", health, async (port) =>
    assert.match((await refusal(port)) ?? "", /another proxy, in front of http:\/\/127\.0\.0\.1:8188/),
  );
});

test("a free port passes, and so does an automatic one", async () => {
  const freed: number[] = [];
  for (let tries = 0; tries < 5; tries++) await withServer("127.0.0.1", plain, async (port) => void freed.push(port));
  // Another program may have taken one in the meantime, but not all of them.
  const refusals = await Promise.all(freed.map(refusal));
  assert.ok(refusals.includes(null), refusals.join("\n"));
  assert.equal(await refusal(0), null);
});
