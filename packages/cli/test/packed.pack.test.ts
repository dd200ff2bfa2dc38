// What is published is what is packed: built files, no sources, no tests; and it runs in an empty folder.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { programMsMax } from "../../server/test/support/limits.ts";
import { until } from "../../server/test/support/server-process.ts";
import { atelier, checkout, dataOf, ownEnvironment, temporaryFolder } from "./support/command-line.ts";
import { build, install, type Packed, pack, published } from "./support/empty-install.ts";
import { compile, typedPieces } from "./support/typed-pieces.ts";

const folder = temporaryFolder();
const installFolder = join(folder.path, "empty");
const packed: Packed[] = [];
const adminToken = "admin-token-of-the-packed-server-test";

before(() => {
  mkdirSync(installFolder);
  build();
  for (const name of published) packed.push(pack(name, folder.path));
  install(packed, installFolder);
});
after(() => folder.remove());

const program = (): [string, string] => [process.execPath, join(installFolder, "node_modules/.bin/atelier")];
const of = (name: string): Packed => {
  const found = packed.find((each) => each.name === name);
  assert.ok(found);
  return found;
};

describe("a packed package", () => {
  test("has built files, no TypeScript source, no test, its licence and the third-party notices", (t) => {
    for (const { name, files, bytes } of packed) {
      const foreign = files.filter(
        (path) => /(?<!\.d)\.ts$/.test(path) || /\.test\./.test(path) || /^(src|test)\//.test(path),
      );
      assert.deepEqual(foreign, [], name);
      for (const document of ["LICENSE", "NOTICE.md"])
        assert.ok(files.includes(`dist/${document}`), `${name} ${document}`);
      t.diagnostic(`@atelier/${name}: ${files.length} files, ${Math.round(bytes / 1024)} KiB packed`);
      assert.ok(bytes < 2 * 1024 * 1024, `${name} is small: ${bytes} bytes`);
    }
  });

  test("contains every file that its exports and its bin point to", () => {
    for (const { name, files, manifest } of packed) {
      const targets =
        JSON.stringify([manifest["exports"], manifest["bin"]]).match(/(?:\.\/)?(?:dist|bin)\/[\w./-]+/g) ?? [];
      assert.ok(targets.length > 0, name);
      for (const target of targets) assert.ok(files.includes(target.replace("./", "")), `${name}: ${target}`);
    }
  });

  test("is packed from a fresh build", () => {
    for (const { name, manifest } of packed) {
      assert.deepEqual(manifest["scripts"], { prepack: `node ../../scripts/build.mjs ${name}` });
      assert.notEqual(manifest["private"], true);
    }
  });

  test("the server includes every migration and the entry of every child and thread", () => {
    const { files } = of("server");
    for (const migration of readdirSync(join(checkout, "packages/server/migrations"))) {
      assert.ok(files.includes(`migrations/${migration}`), migration);
    }
    const children = globSync("**/*.{child,worker}.ts", { cwd: join(checkout, "packages/server/src") });
    assert.ok(children.length > 0);
    for (const child of children) assert.ok(files.includes(`dist/${child.replace(/\.ts$/, ".js")}`), child);
    assert.ok(files.includes("dist/CHANGELOG.md"));
    // Of the editor, only our own script that it loads: the editor itself is installed by operators.
    assert.deepEqual(
      files.filter((path) => /(^|\/)editor\/.*\.(?:js|css|html|whl)$/.test(path) && !path.startsWith("dist/")),
      ["editor/console-link.js"],
    );
  });

  test("a shell can run the command", () => {
    assert.ok(statSync(join(installFolder, "node_modules/@atelier/cli/bin/atelier.mjs")).mode & 0o100);
  });
});

// Decision 0006: scripts are off during installation, so it cannot build. It must not produce a package without its
// files.
test("npm pack in any package fails, leaves nothing behind and says what to run instead", () => {
  const settings = readFileSync(join(checkout, ".npmrc"), "utf8");
  assert.match(settings, /^ignore-scripts=true$/m, "npm ci by hand runs no dependency's script");
  assert.deepEqual(globSync("packages/*/.npmrc", { cwd: checkout }), [], "one setting for all of them");
  const env = { ...ownEnvironment, npm_config_cache: join(folder.path, "npm-cache") };
  for (const name of ["sdk", "cli"]) {
    const cwd = join(checkout, "packages", name);
    const ran = spawnSync("npm", ["pack"], { cwd, env, encoding: "utf8", timeout: programMsMax });
    assert.ok(ran.status !== 0 && ran.status !== null, `${name}: ${ran.status}`);
    assert.match(ran.stderr, /npm-pack-does-not-build-here\/use-instead\/npm-run-pack/, name);
    assert.deepEqual(globSync("**/*.tgz", { cwd, exclude: ["released", "node_modules"] }), [], name);
  }
});

test("empty packages are private", () => {
  const all = readdirSync(join(checkout, "packages"))
    .filter((name) => !published.includes(name))
    // The Python client is no package of npm's.
    .filter((name) => existsSync(join(checkout, "packages", name, "package.json")));
  assert.ok(["contract", "server", "cli", "sdk"].every((name) => published.includes(name)));
  for (const name of all) {
    const manifest = JSON.parse(readFileSync(join(checkout, "packages", name, "package.json"), "utf8"));
    assert.equal(manifest.private, true, name);
  }
});

// The README's first picture, with only what was installed: a model of the sandbox, the engine, a file.
async function makesAPicture(url: string, home: string): Promise<void> {
  const graph = join(checkout, "examples/first-picture.json");
  const words = ["run", graph, "-o", join(folder.path, "out"), "--base-url", url, "--home", home, "--json"];
  const run = await atelier(words, { program: program(), folder: installFolder });
  assert.equal(run.code, 0, run.out + run.err);
  const [output] = dataOf<{ outputs: { file: string; size_bytes: number }[] }>(run).outputs;
  assert.ok(output);
  assert.equal(statSync(output.file).size, output.size_bytes);
  assert.deepEqual([...readFileSync(output.file).subarray(1, 4)], [...Buffer.from("PNG")]);
}

// As typed by a person who has only the packages.
async function npxFindsModels(url: string, home: string): Promise<void> {
  const env = { HOME: folder.path, npm_config_cache: join(folder.path, "npm"), npm_config_update_notifier: "false" };
  const listed = await atelier(["models", "list"], {
    program: ["npx", "--no", "--", "atelier"],
    folder: installFolder,
    env: {
      ...env,
      PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
      ATELIER_URL: url,
      ATELIER_HOME: home,
    },
  });
  assert.equal(listed.code, 0, listed.err);
  assert.match(listed.out, /^sandbox\/image-1\t/m);
}

// The package brings the pages already built.
async function showsTheConsole(url: string): Promise<void> {
  const page = await fetch(url, { headers: { accept: "text/html" } });
  const [path] = /\/console\/files\/[\w.-]+\.js/.exec(await page.text()) ?? [];
  const file = await fetch(`${url}${path}`, { headers: { "accept-encoding": "br" } });
  assert.deepEqual([page.status, file.status, file.headers.get("content-encoding")], [200, 200, "br"]);
}

// A body of this size is read in a thread, which must find its file in the package too.
async function echoesALargeBody(url: string, home: string): Promise<void> {
  const key = /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
  const body = JSON.stringify({ text: "A".repeat(300_000) });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/v1/models/sandbox/open-1`, { method: "POST", headers, body });
  const text = await answer.text();
  assert.equal(answer.status, 200, text.slice(0, 500));
  assert.ok(text === body);
}

// The tarball's SDK, on our Node and on the host's if that is another one. Deno and Bun: npm run test:long -- runtimes.
function usesTheSdk(url: string, home: string): void {
  const runtimes = join(checkout, "packages/sdk/test/runtimes");
  copyFileSync(join(runtimes, "everything.mjs"), join(installFolder, "everything.mjs"));
  const expected: unknown = JSON.parse(readFileSync(join(runtimes, "expected.json"), "utf8"));
  const key = /^API key: +(\S+)$/m.exec(readFileSync(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((part) => !part.includes("node_modules"));
  const nodes = [process.execPath, ...path.map((part) => join(part, "node")).filter((each) => existsSync(each))];
  for (const node of new Set(nodes)) {
    const env = { ATELIER_URL: url, ATELIER_API_KEY: key };
    const said = execFileSync(node, ["everything.mjs"], {
      cwd: installFolder,
      env,
      encoding: "utf8",
      timeout: programMsMax,
    });
    assert.deepEqual(JSON.parse(said), expected, node);
  }
}

// Code about models in the pages and examples is typed by `atelier models types` and the tarball's declarations, and
// needs no cast.
async function compilesTheDocuments(url: string, home: string): Promise<void> {
  const pieces = typedPieces();
  const target = join(installFolder, "typed");
  mkdirSync(target);
  // The exact line of the page, after which a reader's code must compile.
  const [, line = ""] =
    /^atelier (models types -o models\.d\.ts)/m.exec(readFileSync(join(checkout, "docs/SDK.md"), "utf8")) ?? [];
  const words = [...line.split(" "), "--base-url", url, "--home", home];
  assert.equal(words[0], "models", "the page says how the types are written");
  const written = await atelier(words, { program: program(), folder: target });
  assert.equal(written.code, 0, written.err);
  assert.deepEqual(compile(target, pieces), []);
  // An unknown member and a value of the wrong type are found, so the types do say something.
  const wrong = {
    name: "wrong.ts",
    code: `import { Atelier } from "@atelier/sdk";
const { data } = await new Atelier().models.run("sandbox/text-1", { prompt: 5 });
console.log(data.txt);`,
  };
  assert.deepEqual(compile(target, [wrong]).length, 2);
}

describe("installed into an empty folder", () => {
  test("--version and config run", async () => {
    const { version } = JSON.parse(readFileSync(join(checkout, "packages/cli/package.json"), "utf8"));
    const options = { program: program(), folder: installFolder };
    assert.equal((await atelier(["--version"], options)).out, `${version}\n`);
    const config = await atelier(["config", "--json"], options);
    assert.equal(config.code, 0, config.err);
    assert.ok(dataOf<unknown[]>(config).length > 10);
  });

  test("serve answers badges, release notes and a dry run in a child process; run makes a picture; SIGTERM exits 0", async () => {
    const [node, bin] = program();
    const home = join(folder.path, "home");
    const child = spawn(node, [bin, "serve", "--port", "0", "--home", home], {
      cwd: installFolder,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...ownEnvironment, ATELIER_ADMIN_TOKEN: adminToken },
    });
    const said = { text: "" };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said.text += chunk.toString();
      });
    }
    const exited = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    const giveUp = setTimeout(() => child.kill("SIGKILL"), programMsMax);
    try {
      const url = await until(`ready\n${said.text}`, () => /^ready (\S+)/m.exec(said.text)?.[1] ?? null);
      const badges = await fetch(`${url}/nodes/pricing/badges?app_version=1.2.3&platform=local`);
      assert.equal(badges.status, 200);
      assert.ok(Object.keys(Object(await badges.json())).length >= 12);
      const notes = await fetch(`${url}/release-notes`);
      assert.ok((await notes.text()).endsWith(readFileSync(join(checkout, "CHANGELOG.md"), "utf8")));
      const tried = await fetch(`${url}/admin/badges/dry-run`, {
        method: "POST",
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
        body: JSON.stringify({
          badge: {
            engine: "jsonata",
            expr: '{"type": "usd", "usd": 0.05}',
            depends_on: { widgets: [], inputs: [], input_groups: [] },
          },
        }),
      });
      const verdict = await tried.text();
      assert.equal(tried.status, 200, verdict);
      assert.equal(JSON.parse(verdict).accepted, true, verdict);
      for (const path of ["/docs", "/openapi.json", "/llms.txt", "/sign-in", "/readyz"]) {
        assert.equal((await fetch(`${url}${path}`)).status, 200, path);
      }
      await echoesALargeBody(url, home);
      await showsTheConsole(url);
      await makesAPicture(url, home);
      await npxFindsModels(url, home);
      usesTheSdk(url, home);
      await compilesTheDocuments(url, home);
    } finally {
      child.kill("SIGTERM");
    }
    assert.equal(await exited, 0, said.text);
    clearTimeout(giveUp);
  });
});
