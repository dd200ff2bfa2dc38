// Everything here is decided on text: no name is resolved and no socket is opened.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkAddress, checkTarget, type EgressPolicy, isLoopback, isSameAddress } from "./egress-guard.ts";

const policy: EgressPolicy = { allowHttp: true };

const forbiddenV4 = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.100.100.200",
  "100.127.255.255",
  "127.0.0.1",
  "127.1.2.3",
  "127.255.255.255",
  "169.254.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.168.255.255",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.254",
  "255.255.255.255",
];

const forbiddenV6 = [
  "::",
  "::1",
  "fe80::1",
  "febf::1",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "fdff::1",
  "ff02::1",
  "100::1",
  "64:ff9b::7f00:1",
  "64:ff9b::8.8.8.8",
  "64:ff9b:1::1",
  "2002:7f00:1::1",
  "2002:808:808::1",
  "2001::1",
  "2001:0:4136:e378:8000:63bf:3fff:fdd2",
  "2001:db8::1",
  "2001:2::1",
  "2001:10::1",
  "2001:20::1",
  "2001:4:112::1",
  "2620:4f:8000::1",
  "3fff::1",
  "5f00::1",
  "::ffff:127.0.0.1",
  "::ffff:8.8.8.8",
  "::127.0.0.1",
  "::8.8.8.8",
  "::ffff:0:127.0.0.1",
  "4000::1",
  "e000::1",
  "2a00:1450:4001::5efe:7f00:1",
  "2a00:1450:4001::200:5efe:7f00:1",
];

const publicAddresses = [
  "1.1.1.1",
  "8.8.8.8",
  "93.184.216.34",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.0.1",
  "172.32.0.1",
  "192.169.0.1",
  "198.17.0.1",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:80b::200e",
  "2001:4860:4860::8888",
];

const bytesOf = (address: string) => address.split(".").map(Number);
const number = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0);

// Ten ways to write one IPv4 address in a URL.
function spellings(address: string): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
  const hex = (byte: number) => `0x${byte.toString(16)}`;
  const octal = (byte: number) => `0${byte.toString(8)}`;
  const pair = (high: number, low: number) => (high * 256 + low).toString(16);
  return [
    address,
    String(number(address)),
    `0x${number(address).toString(16)}`,
    `0${number(address).toString(8)}`,
    [a, b, c, d].map(hex).join("."),
    [a, b, c, d].map(octal).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b * 65536 + c * 256 + d}`,
    `${address}.`,
    address.replaceAll(".", "。"),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    `%${address.charCodeAt(0).toString(16)}${address.slice(1)}`,
    `[::ffff:${address}]`,
    `[::ffff:${pair(a, b)}:${pair(c, d)}]`,
    `[0:0:0:0:0:ffff:${address}]`,
    `[::${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
  ];
}

describe("addresses", () => {
  test("every address that is not public unicast is refused", () => {
    for (const address of [...forbiddenV4, ...forbiddenV6])
      assert.equal(checkAddress(address, policy).ok, false, address);
  });

  test("public unicast passes", () => {
    for (const address of publicAddresses) assert.equal(checkAddress(address, policy).ok, true, address);
  });

  test("only plain spellings are addresses: no zones, no short forms, no ports", () => {
    for (const text of [
      "",
      "fe80::1%eth0",
      "2606:4700::1111%1",
      "0x08080808",
      "8.8.8",
      "134744072",
      "8.8.8.8:53",
      "[::1]",
      "08.8.8.8",
      "8.8.8.8 ",
    ])
      assert.equal(checkAddress(text, policy).ok, false, text);
  });

  test("the operator's own public ranges can be denied", () => {
    const own = { denyRanges: ["8.8.8.0/24", "2606:4700::/32"] };
    assert.equal(checkAddress("8.8.8.8", own).ok, false);
    assert.equal(checkAddress("8.8.4.4", own).ok, true);
    assert.equal(checkAddress("2606:4700:4700::1111", own).ok, false);
  });

  test("addresses are compared by value", () => {
    assert.equal(isSameAddress("::1", "0:0:0:0:0:0:0:1"), true);
    assert.equal(isSameAddress("127.0.0.1", "127.0.0.2"), false);
    assert.equal(isSameAddress("127.0.0.1", "::ffff:127.0.0.1"), false);
    assert.equal(isSameAddress("", "127.0.0.1"), false);
    assert.deepEqual(["127.9.9.9", "::1", "128.0.0.1", "::ffff:127.0.0.1", "localhost"].map(isLoopback), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("targets", () => {
  test("every forbidden IPv4 address is refused in every spelling, over http and https", () => {
    let tried = 0;
    for (const address of forbiddenV4)
      for (const spelling of spellings(address))
        for (const scheme of ["http", "https"]) {
          tried++;
          assert.equal(checkTarget(`${scheme}://${spelling}/path`, policy).ok, false, `${scheme}://${spelling}`);
        }
    assert.ok(tried >= 34 * 8, `${tried} spellings`);
  });

  test("every forbidden IPv6 address is refused, compressed, spelled out and in capitals", () => {
    for (const address of forbiddenV6)
      for (const spelling of [address, address.toUpperCase(), address.replace(/^::/, "0::")])
        assert.equal(checkTarget(`https://[${spelling}]/`, policy).ok, false, spelling);
  });

  test("random forbidden addresses in random spellings are refused", () => {
    const inRange = fc.constantFrom("10", "127", "169.254", "192.168").chain((prefix) => {
      const missing = 4 - prefix.split(".").length;
      return fc
        .array(fc.nat(255), { minLength: missing, maxLength: missing })
        .map((rest) => [prefix, ...rest].join("."));
    });
    fc.assert(
      fc.property(inRange, fc.nat(18), (address, pick) => {
        const spelling = spellings(address)[pick] ?? address;
        assert.equal(checkTarget(`https://${spelling}/`, policy).ok, false, spelling);
      }),
      { numRuns: 1000 },
    );
  });

  const refused: readonly [url: string, reason: string][] = [
    ["", "malformed"],
    ["example.com", "malformed"],
    ["//example.com", "malformed"],
    ["https://", "malformed"],
    ["https://[fe80::1%25eth0]/", "malformed"],
    ["https://[::1", "malformed"],
    ["https://exa mple.com", "malformed"],
    ["https://example.com/a\tb", "malformed"],
    ["https://example.com\n@127.0.0.1", "malformed"],
    [" https://example.com", "malformed"],
    ["https:\\\\example.com", "malformed"],
    ["https://example.com\\@127.0.0.1/", "malformed"],
    ["https://1.2.3.4.5/", "malformed"],
    ["https://256.1.1.1/", "malformed"],
    ["ftp://example.com/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["gopher://example.com/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["data:text/plain,x", "scheme"],
    ["https://user@example.com/", "userinfo"],
    ["https://user:password@example.com/", "userinfo"],
    ["https://@example.com/", "userinfo"],
    ["https://:@example.com/", "userinfo"],
    ["https://example.com@127.0.0.1/", "userinfo"],
    ["https:example.com@10.0.0.1", "userinfo"],
    ["https://example.com:8443/", "port"],
    ["https://example.com:22/", "port"],
    ["https://example.com:0/", "port"],
    ["https://localhost/", "name"],
    ["https://LOCALHOST./", "name"],
    ["https://intranet/", "name"],
    ["https://foo.localhost/", "name"],
    ["https://printer.local/", "name"],
    ["https://metadata.google.internal/", "name"],
    ["https://router.home.arpa/", "name"],
    ["https://1.0.0.127.in-addr.arpa/", "name"],
    ["https://example.com./", "name"],
    ["https://example..com/", "name"],
    ["https://ｌｏｃａｌｈｏｓｔ/", "name"],
    ["https://foo。local/", "name"],
    [`https://${"a".repeat(64)}.com/`, "name"],
    [`https://example.com/${"a".repeat(2048)}`, "too_long"],
  ];
  for (const [url, reason] of refused)
    test(`${JSON.stringify(url.slice(0, 60))} is refused: ${reason}`, () => {
      const verdict = checkTarget(url, policy);
      assert.equal(verdict.ok ? "ok" : verdict.reason, reason);
    });

  test("public names and addresses pass, and say what they are", () => {
    const name = checkTarget("https://Hooks.Example.com/a?b#c", policy);
    assert.ok(name.ok);
    assert.deepEqual(
      [name.host, name.port, name.literal, name.development],
      ["hooks.example.com", 443, undefined, false],
    );
    const address = checkTarget("http://[2606:4700:4700::1111]/", policy);
    assert.ok(address.ok);
    assert.deepEqual(
      [address.host, address.port, address.literal],
      ["2606:4700:4700::1111", 80, "2606:4700:4700::1111"],
    );
    assert.ok(checkTarget("https://bücher.example/", policy).ok);
    assert.ok(checkTarget("https://134744072/", policy).ok);
  });

  test("http and other ports need the policy's word", () => {
    const httpsOnly: EgressPolicy = { allowHttp: false };
    assert.equal(checkTarget("http://example.com/", httpsOnly).ok, false);
    assert.equal(checkTarget("https://example.com:80/", httpsOnly).ok, false);
    assert.equal(checkTarget("https://example.com:8443/", { allowHttp: false, ports: [8443] }).ok, true);
    assert.equal(checkTarget("https://example.com/", { allowHttp: false, ports: [8443] }).ok, false);
  });
});

describe("development targets", () => {
  const development: EgressPolicy = {
    allowHttp: false,
    developmentTargets: [
      "127.0.0.1:3000",
      "localhost:3001",
      "[::1]:3002",
      "127.0.0.1:8080",
      "10.0.0.1:3000",
      "example.com:3000",
    ],
    ownPorts: [8080, 8188],
  };

  test("exactly the listed loopback targets pass, also over http", () => {
    for (const url of [
      "http://127.0.0.1:3000/hook",
      "https://127.0.0.1:3000/",
      "http://LOCALHOST:3001/",
      "http://[0::1]:3002/",
      "http://2130706433:3000/",
    ]) {
      const verdict = checkTarget(url, development);
      assert.ok(verdict.ok && verdict.development, url);
    }
    for (const url of [
      "http://127.0.0.1:3001/",
      "http://127.0.0.2:3000/",
      "http://localhost:3000/",
      "http://[::1]:3000/",
      "http://[::ffff:127.0.0.1]:3000/",
      "http://user@127.0.0.1:3000/",
      "ftp://127.0.0.1:3000/",
    ])
      assert.equal(checkTarget(url, development).ok, false, url);
  });

  test("a listed target that is not loopback opens nothing", () => {
    assert.equal(checkTarget("http://10.0.0.1:3000/", development).ok, false);
    assert.equal(checkTarget("http://example.com:3000/", development).ok, false);
  });

  test("our own ports stay closed, listed or not", () => {
    for (const url of ["http://127.0.0.1:8080/", "http://localhost:8188/", "http://[::1]:8080/"])
      assert.equal(checkTarget(url, development).ok, false, url);
  });
});

test("any text at all gets a verdict, and an accepted one is public or listed", () => {
  const part = fc.constantFrom(
    "http",
    "https",
    ":",
    "//",
    "/",
    "@",
    "[",
    "]",
    "::1",
    "127.0.0.1",
    "0x7f.1",
    "localhost",
    ".",
    "%2e",
    "%00",
    "#",
    "?",
    "\\",
    "。",
    "10.0.0.1",
    ":80",
    "example.com",
    "\u00ad",
    "①",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const verdict = checkTarget(parts.join(""), policy);
      if (!verdict.ok) return;
      const { host, literal } = verdict;
      if (literal !== undefined) assert.equal(checkAddress(literal, policy).ok, true, literal);
      else assert.match(host, /^(?!.*\.localhost$)[a-z0-9_-]+(\.[a-z0-9_-]+)+$/);
    }),
    { numRuns: 5000 },
  );
});
