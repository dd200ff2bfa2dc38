import assert from "node:assert/strict";
import { test } from "node:test";
import { sessionCookie } from "./session-cookie.ts";

const now = new Date("2026-01-01T00:00:00.000Z");
const expiresAt = new Date("2026-01-31T00:00:00.000Z");

test("over https the cookie is bound to this host and never sent in the clear", () => {
  const cookie = sessionCookie(true);
  assert.equal(
    cookie.set("abc", expiresAt, now),
    "__Host-atelier_session=abc; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=2592000",
  );
  assert.equal(cookie.clear(), "__Host-atelier_session=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0");
});

test("over http it is the same, without the flags that need https", () => {
  const cookie = sessionCookie(false);
  assert.equal(
    cookie.set("abc", expiresAt, now),
    "atelier_session=abc; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000",
  );
  assert.doesNotMatch(cookie.set("abc", expiresAt, now), /Domain/i);
});

test("the cookie is found among others and under its exact name only", () => {
  const cookie = sessionCookie(true);
  assert.equal(cookie.read("a=1; __Host-atelier_session=abc; b=2"), "abc");
  for (const header of [
    undefined,
    "",
    "a=1",
    "atelier_session=abc",
    "x__Host-atelier_session=abc",
    "__host-atelier_session=abc",
  ]) {
    assert.equal(cookie.read(header), null, String(header));
  }
});

test("two cookies of the name count as none: one was planted", () => {
  assert.equal(sessionCookie(false).read("atelier_session=abc; atelier_session=def"), null);
});
