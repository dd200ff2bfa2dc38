import assert from "node:assert/strict";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { publicNameResolver } from "./resolve-public-name.ts";

let server: Socket;
let address = "";
before(async () => {
  server = createSocket("udp4");
  server.on("message", (question, peer) => {
    const reply = answerTo(question);
    if (reply) server.send(reply, peer.port, peer.address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  address = `127.0.0.1:${server.address().port}`;
});
after(() => server.close());

// `silent.example` gets no answer, `none.example` gets "no such name"; every other name has one address of each family.
function answerTo(question: Buffer): Buffer | null {
  const name = nameIn(question);
  if (name === "silent.example") return null;
  const type = question.readUInt16BE(12 + name.length + 2);
  const asked = question.subarray(0, 12 + name.length + 6);
  const head = Buffer.from(asked);
  head.writeUInt16BE(name === "none.example" ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(name === "none.example" ? 0 : 1, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  if (name === "none.example") return head;
  const data = type === 1 ? Buffer.from([192, 0, 2, 7]) : Buffer.from("20010db8000000000000000000000007", "hex");
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(1, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, record, data]);
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; question[at]; at += 1 + (question[at] ?? 0))
    labels.push(question.toString("latin1", at + 1, at + 1 + (question[at] ?? 0)));
  return labels.join(".");
}

test("a name resolves to its addresses of both families, so that each can be checked", async () => {
  const resolve = publicNameResolver({ servers: [address] });
  assert.deepEqual(await resolve("hooks.example"), ["192.0.2.7", "2001:db8::7"]);
});

test("a name that is not there, or whose server is silent, is a failure", async () => {
  const resolve = publicNameResolver({ servers: [address], timeoutMs: 100 });
  await assert.rejects(resolve("none.example"));
  await assert.rejects(resolve("silent.example"));
});

test("localhost is known without asking anybody", async () => {
  const resolve = publicNameResolver({ servers: ["127.0.0.1:1"] });
  assert.deepEqual(await resolve("localhost"), ["127.0.0.1", "::1"]);
});
