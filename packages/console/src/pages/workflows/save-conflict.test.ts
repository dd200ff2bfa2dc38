// A save goes over another person's version only if the person chose so.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiFault } from "../../api/fault.ts";
import { type Base, saveOnBase } from "./save-conflict.ts";

// A workflow as the server keeps it: every change raises the revision, a save also the version.
function workflowAt(version: number, revision: number) {
  const now = { version, revision };
  const tag = () => `"${now.revision}"`;
  return {
    now,
    saving: {
      save(etag: string): Promise<number> {
        if (etag !== tag()) return Promise.reject(new ApiFault({ status: 412, message: "changed" }));
        now.revision++;
        return Promise.resolve(++now.version);
      },
      readNow: (): Promise<Base> => Promise.resolve({ version: now.version, etag: tag() }),
      readVersion: () => Promise.resolve({ created_by: { kind: "person", id: "p", name: "Ines" } as const }),
    },
  };
}

describe("saving what another person may have changed", () => {
  test("on the version that was opened it is saved", async () => {
    const { saving } = workflowAt(2, 5);
    assert.deepEqual(await saveOnBase({ version: 2, etag: '"5"' }, saving), { saved: 3 });
  });

  test("after a rename it is saved as well: the document is the same", async () => {
    const { saving, now } = workflowAt(2, 6);
    assert.deepEqual(await saveOnBase({ version: 2, etag: '"5"' }, saving), { saved: 3 });
    assert.equal(now.revision, 7);
  });

  test("after another person's version nothing is saved, and it is said whose version is there", async () => {
    const { saving, now } = workflowAt(3, 6);
    const base = { version: 2, etag: '"5"' };
    const theirs = { version: 3, etag: '"6"' };
    assert.deepEqual(await saveOnBase(base, saving), { conflict: { base, theirs, by: "Ines" } });
    assert.deepEqual(now, { version: 3, revision: 6 });
    assert.deepEqual(await saveOnBase(theirs, saving), { saved: 4 }, "on top, once chosen");
  });

  test("any other refusal is passed on", async () => {
    const { saving } = workflowAt(1, 1);
    const save = () => Promise.reject(new ApiFault({ status: 413, message: "too large" }));
    await assert.rejects(saveOnBase({ version: 1, etag: '"1"' }, { ...saving, save }), { status: 413 });
  });
});
