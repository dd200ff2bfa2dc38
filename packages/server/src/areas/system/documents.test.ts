import assert from "node:assert/strict";
import { test } from "node:test";
import { getLlmsTextRoute, getReleaseNotesRoute } from "./documents.route.ts";

test("document pages cannot be framed, share no window and leak no path, like all other pages", async () => {
  const routes = [
    getReleaseNotesRoute({ releaseNotes: "# Notes", serverNotes: async () => [], baseUrl: () => "http://a" }),
    getLlmsTextRoute({ mounted: [], baseUrl: () => "http://a" }),
  ];
  for (const { handle, operation } of routes) {
    const answer = await Reflect.apply(handle, undefined, [{ query: new URLSearchParams(), headers: {} }]);
    const headers = answer.headers ?? {};
    assert.deepEqual(
      [headers["x-frame-options"], headers["referrer-policy"], headers["cross-origin-opener-policy"]],
      ["DENY", "same-origin", "same-origin"],
      operation.id,
    );
    assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/);
  }
});
