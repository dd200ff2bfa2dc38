// The client's commands for badges, webhooks, nodes and the administration of a server.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort } from "../../server/test/support/free-port.ts";
import { programMsMax } from "../../server/test/support/limits.ts";
import { type ServerProcess, startServerProcess, until } from "../../server/test/support/server-process.ts";
import { atelier, bin, dataOf, ownEnvironment, type Ran, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
const home = join(folder.path, "home");
const adminToken = "admin-token-of-the-client-command-tests";
let server: ServerProcess;
let receiverPort = 0;

before(async () => {
  receiverPort = await freePort();
  server = await startServerProcess({
    home,
    env: {
      ATELIER_SANDBOX: "auto",
      ATELIER_ADMIN_TOKEN: adminToken,
      ATELIER_DRAIN_SECONDS: "1",
      ATELIER_WEBHOOK_TARGETS: `127.0.0.1:${receiverPort}`,
    },
  });
});
after(async () => {
  await server.kill("SIGTERM");
  folder.remove();
});

const env = () => ({ ATELIER_URL: server.baseUrl, ATELIER_HOME: home });
const call = (...words: string[]): Promise<Ran> => atelier(words, { folder: folder.path, env: env() });
const asAdmin = (...words: string[]): Promise<Ran> =>
  atelier(words, { folder: folder.path, env: { ...env(), ATELIER_ADMIN_TOKEN: adminToken } });
const rowsOf = (ran: Ran): string[][] =>
  ran.out
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
const file = (name: string, content: unknown): string => {
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

describe("badges", () => {
  const row = (expr: string) => ({
    node_id: "CommandLineNode",
    platforms: ["local"],
    from_version: "1.0.0",
    badge: { engine: "jsonata", expr, depends_on: { widgets: [], inputs: [], input_groups: [] } },
  });

  test("check proves rows and stores nothing; push stores them once and asks before it replaces", async () => {
    const good = file("good.json", [row('{"type": "usd", "usd": 0.05}')]);
    const bad = file("bad.json", row('{"type": "usd", "usd": 0.05'));
    const checked = await asAdmin("badges", "check", good, bad);
    assert.equal(checked.code, 12, checked.err);
    assert.match(checked.out, /^✓ .*good\.json +CommandLineNode/m);
    assert.match(checked.out, /^✕ .*bad\.json[\s\S]*error +S0203/m);
    assert.equal((await asAdmin("badges", "push", good, bad)).code, 12, "nothing is pushed unless all is well");
    assert.equal((await asAdmin("badges", "ls", "--node", "CommandLineNode")).out, "");
    assert.equal(rowsOf(await asAdmin("badges", "push", good))[0]?.[2], "stored");
    assert.equal(rowsOf(await asAdmin("badges", "push", good))[0]?.[2], "unchanged");
    const dearer = file("dearer.json", row('{"type": "usd", "usd": 0.06}'));
    assert.equal((await asAdmin("badges", "push", dearer)).code, 2);
    assert.equal(rowsOf(await asAdmin("badges", "push", dearer, "--yes"))[0]?.[2], "replaced");
  });

  test("without the operator's token it exits 3 and says which setting is missing", async () => {
    const ran = await call("badges", "ls");
    assert.equal(ran.code, 3);
    assert.match(ran.err, /ATELIER_ADMIN_TOKEN/);
  });
});

describe("administration", () => {
  interface Who {
    readonly workspace: { readonly id: string };
    readonly key: { readonly id: string };
  }
  const whoAmI = async () => dataOf<Who>(await call("whoami", "--json"));

  test("a limit is changed with a reason, listed beside its default and reset; the audit log has it", async () => {
    const { workspace } = await whoAmI();
    const set = await asAdmin("limits", "set", workspace.id, "asset_bytes", "500GB", "--reason", "a film");
    assert.match(set.out, /^asset_bytes is 500 GB instead of /);
    assert.equal(rowsOf(await asAdmin("limits", "ls", workspace.id, "--changed")).length, 1);
    assert.match((await asAdmin("limits", "reset", workspace.id, "asset_bytes")).out, /, the default\.$/m);
    assert.equal((await asAdmin("limits", "set", workspace.id, "asset_bytes", "much")).code, 2);
    const entries = dataOf<unknown[]>(await asAdmin("audit", "--workspace", workspace.id, "--limit", "2", "--json"));
    assert.equal(entries.length, 2);
    assert.match(JSON.stringify(entries), /asset_bytes/);
    assert.equal((await asAdmin("audit", "--since", "yesterday")).code, 2);
  });

  test("a key's caps are set one by one, and none removes a cap", async () => {
    const { id } = (await whoAmI()).key;
    assert.match((await call("caps", "set", id, "--daily", "50")).out, /of 50 credits today, .* any number of credits/);
    assert.match((await call("caps", "set", id, "--monthly", "500")).out, /of 50 credits today, .* of 500 credits/);
    assert.match((await call("caps", "set", id, "--daily", "none", "--monthly", "none")).out, /any number.*any number/);
    assert.equal((await call("caps", "set", id)).code, 2);
  });

  test("members are added with a link, change roles and are removed; a service account has keys until it goes", async () => {
    const added = await call("members", "add", "Vera", "--role", "viewer", "--link-hours", "2");
    assert.match(added.out, /Vera is in the workspace as viewer[\s\S]*\/sign-in\//);
    const vera =
      rowsOf(await call("members", "ls"))
        .find(([name]) => name === "Vera")
        ?.at(-1) ?? "";
    assert.match((await call("members", "role", vera, "billing")).out, /role billing/);
    assert.match((await call("members", "link", vera)).out, /\/sign-in\//);
    assert.equal((await call("members", "role", vera, "king")).code, 2);
    assert.match((await call("members", "remove", vera, "--yes")).out, /^Removed/);
    const { id } = dataOf<{ readonly id: string }>(await call("service-accounts", "create", "renders", "--json"));
    assert.match((await call("service-accounts", "key", id, "build", "--expires-days", "9")).out, /^service-/);
    assert.equal(rowsOf(await call("service-accounts", "ls"))[0]?.[0], "renders");
    assert.match((await call("service-accounts", "remove", id, "--yes")).out, /Keys revoked: 1\./);
    assert.notEqual((await call("service-accounts", "key", id, "again")).code, 0);
  });

  test("retention is counted before it is saved, kind by kind, and none takes it back", async () => {
    assert.match((await call("retention", "set", "--outputs", "90", "--dry-run")).out, /^Nothing is that old/);
    assert.match((await call("retention", "show")).out, /outputs +as long as/);
    assert.match((await call("retention", "set", "--outputs", "90", "--yes")).out, /outputs +deleted after 90 days/);
    const both = await call("retention", "set", "--history", "365", "--yes");
    assert.match(both.out, /outputs +deleted after 90[\s\S]*history +deleted after 365[\s\S]*applies from/);
    await call("retention", "set", "--outputs", "none", "--history", "none", "--yes");
    assert.match((await call("retention", "show")).out, /outputs +as long as[\s\S]*history +as long as/);
    assert.deepEqual(
      [(await call("retention", "set")).code, (await call("retention", "set", "--outputs", "x")).code],
      [2, 2],
    );
  });

  test("a deployment is created from a file, stopped, started and removed", async () => {
    const given = file("deployment.json", { name: "posters", environment: { engine: "embedded" }, workers_max: 2 });
    const { id } = dataOf<{ readonly id: string }>(await asAdmin("deployments", "create", given, "--json"));
    assert.equal(rowsOf(await asAdmin("deployments", "ls"))[0]?.[0], "posters");
    assert.match(
      (await asAdmin("deployments", "change", id, file("more.json", { workers_max: 3 }))).out,
      /^posters is /,
    );
    assert.match((await asAdmin("deployments", "stop", id, "--yes")).out, /^posters is stopped/);
    assert.match((await asAdmin("deployments", "start", id)).out, /^posters is provisioning: /);
    assert.equal((await asAdmin("deployments", "rm", id, "--yes")).code, 5, "it has to be stopped first");
    await asAdmin("deployments", "stop", id, "--yes");
    assert.equal((await asAdmin("deployments", "rm", id, "--yes")).code, 0);
    assert.equal((await asAdmin("deployments", "ls")).out, "");
  });
});

describe("webhooks", () => {
  test("listen receives and checks deliveries; the log shows them; redeliver sends again", async () => {
    const secret = (await call("webhooks", "secret", "--rotate", "--yes")).out.trim();
    assert.match(secret, /^whsec_/);
    const words = ["webhooks", "listen", "--port", String(receiverPort), "--count", "2", "--jsonl"];
    const listener = spawn(process.execPath, [bin, ...words], {
      cwd: folder.path,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...ownEnvironment, ...env(), ATELIER_WEBHOOK_SECRET: secret },
    });
    const said = { out: "", err: "" };
    listener.stdout.on("data", (chunk: Buffer) => {
      said.out += chunk.toString();
    });
    listener.stderr.on("data", (chunk: Buffer) => {
      said.err += chunk.toString();
    });
    const giveUp = setTimeout(() => listener.kill("SIGKILL"), programMsMax);
    const closed = once(listener, "close");
    try {
      await until("it listens", () => said.err.includes("listening at"));
      const key = /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
      const sent = await fetch(`${server.baseUrl}/account/webhooks/test`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ url: `http://127.0.0.1:${receiverPort}/hook` }),
      });
      assert.equal(sent.status, 202, await sent.clone().text());
      const id = await until("it is delivered", async () => {
        const [row] = rowsOf(await call("webhooks", "log", "--status", "delivered"));
        return row?.[1] === "webhook.test" ? (row[0] ?? null) : null;
      });
      assert.match((await call("webhooks", "log", id)).out, /^try 1 +\S+ +204 /m);
      assert.equal((await call("webhooks", "redeliver", id)).code, 0);
      await closed;
    } finally {
      clearTimeout(giveUp);
      listener.kill("SIGTERM");
    }
    const lines = said.out
      .trim()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ type, is_genuine }) => [type, is_genuine]),
      [
        ["delivery", true],
        ["delivery", true],
        ["result", undefined],
      ],
    );
  });

  test("endpoints are added with their secret alone on standard output, listed, tested, paused, resumed and removed", async () => {
    const url = `http://127.0.0.1:${receiverPort}/endpoint`;
    const endpoints = (...words: string[]) => call("webhooks", "endpoints", ...words);
    assert.equal((await endpoints()).out, "");
    assert.match((await endpoints("ad", url)).err, /Did you mean "add"\?/);
    assert.match((await endpoints("add", url)).err, /--type job\.succeeded/);
    assert.match((await endpoints("add", url, "--type", "job.done")).err, /types/);
    assert.match((await endpoints("add", "https://10.0.0.1/", "--type", "job.failed")).err, /public host/);
    const added = await endpoints(
      "add",
      url,
      "--type",
      "job.succeeded,job.failed",
      "--tag",
      "a=b",
      "--description",
      "CI",
    );
    assert.match(added.out, /^whsec_\S+\n$/);
    const [row] = rowsOf(await endpoints("ls"));
    const [id = "", ...rest] = row ?? [];
    assert.deepEqual(rest, [url, "job.succeeded job.failed", "tag a=b", "active", "", "CI"]);
    assert.equal((await endpoints("add", url, "--type", "job.failed")).code === 0, false);
    assert.match((await endpoints("pause", id)).out, /endpoints resume/);
    assert.equal(rowsOf(await endpoints())[0]?.[4], "paused");
    assert.equal((await endpoints("resume", id)).code, 0);
    assert.equal((await endpoints("test", id)).code, 0);
    assert.equal(rowsOf(await call("webhooks", "log", "--endpoint", id))[0]?.[1], "webhook.test");
    assert.equal((await endpoints("rotate", id)).code, 2);
    assert.notEqual((await endpoints("rotate", id, "--yes")).out, added.out);
    assert.equal((await endpoints("rm", id)).code, 2);
    assert.equal((await endpoints("rm", id, "--yes")).code, 0);
    assert.deepEqual(dataOf(await endpoints("ls", "--json")), []);
  });
});

describe("nodes", () => {
  test("init, validate, publish, search and install work in sequence; a flagged version exits 12", async () => {
    const installFolder = join(folder.path, "line-node");
    assert.equal((await call("nodes", "init", installFolder, "--publisher", "line-studio")).code, 0);
    const early = await call("nodes", "publish", installFolder);
    assert.equal(early.code, 4);
    assert.match(early.err, /atelier nodes publisher line-studio/);
    assert.equal((await call("nodes", "publisher", "line-studio", "--name", "Line studio")).code, 0);
    assert.equal((await call("nodes", "publisher", "line-studio")).code, 0, "one's own is no conflict");
    assert.match((await call("nodes", "publisher", "Line_Studio")).err, /use lowercase letters, digits and hyphens/);
    const token = (await call("nodes", "token", "line-studio")).out.trim();
    assert.match(token, /^[\w-]{40,}$/);
    writeFileSync(join(installFolder, ".studioignore"), "");
    spawnSync("git", ["init", "-q"], { cwd: installFolder });
    spawnSync("git", ["add", "pyproject.toml", "__init__.py"], { cwd: installFolder });
    writeFileSync(join(installFolder, "secret.env"), "never packed");
    const checked = await call("nodes", "validate", installFolder, "--json");
    assert.equal(checked.code, 0, checked.out);
    assert.deepEqual(dataOf<{ files: string[] }>(checked).files, ["__init__.py", "pyproject.toml"]);
    const published = await call("nodes", "publish", installFolder, "--token", token);
    assert.equal(published.code, 0, published.out + published.err);
    assert.match(published.out, /^✓ line-node 0\.1\.0 is active/);
    assert.equal((await call("nodes", "publish", installFolder)).code, 5, "a published number does not change");
    const found = await call("nodes", "search", "line-node");
    assert.equal(rowsOf(found)[0]?.[0], "line-node");
    assert.match(
      (await call("nodes", "install", "line-node@9.9.9")).err,
      /has no version 9\.9\.9\.\n.*its versions: 0\.1\.0/,
    );
    const installed = await call("nodes", "install", "line-node@0.1.0", "-o", join(folder.path, "custom"));
    assert.equal(installed.code, 0, installed.err);
    assert.deepEqual(readdirSync(join(folder.path, "custom/line-node")).sort(), ["__init__.py", "pyproject.toml"]);

    writeFileSync(
      join(installFolder, "pyproject.toml"),
      readFileSync(join(installFolder, "pyproject.toml"), "utf8").replace("0.1.0", "0.2.0"),
    );
    writeFileSync(join(installFolder, "__init__.py"), "eval(input())\n");
    const stopped = await call("nodes", "publish", installFolder);
    assert.equal(stopped.code, 12, stopped.err);
    assert.match(stopped.out, /python_eval .*__init__\.py:1/);
    assert.match(stopped.err, /Nothing was sent/);
    assert.match((await call("nodes", "review", "line-node@0.2.0")).err, /no such version/);
    const flagged = await call("nodes", "publish", installFolder, "--anyway");
    assert.equal(flagged.code, 12, flagged.err);
    assert.match(flagged.out, /flagged, not active.*python_eval .*__init__\.py:1/s);
    assert.match(flagged.err, /Next: fix the findings and publish a higher version, or .*operator/);
    const review = await call("nodes", "review", "line-node@0.2.0");
    assert.equal(review.code, 12, review.err);
    assert.match(review.out, /is flagged.*python_eval.*by checks/s);
    assert.equal((await call("nodes", "deprecate", "line-node@0.1.0")).code, 0);
    const advised = await call("nodes", "install", "line-node", "-o", join(folder.path, "advised"));
    assert.match(advised.err, /is deprecated/);
    assert.equal((await call("nodes", "deprecate", "line-node@0.1.0", "--undo")).code, 0);
  });

  test("a folder without a manifest, or with a broken one, exits 12 and says where", async () => {
    const installFolder = join(folder.path, "broken-node");
    mkdirSync(installFolder);
    assert.match((await call("nodes", "validate", installFolder)).out, /manifest_missing/);
    writeFileSync(join(installFolder, "pyproject.toml"), '[project]\nname = "x\n');
    const broken = await call("nodes", "publish", installFolder);
    assert.equal(broken.code, 12);
    assert.match(broken.out, /manifest_unreadable .*pyproject\.toml:2/);
  });
});
