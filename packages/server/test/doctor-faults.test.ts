// What doctor says about each mistake an operator can make: the words, and how to fix it. Those that need a database are
// in doctor-faults.db.test.ts; a full disk and blobs without room, on real small disks, in the command line's tests.
import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { askedConsole, consoleFinding } from "../src/areas/console/look-at-console.ts";
import { lookAtBlobs } from "../src/capabilities/blobs/index.ts";
import { lookAtTools } from "../src/capabilities/graph-runs/index.ts";
import { type Config, readConfig } from "../src/config.ts";
import { databaseUnavailable } from "../src/foundation/database/database-errors.ts";
import { DatabaseOutOfReach } from "../src/foundation/database/embedded/out-of-reach.ts";
import { databaseProblem } from "../src/foundation/looks/database-problem.ts";
import { lookAtBus } from "../src/foundation/looks/look-at-bus.ts";
import { lookAtHome, spaceFinding } from "../src/foundation/looks/look-at-home.ts";
import { lookAtPorts } from "../src/foundation/looks/look-at-ports.ts";
import { lookAtDefinitions, lookAtReach, lookAtSettings } from "../src/processes/doctor/doctor-settings.ts";
import { openFile, unknownVariables } from "../src/processes/setting-warnings.ts";
import { freePort } from "./support/free-port.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-faults-"));
});
after(() => rm(folder, { recursive: true, force: true }));

function configOf(env: Record<string, string> = {}): Config {
  const { values, problems } = readConfig({ flags: {}, env: { ATELIER_HOME: folder, ...env }, file: {} });
  assert.deepEqual(problems, []);
  return values;
}
const failed = (code: string, message: string) => Object.assign(new Error(message), { code });
const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });

describe("doctor says about the database", () => {
  const config = () => configOf({ DATABASE_URL: "postgres://atelier:hidden@db.example:6432/books" });

  test("a wrong password in PostgreSQL's words, without the password", () => {
    const refused = databaseUnavailable(failed("28P01", 'password authentication failed for user "atelier"'));
    const { state, message, mend } = databaseProblem(config(), refused);
    assert.deepEqual([state, mend], ["problem", "check DATABASE_URL, and that the database server is running"]);
    assert.match(message, /\(db\.example:6432\/books, password authentication failed for user "atelier"\)/);
    assert.ok(!message.includes("hidden"));
  });

  test("in words, not a code, that a name does not exist, and how to create it", () => {
    const missing = databaseUnavailable(failed("3D000", 'database "books" does not exist'));
    const { message, mend } = databaseProblem(config(), missing);
    assert.match(message, /database "books" does not exist\)$/);
    assert.doesNotMatch(message, /3D000/);
    assert.equal(mend, "create it (createdb), or correct the name at the end of DATABASE_URL");
  });

  test("that an embedded one runs in another namespace, and does not blame a full disk", () => {
    const { mend } = databaseProblem(configOf(), new DatabaseOutOfReach("in a mount namespace of its own"));
    assert.match(mend ?? "", /^systemctl restart atelier/);
    assert.match(
      databaseProblem(configOf(), new Error("no room")).mend ?? "",
      /a full disk and a folder owned by another user/,
    );
  });
});

describe("doctor says about the store", () => {
  const credentials = { ATELIER_BLOBS_KEY_ID: "key", ATELIER_BLOBS_SECRET: "hidden-word" };

  test("that it does not answer, with its address", async () => {
    const port = await freePort();
    const blobs = `s3://pictures?endpoint=http://127.0.0.1:${port}&region=here`;
    const [found] = await lookAtBlobs(configOf({ ATELIER_BLOBS: blobs, ...credentials }));
    assert.deepEqual([found?.state, found?.mend], ["problem", "check ATELIER_BLOBS, its credentials and permissions"]);
    assert.equal(found?.message, "s3://pictures: The blob store does not respond for the bucket pictures.");
    assert.ok(!JSON.stringify(found).includes("hidden-word"));
  });

  test("that it has no such bucket, by name", async () => {
    const store = createServer((request, response) => {
      request.resume();
      response.writeHead(404, { "content-type": "application/xml" });
      response.end("<Error><Code>NoSuchBucket</Code><Message>The bucket does not exist</Message></Error>");
    });
    const port = await listening(store);
    try {
      const blobs = `s3://pictures?endpoint=http://127.0.0.1:${port}&region=here`;
      const [found] = await lookAtBlobs(configOf({ ATELIER_BLOBS: blobs, ...credentials }));
      assert.equal(found?.state, "problem");
      assert.match(found?.message ?? "", /denies access to the bucket pictures, or the bucket does not exist\.$/);
    } finally {
      store.closeAllConnections();
      store.close();
    }
  });
});

describe("doctor says about the machine", () => {
  test("that the home is not writable", async () => {
    await writeFile(join(folder, "file"), "");
    const [found] = await lookAtHome({ home: join(folder, "file", "home") });
    assert.deepEqual([found?.name, found?.state], ["home", "problem"]);
    assert.match(`${found?.message} ${found?.mend}`, /is not writable choose another with --home, or change its owner/);
  });

  test("that 200 MB of free space are too little", () => {
    const found = spaceFinding("/srv/atelier", { bavail: 200, bsize: 1024 ** 2, blocks: 400 });
    assert.deepEqual([found.state, found.message], ["warning", "200.0 MiB free at /srv/atelier"]);
    assert.match(found.mend ?? "", /free some space; uploads are refused below 5 % or 1 GiB/);
  });

  test("who holds the port: another Atelier or another program", async () => {
    const atelier = createServer((_, response) => response.end('{"status":"ok","checks":{}}'));
    const other = createServer((_, response) => response.end("welcome"));
    try {
      for (const [server, who] of [
        [atelier, "an Atelier server of another data folder"],
        [other, "another program"],
      ] as const) {
        const port = await listening(server);
        const [found] = await lookAtPorts({ host: "127.0.0.1", port, contentPort: null });
        assert.deepEqual([found?.state, found?.message], ["problem", `127.0.0.1:${port} is in use by ${who}`]);
        assert.match(found?.mend ?? "", /^choose another with ATELIER_PORT, or stop that program/);
      }
    } finally {
      for (const server of [atelier, other]) {
        server.closeAllConnections();
        server.close();
      }
    }
  });

  test("that ffmpeg is missing, which jobs fail without it, and that no restart is needed", () => {
    assert.equal(lookAtTools(() => "/usr/bin/tool").state, "ok");
    const found = lookAtTools(() => null);
    assert.equal(found.state, "warning");
    assert.match(`${found.message} ${found.mend}`, /ffmpeg and ffprobe not found: jobs .* apt-get install -y ffmpeg/);
  });

  test("that the console is not built and cannot be, with the command that builds it", () => {
    assert.equal(consoleFinding(null).state, "ok");
    assert.match(
      consoleFinding({ folder: "/srv/console" }).message,
      /will be built at the next start, in \/srv\/console/,
    );
    for (const found of [consoleFinding({ reason: "it is closed" }), askedConsole(503), askedConsole(null)]) {
      assert.equal(found.state, "problem");
      assert.match(found.mend ?? "", /`npm run build -- console` in the checkout/);
    }
    assert.equal(askedConsole(200).state, "ok");
  });

  test("that NATS does not answer, at which address, and what that means", async () => {
    const port = await freePort();
    const [found] = await lookAtBus(configOf({ ATELIER_BUS: `nats://127.0.0.1:${port}` }));
    assert.equal(found?.state, "problem");
    assert.match(found?.message ?? "", new RegExp(`^NATS at nats://127\\.0\\.0\\.1:${port}: The bus is `));
    assert.match(found?.mend ?? "", /^start it, or check ATELIER_BUS and ATELIER_BUS_CREDENTIALS/);
    assert.deepEqual(await lookAtBus(configOf()), []);
  });
});

describe("doctor says about the settings", () => {
  test("that a misspelt variable is unknown, and which one was meant", () => {
    assert.deepEqual(
      unknownVariables({ ATELIER_PROT: "9000", ATELIER_HOME: "/srv", ATELIER_PROVIDER_BFL_KEY: "x", OTHER: "y" }),
      [
        {
          message: 'Unknown variable ATELIER_PROT. Did you mean "ATELIER_PORT"?',
          mend: "correct its name, or remove it; to list every setting: atelier config",
        },
      ],
    );
    assert.equal(unknownVariables({ ATELIER_WHAT_IS_THIS: "1" })[0]?.message, "Unknown variable ATELIER_WHAT_IS_THIS.");
    // Empty means not set; Kubernetes and the command line use other names.
    assert.deepEqual(
      unknownVariables({
        ATELIER_PROT: "",
        ATELIER_SERVICE_HOST: "10.0.0.1",
        ATELIER_PORT_80_TCP: "x",
        ATELIER_API_KEY: "k",
      }),
      [],
    );
  });

  test("that others may read a file with secrets, and names them without their values", async () => {
    const path = join(folder, "atelier.config.json");
    await writeFile(path, "{}");
    await chmod(path, 0o644);
    const file = { adminToken: "hidden-word", port: 9000 };
    const [found] = openFile(file, path);
    assert.match(
      found?.message ?? "",
      /^atelier\.config\.json contains adminToken, and other users .* \(mode 0644\)\.$/,
    );
    assert.match(found?.mend ?? "", /^chmod 600 atelier\.config\.json/);
    assert.deepEqual(openFile({ port: 9000 }, path), []);
    await chmod(path, 0o600);
    assert.deepEqual(openFile(file, path), []);
  });

  test("that a provider's file is invalid JSON, where, and that no server starts with it", async () => {
    const [provider, partner] = [join(folder, "provider.json"), join(folder, "partner.json")];
    await writeFile(provider, '{\n  "provider": oops\n}');
    await writeFile(partner, "{");
    const config = configOf({ ATELIER_PROVIDERS: provider, ATELIER_PARTNERS: partner });
    const [first, second] = await lookAtDefinitions(config);
    assert.deepEqual(
      [first?.name, first?.state, second?.name, second?.state],
      ["providers", "problem", "partners", "problem"],
    );
    assert.match(first?.message ?? "", /provider\.json is not JSON: .*oops/);
    assert.match(first?.mend ?? "", /ATELIER_PROVIDERS; the server does not start with it/);
  });

  test("what a public address lacks: a content origin, and a trusted proxy", () => {
    const found = lookAtReach(configOf({ ATELIER_BASE_URL: "https://atelier.example" }));
    assert.deepEqual(
      found.map(({ state, mend }) => [state, mend]),
      [
        ["warning", "set ATELIER_CONTENT_URL to the content origin's public URL"],
        ["warning", "set ATELIER_TRUST_PROXY to its address, such as 127.0.0.1/32,::1/128"],
      ],
    );
    assert.deepEqual(lookAtReach(configOf()), []);
  });

  test("that a value has the wrong kind, with the value and what it is for", () => {
    const { problems } = readConfig({ flags: {}, env: { ATELIER_PORT: "many" }, file: {} });
    assert.match(problems[0] ?? "", /^ATELIER_PORT must be a whole number from 0 to 65535 \(it is "many"\)\./);
  });

  test("in one line that all is well", async () => {
    const found = await lookAtSettings(configOf(), { env: { ATELIER_HOME: folder }, file: {} });
    assert.deepEqual(
      found.map(({ state }) => state),
      ["ok"],
    );
  });
});
