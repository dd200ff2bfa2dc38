// The key of a link leaves the address at once and stays in this tab.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { linkKeyFor, takeLinkKey } from "./link-key.ts";

function browserAt(pathname: string, hash: string) {
  const kept = new Map<string, string>();
  const written: string[] = [];
  return {
    kept,
    written,
    page: { pathname, search: "?x=1", hash },
    store: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    },
    rewrite: (address: string) => void written.push(address),
  };
}

describe("the key of a link", () => {
  test("is taken out of the address, and found again by this tab for this work alone", () => {
    const browser = browserAt("/w/w.acme/fox", "#key=service-abc_DEF-123");
    takeLinkKey(browser);
    assert.deepEqual(browser.written, ["/w/w.acme/fox?x=1"], "the search stays, the key does not");
    assert.equal(linkKeyFor("/w/w.acme/fox", browser.store), "service-abc_DEF-123");
    assert.equal(linkKeyFor("/w/w.acme/other", browser.store), null);
    assert.equal(linkKeyFor("/console/models", browser.store), null);
  });

  test("survives a reload, when only the tab's storage has it", () => {
    const { store, kept } = browserAt("/w/w.acme/owl", "");
    kept.set("atelier.link./w/w.acme/owl", "service-abcdefgh");
    assert.equal(linkKeyFor("/w/w.acme/owl", store), "service-abcdefgh");
  });

  test("is taken on a work's page only, and only if it looks like one", () => {
    for (const [path, hash] of [
      ["/console/models", "#key=service-abcdefgh"],
      ["/w/w.acme/elk", "#input=abcdefgh"],
      ["/w/w.acme/elk", "#key="],
      ["/w/w.acme/elk", "#key=<script>alert(1)</script>"],
    ] as const) {
      const browser = browserAt(path, hash);
      takeLinkKey(browser);
      assert.deepEqual([browser.written, browser.kept.size], [[], 0], hash);
    }
  });

  test("works for as long as the page if the browser keeps nothing", () => {
    const browser = browserAt("/w/w.acme/emu", "#key=service-abcdefgh");
    const refusing = {
      ...browser,
      store: {
        ...browser.store,
        setItem: () => {
          throw new Error("no");
        },
      },
    };
    takeLinkKey(refusing);
    assert.equal(linkKeyFor("/w/w.acme/emu", null), "service-abcdefgh");
    assert.equal(browser.written.length, 1);
  });
});
