// The first command of deploy/compose.yaml on a fresh machine, with a stub instead of docker that prints what it was
// asked.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, describe, test } from "node:test";

const script = join(import.meta.dirname, "../../../../deploy/compose/new-secrets.sh");
const isRoot = process.getuid?.() === 0;
describe("the secrets of a compose file", () => {
  const homes: string[] = [];
  after(() => {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });

  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "atelier-compose-"));
    homes.push(home);
    mkdirSync(join(home, "deploy/compose"), { recursive: true });
    mkdirSync(join(home, "bin"));
    writeFileSync(join(home, "deploy/Containerfile"), "FROM scratch\n");
    copyFileSync(script, join(home, "deploy/compose/new-secrets.sh"));
    // Knows an image once it was built, from a folder that has the Containerfile; `run` prints what the image would.
    const docker = `#!/bin/sh
echo "$1" >> ${home}/asked
case "$1" in
  image) test -e ${home}/built ;;
  build) test -e "$3" && test -e "$6/deploy/Containerfile" && touch ${home}/built ;;
  run) test -e ${home}/built && test ! -e ${home}/broken && echo '{"version": 1}' ;;
esac
`;
    writeFileSync(join(home, "bin/docker"), docker, { mode: 0o755 });
  });

  const make = () =>
    spawnSync("sh", ["deploy/compose/new-secrets.sh"], {
      cwd: home,
      encoding: "utf8",
      env: { PATH: `${join(home, "bin")}:${process.env["PATH"]}` },
    });
  const secrets = () => join(home, "deploy/compose/secrets");
  const modes = () =>
    Object.fromEntries(
      readdirSync(secrets()).map((name) => [name, (statSync(join(secrets(), name)).mode & 0o777).toString(8)]),
    );

  describe("compose's first command", { skip: !isRoot && "its files must belong to root" }, () => {
    test("builds the image that makes a missing ring, and then makes the ring", () => {
      const made = make();
      assert.equal(made.status, 0, made.stderr);
      assert.deepEqual(readFileSync(join(home, "asked"), "utf8").split("\n"), ["image", "build", "run", ""]);
      assert.equal(readFileSync(join(secrets(), "ring.json"), "utf8"), '{"version": 1}\n');
      assert.deepEqual(modes(), {
        "nats-token": "440",
        "nats.conf": "444",
        "postgres-password": "444",
        "ring.json": "440",
        "s3.env": "440",
        "server.config.json": "440",
        "worker.config.json": "440",
      });
      for (const name of readdirSync(secrets())) {
        const { uid, gid } = statSync(join(secrets(), name));
        assert.deepEqual([uid, gid], [0, 10_001], name);
      }
    });

    test("writes settings that the server can read, once", () => {
      assert.equal(make().status, 0);
      const settings = readFileSync(join(secrets(), "server.config.json"), "utf8");
      const { databaseUrl, adminToken } = JSON.parse(settings);
      assert.match(databaseUrl, /^postgres:\/\/atelier:[0-9a-f]{48}@postgres:5432\/atelier$/);
      assert.match(adminToken, /^[0-9a-f]{64}$/);
      assert.equal(make().status, 0);
      assert.equal(readFileSync(join(secrets(), "server.config.json"), "utf8"), settings);
      assert.deepEqual(readFileSync(join(home, "asked"), "utf8").split("\n"), ["image", "build", "run", ""]);
    });

    test("that fails leaves no ring and files that containers can read; the next one continues", () => {
      writeFileSync(join(home, "broken"), "");
      assert.notEqual(make().status, 0);
      assert.deepEqual([existsSync(join(secrets(), "ring.json")), modes()["server.config.json"]], [false, "440"]);
      assert.ok(!("ring.new" in modes()));
      rmSync(join(home, "broken"));
      assert.equal(make().status, 0);
      assert.equal(modes()["ring.json"], "440");
    });
  });

  test("compose's first command says so and makes nothing when run as a user other than root", {
    skip: isRoot && "this is root",
  }, () => {
    const made = make();
    assert.equal(made.status, 1);
    assert.match(made.stderr, /must belong to root: sudo sh .* Nothing was changed/);
    assert.equal(existsSync(secrets()), false);
  });
});
