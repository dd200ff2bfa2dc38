import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openProxyHome, proxyHomeOf } from "./proxy-home.ts";

const port = { proxyHome: null, proxyPort: 8189 };

test("a proxy has its own home in the state folder, one for each port", () => {
  assert.equal(proxyHomeOf(port, { XDG_STATE_HOME: "/state" }), "/state/atelier/proxy-8189");
  assert.equal(proxyHomeOf({ ...port, proxyPort: 9000 }, { XDG_STATE_HOME: "/state" }), "/state/atelier/proxy-9000");
  assert.equal(proxyHomeOf(port, { HOME: "/home/a" }), "/home/a/.local/state/atelier/proxy-8189");
  assert.equal(
    proxyHomeOf(port, { HOME: "/home/a", XDG_STATE_HOME: "relative" }),
    "/home/a/.local/state/atelier/proxy-8189",
  );
  assert.equal(proxyHomeOf({ ...port, proxyHome: "/mine" }, { XDG_STATE_HOME: "/state" }), "/mine");
});

test("others cannot read a home, even one that was open", async () => {
  const folder = await mkdtemp(join(tmpdir(), "atelier-home-"));
  try {
    const fresh = join(folder, "state", "proxy");
    const old = join(folder, "old");
    await mkdir(old);
    await chmod(old, 0o755);
    for (const home of [fresh, old]) {
      await openProxyHome(home);
      assert.equal((await stat(home)).mode & 0o777, 0o700);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
