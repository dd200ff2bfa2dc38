// `npm run test:long -- s3`: the blob storage tests against a real S3 gateway, Ceph's from Debian, on loopback and in memory. apt
// installs it if it is missing (as root); we start it here, process by process, and stop it by process id.
//   npm run test:long -- s3                                          everything that has to do with the gateway
//   ATELIER_TEST_BLOB_KILLS=500 npm run test:long -- s3 keep-loop only the kills, 500 of them
import { spawn, spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../packages/server/test/support/free-port.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const programs = ["ceph-mon", "ceph-osd", "ceph", "monmaptool", "radosgw", "radosgw-admin"];
const bucket = "atelier-test";
const accessKeyId = randomBytes(10).toString("hex");
const secretAccessKey = randomBytes(20).toString("hex");
const words = process.argv.slice(2);
const testFiles = [
  "blob-storage.s3.db.test.ts",
  "s3-refusal.s3.db.test.ts",
  "s3-signature.s3.db.test.ts",
  "race.db.test.ts",
  "keep-loop.crash.test.ts",
].filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
const patienceMs = 180_000 + 10_000 * Number(process.env["ATELIER_TEST_BLOB_KILLS"] ?? 0);

const scratch = mkdtempSync(join(tmpdir(), "atelier-ceph-"));
const running = [];
const started = performance.now();
const say = (text) =>
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);

function isInstalled(program) {
  return spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;
}

function install() {
  if (programs.every(isInstalled)) return;
  if (process.getuid?.() !== 0 || !isInstalled("apt-get")) {
    throw new Error(
      "Ceph's gateway is not installed. Install ceph-mon, ceph-osd and radosgw, or run this as root on Debian.",
    );
  }
  say("installing ceph-mon, ceph-osd and radosgw");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const packages = ["ceph-mon", "ceph-osd", "radosgw"];
  const apt = (args) =>
    spawnSync("apt-get", args, { env, stdio: ["ignore", "ignore", 2], timeout: 240_000 }).status === 0;
  const get = ["install", "-y", "-q", "--no-install-recommends", ...packages];
  if (!apt(get) && !(apt(["update", "-q"]) && apt(get))) throw new Error("apt-get could not install them.");
}

// One monitor, one store in memory, no internal authentication: everything on loopback and gone afterwards.
function writeConfig(fsid, monitorPort, gatewayPort) {
  const path = join(scratch, "ceph.conf");
  writeFileSync(
    path,
    `[global]
fsid = ${fsid}
mon host = v1:127.0.0.1:${monitorPort}
mon initial members = a
auth cluster required = none
auth service required = none
auth client required = none
ms bind msgr2 = false
ms bind ipv6 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 1
osd objectstore = memstore
memstore device bytes = 2147483648
run dir = ${scratch}/run
log file = ${scratch}/log/$name.log
admin socket = ${scratch}/run/$name.asok
mon data = ${scratch}/mon
osd data = ${scratch}/osd
osd journal = ${scratch}/osd/journal
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw enable ops log = false
`,
  );
  return path;
}

function run(program, args, seconds = 30) {
  const done = spawnSync(program, args, { encoding: "utf8", timeout: seconds * 1000 });
  if (done.status !== 0) throw new Error(`${program} ${args.join(" ")}: ${done.stderr || done.error || done.status}`);
  return done.stdout;
}

function start(program, args) {
  const log = openSync(join(scratch, "log", `${program}.out`), "a");
  running.push(spawn(program, args, { stdio: ["ignore", log, log] }));
}

async function until(what, seconds, look) {
  const giveUpAt = performance.now() + seconds * 1000;
  for (;;) {
    if (await look()) return;
    if (performance.now() > giveUpAt) throw new Error(`Timed out after ${seconds} s waiting for ${what}.`);
    await sleep(300);
  }
}

async function startGateway() {
  for (const folder of ["mon", "osd", "run", "log"]) mkdirSync(join(scratch, folder));
  const [fsid, osdId] = [randomUUID(), randomUUID()];
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()];
  const conf = ["-c", writeConfig(fsid, monitorPort, gatewayPort)];
  const map = join(scratch, "monmap");
  run("monmaptool", ["--create", "--clobber", "--addv", "a", `[v1:127.0.0.1:${monitorPort}]`, "--fsid", fsid, map]);
  run("ceph-mon", [...conf, "-i", "a", "--mkfs", "--monmap", map]);
  start("ceph-mon", [...conf, "-i", "a", "-f"]);
  const ceph = (...args) =>
    spawnSync("ceph", [...conf, "--connect-timeout", "3", ...args], { timeout: 10_000 }).status === 0;
  await until("The monitor", 30, () => ceph("mon", "stat"));
  run("ceph", [...conf, "osd", "new", osdId]);
  writeFileSync(join(scratch, "osd", "fsid"), osdId);
  run("ceph-osd", [...conf, "-i", "0", "--mkfs", "--osd-uuid", osdId, "--fsid", fsid]);
  run("ceph", [...conf, "osd", "crush", "add", "osd.0", "1.0", "root=default", "host=localhost"]);
  start("ceph-osd", [...conf, "-i", "0", "-f"]);
  // A busy monitor refuses a request now and then; the next one is answered.
  await until("The store", 60, () => {
    const asked = spawnSync("ceph", [...conf, "--connect-timeout", "3", "osd", "stat"], {
      encoding: "utf8",
      timeout: 10_000,
    });
    return asked.status === 0 && asked.stdout.includes("1 up");
  });
  say("monitor and store are up");
  start("radosgw", [...conf, "-n", "client.rgw", "--rgw-zone", "default", "-f"]);
  const endpoint = `http://127.0.0.1:${gatewayPort}`;
  await until("The gateway", 60, () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    ),
  );
  run("radosgw-admin", [
    ...conf,
    ...["user", "create", "--uid=atelier", "--display-name=atelier"],
    ...[`--access-key=${accessKeyId}`, `--secret=${secretAccessKey}`],
  ]);
  return endpoint;
}

async function makeBucket(endpoint) {
  const { CreateBucketCommand, S3Client } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
}

function test(endpoint) {
  const files = testFiles.flatMap((name) => globSync(`packages/server/src/**/${name}`, { cwd: root }));
  const args = [
    "--conditions=atelier-source",
    "--disable-warning=ExperimentalWarning",
    "--test",
    "--test-concurrency=1",
  ];
  return (
    spawnSync(process.execPath, [...args, `--test-timeout=${patienceMs}`, "--test-name-pattern=/S3/", ...files], {
      cwd: root,
      stdio: ["ignore", 1, 2],
      timeout: 420_000 + patienceMs,
      env: {
        ...process.env,
        ATELIER_TEST_S3: `s3://${bucket}/?endpoint=${endpoint}&path-style=1`,
        ATELIER_TEST_S3_ACCESS_KEY_ID: accessKeyId,
        ATELIER_TEST_S3_SECRET_ACCESS_KEY: secretAccessKey,
      },
    }).status === 0
  );
}

async function stop() {
  for (const child of running.reverse()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    const giveUp = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(giveUp);
  }
  rmSync(scratch, { recursive: true, force: true });
}

let ok = false;
try {
  install();
  const endpoint = await startGateway();
  await makeBucket(endpoint);
  say(`the gateway answers at ${endpoint}`);
  ok = test(endpoint);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  for (const file of globSync(join(scratch, "log", "*"))) {
    process.stderr.write(`── ${file}\n${readFileSync(file, "utf8").split("\n").slice(-15).join("\n")}\n`);
  }
} finally {
  await stop();
  say(ok ? "ok" : "FAILED");
}
process.exit(ok ? 0 : 1);
