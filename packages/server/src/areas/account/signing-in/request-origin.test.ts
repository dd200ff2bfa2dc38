import assert from "node:assert/strict";
import { test } from "node:test";
import { isFromOwnPage } from "./request-origin.ts";

const own = "https://atelier.example";
const isOwnOrigin = (origin: string) => origin === own;

const cases: [site: string | undefined, origin: string | undefined, isOwn: boolean][] = [
  [undefined, undefined, false],
  [undefined, own, true],
  [undefined, "null", false],
  [undefined, "https://evil.example", false],
  [undefined, "https://atelier.example.evil.example", false],
  ["same-origin", undefined, true],
  ["same-origin", own, true],
  ["same-origin", "https://evil.example", false],
  ["same-site", own, false],
  ["cross-site", own, false],
  ["cross-site", undefined, false],
  ["none", undefined, false],
  ["none", own, false],
];

for (const [site, origin, isOwn] of cases) {
  test(`a change with Sec-Fetch-Site ${site} and Origin ${origin} ${isOwn ? "is ours" : "is refused"}`, () => {
    const headers = {
      ...(site === undefined ? {} : { "sec-fetch-site": site }),
      ...(origin === undefined ? {} : { origin }),
    };
    assert.equal(isFromOwnPage(headers, isOwnOrigin), isOwn);
  });
}
