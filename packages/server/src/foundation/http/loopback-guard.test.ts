import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, test } from "node:test";
import { type ArrivalPolicy, hostsOf, isLoopback, refuseArrival } from "./loopback-guard.ts";

const policy: ArrivalPolicy = {
  hosts: new Set(hostsOf(["127.0.0.1", "localhost", "::1"], 8080)),
  origins: new Set(["http://127.0.0.1:8080", "https://studio.example"]),
  openPaths: new Set(["/nodes/pricing/badges"]),
};

interface Form {
  readonly headers?: Record<string, string>;
  readonly hosts?: readonly string[];
  readonly url?: string;
  readonly method?: string;
  readonly version?: readonly [number, number];
  readonly peer?: string;
}

function arrive(form: Form, path = form.url ?? "/account", rules = policy): string | null {
  const hosts = form.hosts ?? ["127.0.0.1:8080"];
  const rawHeaders = [...hosts.flatMap((host) => ["Host", host]), ...Object.entries(form.headers ?? {}).flat()];
  const request = {
    url: form.url ?? "/account",
    method: form.method ?? "POST",
    httpVersionMajor: form.version?.[0] ?? 1,
    httpVersionMinor: form.version?.[1] ?? 1,
    rawHeaders,
    socket: { remoteAddress: form.peer ?? "127.0.0.1" },
    headers: Object.fromEntries(Object.entries(form.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  } as IncomingMessage;
  return refuseArrival(request, path, rules)?.code ?? null;
}

describe("a hostile form is refused", () => {
  const hosts421 = [
    "evil.example",
    "evil.example:8080",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:8081",
    "127.0.0.1:8080.",
    "127.0.0.1.evil.example:8080",
    "localhost.evil.example:8080",
    "localhost",
    "localhost:8081",
    "localhost.:8080",
    "0.0.0.0:8080",
    "127.1:8080",
    "2130706433:8080",
    "0x7f.1:8080",
    "[::1]",
    "[::1]:8081",
    "::1:8080",
    "[::ffff:127.0.0.1]:8080",
    "127.0.0.2:8080",
    " 127.0.0.1:8080x",
    "127.0.0.1:08080",
    "user@127.0.0.1:8080",
    "127.0.0.1:8080/",
    "127.0.0.1:8080#",
    "127.0.0.1:8080?",
    "127.0.0.1%00:8080",
    "xn--lcalhost-n8a:8080",
    "",
    "null",
  ];
  for (const host of hosts421) {
    test(`Host ${JSON.stringify(host)} is not ours`, () =>
      assert.equal(arrive({ hosts: [host] }), "misdirected_request"));
  }
  const origins403 = [
    "null",
    "http://evil.example",
    "https://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:8081",
    "https://127.0.0.1:8080",
    "http://localhost:8080.evil.example",
    "http://127.0.0.1:8080.evil.example",
    "http://127.0.0.1:8080/",
    "HTTP://127.0.0.1:8080",
    "https://studio.example.evil.example",
    "https://studio.example:444",
    "http://studio.example",
    "file://",
    "",
    "chrome-extension://abc",
  ];
  for (const origin of origins403) {
    test(`Origin ${JSON.stringify(origin)} may not call`, () =>
      assert.equal(arrive({ headers: { Origin: origin } }), "forbidden_origin"));
  }
  for (const site of ["cross-site", "same-site", "nonsense", ""]) {
    test(`Sec-Fetch-Site ${JSON.stringify(site)} without Origin`, () =>
      assert.equal(arrive({ headers: { "Sec-Fetch-Site": site } }), "forbidden_origin"));
  }
  const wire: readonly [string, Form][] = [
    ["two Host headers", { hosts: ["127.0.0.1:8080", "127.0.0.1:8080"] }],
    ["no Host header", { hosts: [] }],
    ["HTTP/1.0", { version: [1, 0] }],
    ["HTTP/0.9", { version: [0, 9] }],
    ["HTTP/2 preface", { version: [2, 0] }],
    ["an absolute-form target", { url: "http://127.0.0.1:8080/account" }],
    ["an authority-form target", { url: "127.0.0.1:8080" }],
    ["an asterisk target", { url: "*", method: "OPTIONS" }],
    ["an empty target", { url: "" }],
  ];
  for (const [name, form] of wire) test(name, () => assert.equal(arrive(form), "invalid_request"));
  test("a cross-site navigation that posts", () =>
    assert.equal(
      arrive({ headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" } }),
      "forbidden_origin",
    ));
});

describe("a legitimate form passes", () => {
  const forms: readonly [string, Form][] = [
    ["a program without Origin", {}],
    ["127.0.0.1", { hosts: ["127.0.0.1:8080"] }],
    ["localhost", { hosts: ["localhost:8080"] }],
    ["LOCALHOST, since host names know no case", { hosts: ["LOCALHOST:8080"] }],
    ["[::1]", { hosts: ["[::1]:8080"] }],
    ["our own page", { headers: { Origin: "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin" } }],
    ["a configured origin", { headers: { Origin: "https://studio.example", "Sec-Fetch-Site": "cross-site" } }],
    ["an address typed by hand", { headers: { "Sec-Fetch-Site": "none" } }],
    ["a same-origin read", { method: "GET", headers: { "Sec-Fetch-Site": "same-origin" } }],
    [
      "a link from another site",
      { method: "GET", headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" } },
    ],
    [
      "any page reading badges",
      { url: "/nodes/pricing/badges", method: "GET", headers: { Origin: "https://any.example" } },
    ],
    ["a sandboxed page reading badges", { url: "/nodes/pricing/badges", method: "GET", headers: { Origin: "null" } }],
  ];
  for (const [name, form] of forms) test(name, () => assert.equal(arrive(form), null));
});

describe("where only programs call", () => {
  const programs: ArrivalPolicy = { ...policy, openPaths: new Set(), isProgramsOnly: true };
  const body = (type: string | null, length = "2"): Record<string, string> => ({
    ...(type === null ? {} : { "Content-Type": type }),
    "Content-Length": length,
  });
  const own = "http://127.0.0.1:8080";
  const hostile: readonly [string, Form, string][] = [
    [
      "a link from another site",
      { method: "GET", headers: { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" } },
      "forbidden_origin",
    ],
    [
      "our own origin from another site",
      { headers: { Origin: own, "Sec-Fetch-Site": "cross-site" } },
      "forbidden_origin",
    ],
    ["a form", { headers: body("application/x-www-form-urlencoded") }, "invalid_content_type"],
    ["plain text", { headers: body("text/plain") }, "invalid_content_type"],
    ["plain text that speaks of JSON", { headers: body("text/plain; application/json") }, "invalid_content_type"],
    ["a body without a type", { headers: body(null) }, "invalid_content_type"],
    ["a body in pieces without a type", { headers: { "Transfer-Encoding": "chunked" } }, "invalid_content_type"],
    ["a caller on another machine", { peer: "192.0.2.7" }, "forbidden"],
  ];
  for (const [name, form, code] of hostile)
    test(`${name} is refused`, () => assert.equal(arrive(form, "/x", programs), code));
  const legitimate: readonly [string, Form][] = [
    ["a post without a body", {}],
    ["a body of no bytes", { headers: body(null, "0") }],
    ["JSON", { headers: body("application/json; charset=utf-8") }],
    ["a form with files", { headers: body("multipart/form-data; boundary=x") }],
    ["a part of an upload", { headers: body("application/offset+octet-stream") }],
    ["a configured origin", { headers: { Origin: "https://studio.example", "Sec-Fetch-Site": "cross-site" } }],
    ["our own origin", { headers: { Origin: own, "Sec-Fetch-Site": "same-origin" } }],
    ["a caller over IPv6 that is mapped", { peer: "::ffff:127.0.0.1" }],
  ];
  for (const [name, form] of legitimate) test(`${name} passes`, () => assert.equal(arrive(form, "/x", programs), null));
});

test("the open path is one exact path, not a prefix", () => {
  assert.equal(
    arrive({ url: "/nodes/pricing/badgesx", headers: { Origin: "https://any.example" } }),
    "forbidden_origin",
  );
});

test("a health probe by local address is answered only where the policy allows it", () => {
  const probed = { ...policy, probePaths: new Set(["/readyz"]) };
  const byAddress = { hosts: ["10.1.2.3:8080"], method: "GET" };
  assert.equal(arrive({ ...byAddress, url: "/readyz" }, "/readyz", probed), null);
  for (const path of ["/readyz/", "/readyzx", "/account"])
    assert.equal(arrive({ ...byAddress, url: path }, path, probed), "misdirected_request", path);
  assert.equal(arrive({ ...byAddress, url: "/readyz" }, "/readyz"), "misdirected_request");
});

test("loopback is recognised by the address itself", () => {
  for (const yes of ["127.0.0.1", "127.8.9.10", "::1", "localhost"]) assert.equal(isLoopback(yes), true, yes);
  for (const no of ["0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "127.0.0.1.example", "127.evil"])
    assert.equal(isLoopback(no), false, no);
});
