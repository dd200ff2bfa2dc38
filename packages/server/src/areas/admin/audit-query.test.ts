import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createCursors } from "../../foundation/cursor.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { issueAuditCursor, readAuditCursor, readAuditQuery } from "./audit-query.ts";

const read = (text: string) => readAuditQuery(new URLSearchParams(text));
const cursors = createCursors({ secrets: [Buffer.alloc(32, 1)], clock: handClock() });

describe("a query for the audit", () => {
  test("without anything asks for the newest entries", () => {
    const { filter, limit, cursor } = read("");
    assert.deepEqual([Object.values(filter).filter((part) => part !== undefined), limit, cursor], [[], 20, undefined]);
  });

  test("is read as it was meant, in the wire's words", () => {
    const workspaceId = newId<"workspace">();
    const asked = read(
      `workspace_id=${workspaceId}&actor_kind=api_key&action=api_key.revoke&since=2026-01-01T00:00:00Z&limit=7&x=1`,
    );
    assert.equal(asked.filter.workspaceId, workspaceId);
    assert.equal(asked.filter.actorKind, "key");
    assert.equal(asked.filter.action, "api_key.revoke");
    assert.deepEqual(asked.filter.since, new Date("2026-01-01T00:00:00.000Z"));
    assert.equal(asked.limit, 7);
  });

  test("serves at most the cap, and the default for 0 or less", () => {
    assert.deepEqual([read("limit=1000").limit, read("limit=0").limit, read("limit=-5").limit], [100, 20, 20]);
  });

  test("names every bad parameter at once", () => {
    const bad =
      "workspace_id=x&actor_kind=key&action=&since=yesterday&until=2026-02-31T00:00:00&limit=1.5&request_id=a&request_id=b";
    assert.throws(
      () => read(bad),
      (thrown) =>
        thrown instanceof Fault &&
        thrown.code === "invalid_request" &&
        ["workspace_id", "actor_kind", "action", "since", "until", "limit", "request_id"].every((name) =>
          thrown.message.includes(`${name} `),
        ),
    );
  });

  test("with a NUL or endless text is refused before the database sees it", () => {
    for (const bad of ["action=%00", `subject_id=${"x".repeat(201)}`]) assert.throws(() => read(bad), Fault);
  });
});

describe("the audit's cursor", () => {
  const position = { at: new Date("2026-01-01T00:00:00.123Z"), id: newId<"audit-entry">() };

  test("leads back to its position", () => {
    const { filter } = read("action=a.b");
    assert.deepEqual(readAuditCursor(cursors, filter, issueAuditCursor(cursors, filter, position)), position);
  });

  test("is refused under other filters and when we did not issue it", () => {
    const cursor = issueAuditCursor(cursors, read("action=a.b").filter, position);
    for (const [query, text] of [
      ["", cursor],
      ["action=a.c", cursor],
      ["subject_kind=a.b", cursor],
      ["action=a.b", `${cursor.slice(0, -1)}A`],
      ["action=a.b", "nonsense"],
      ["action=a.b", cursors.issue("admin workspaces", [position.id])],
    ] as const) {
      if (text === cursor && query === "action=a.b") continue;
      assert.throws(
        () => readAuditCursor(cursors, read(query).filter, text),
        (thrown) => thrown instanceof Fault && thrown.code === "invalid_request",
        query,
      );
    }
  });
});
