import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { send } from "./client.ts";
import { reach } from "./reach.ts";

describe("a call with the session's cookie", () => {
  let isGone = true;
  const server = createServer((request, response) => (isGone ? request.socket.destroy() : response.end("{}")));
  let url = "";
  before(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => server.close());

  test("tells the page's banner that the server is gone, and that it is back", async () => {
    await assert.rejects(send(url, { as: "session" }), TypeError);
    assert.notEqual(reach.current().lostAt, null);
    isGone = false;
    await send(url, { as: "session" });
    assert.equal(reach.current().lostAt, null);
  });
});
