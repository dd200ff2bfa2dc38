import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { callLoopback, loopbackUrl } from "./loopback-call.ts";

test("only plain http on this machine is an address", () => {
  for (const text of ["http://127.0.0.1:80/a", "http://127.9.8.7/", "http://[::1]:8080/x?y", "http://localhost:1/"])
    assert.ok(loopbackUrl(text, null), text);
  for (const text of [
    "https://127.0.0.1/",
    "http://127.0.0.1.example.com/",
    "http://localhost.example.com/",
    "http://10.0.0.1/",
    "http://169.254.169.254/latest",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fe80::1]/",
    "http://user@127.0.0.1/",
    "http://:word@127.0.0.1/",
    "file:///etc/passwd",
    "//127.0.0.1/",
    "127.0.0.1",
    "",
  ])
    assert.equal(loopbackUrl(text, null), null, text);
});

test("in any spelling, an accepted address dials 127.0.0.0/8 or ::1", () => {
  const spelling = fc.oneof(
    fc.webUrl(),
    fc.ipV4().map((ip) => `http://${ip}/`),
    fc.ipV6().map((ip) => `http://[${ip}]/`),
    fc.nat().map((n) => `http://${n}/`),
  );
  fc.assert(
    fc.property(spelling, (text) => {
      const url = loopbackUrl(text, null);
      assert.ok(url === null || /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname));
    }),
  );
});

test("with a list of origins nothing else is an address", () => {
  const origins = ["http://127.0.0.1:8080"];
  assert.ok(loopbackUrl("http://127.0.0.1:8080/hook", origins));
  assert.equal(loopbackUrl("http://127.0.0.1:8081/hook", origins), null);
  assert.equal(loopbackUrl("http://localhost:8080/hook", origins), null);
});

test("another machine is not dialled even if somebody built the URL by hand", async () => {
  const url = new URL("http://192.0.2.1/");
  const signal = new AbortController().signal;
  await assert.rejects(callLoopback({ url, method: "GET", bodyBytesMax: 1, secondsMax: 1, signal }), /this machine/);
});
