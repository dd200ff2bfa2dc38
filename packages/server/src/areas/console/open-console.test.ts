import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../foundation/fault.ts";
import { silentLog } from "../../foundation/log.ts";
import { openConsole } from "./open-console.ts";

test("a console that cannot be built is a 503 with the command that builds it; the next page tries again", async () => {
  const asked: string[] = [];
  const show = openConsole("/srv/atelier", silentLog, async (home) => {
    asked.push(home);
    throw new Error("EACCES: permission denied, mkdir '/opt/hidden'");
  });
  for (let turn = 0; turn < 2; turn++)
    await assert.rejects(show(), (error: unknown) => {
      assert.ok(error instanceof Fault);
      assert.equal(error.code, "service_unavailable");
      assert.match(error.message, /`npm run build -- console` in the checkout, as a user with write access/);
      assert.doesNotMatch(error.message, /hidden/);
      return true;
    });
  assert.deepEqual(asked, ["/srv/atelier", "/srv/atelier"]);
});
