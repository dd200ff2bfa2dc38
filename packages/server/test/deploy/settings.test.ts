// Everything that the files in deploy/ name exists: settings, commands, members of the settings file, ports, labels,
// files.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { settingTable } from "../../src/config.ts";
import { serverCommands } from "../../src/main.ts";

const root = join(import.meta.dirname, "../../../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const files = globSync("{deploy,examples/systemd}/**/*.*", {
  cwd: root,
  exclude: (path) => path.includes("compose/secrets"),
})
  .filter((path) => /\.(yaml|json|conf|sh|mjs|service|tpl|md|txt)$/.test(path))
  .concat("deploy/Containerfile", "deploy/caddy/Caddyfile", "docs/FLEET.md");
const settings = new Set(Object.values(settingTable).map(({ env }) => env));

function unknownSettings(text: string): string[] {
  const named = [...text.matchAll(/\bATELIER_[A-Z0-9_]+\b/g)].map(([name]) => name);
  // Providers' credentials are named by their definitions.
  return named.filter((name) => !settings.has(name) && !name.startsWith("ATELIER_PROVIDER_"));
}

describe("what deploy/ names", () => {
  test("there are files of every kind", () => {
    assert.ok(files.length > 25, files.join(" "));
  });

  for (const path of files)
    test(`every setting in ${path} is one of the server's`, () => assert.deepEqual(unknownSettings(read(path)), []));

  test("an unknown one would be found", () => {
    assert.deepEqual(unknownSettings("ATELIER_PORT ATELIER_PROT ATELIER_PROVIDER_X"), ["ATELIER_PROT"]);
  });

  test("every member of the generated settings file is a setting", () => {
    const [, written = ""] = /<<JSON\n([\s\S]*?)\nJSON/.exec(read("deploy/compose/new-secrets.sh")) ?? [];
    const members = [...written.matchAll(/^ {2}"(\w+)":/gm)].map(([, name = ""]) => name);
    assert.ok(members.length > 5);
    assert.deepEqual(
      members.filter((name) => !(name in settingTable)),
      [],
    );
    assert.ok("workerToken" in settingTable);
  });

  test("every command that a container or a unit starts exists", () => {
    const commands = new Set(serverCommands.map(({ name }) => name));
    const started = [
      ...[...read("deploy/compose.yaml").matchAll(/^ +command: \[([a-z][a-z-]*)[,\]]/gm)],
      ...[...read("deploy/Containerfile").matchAll(/^CMD \["(\w+)"\]/gm)],
      ...globSync("deploy/helm/**/*.yaml", { cwd: root }).flatMap((path) => [
        ...read(path).matchAll(/^ +args:(?: \[|\n +- )(\w+)/gm),
      ]),
      ...globSync("examples/systemd/*", { cwd: root }).flatMap((path) => [
        ...read(path).matchAll(/^ExecStart=\S+ \S+ (\w+)/gm),
      ]),
    ].map(([, name = ""]) => name);
    assert.deepEqual(started.toSorted(), [
      ...[
        "backup",
        "migrate",
        "migrate",
        "migrate",
        "pool",
        "serve",
        "serve",
        "serve",
        "serve",
        "serve",
        "worker",
        "worker",
        "worker",
      ],
    ]);
    for (const name of started) assert.ok(commands.has(name), name);
  });

  test("both images have the same user, entry point, settings, ports and labels", () => {
    const container = read("deploy/Containerfile");
    const script = read("scripts/build-image.mjs");
    const entrance = /^ENTRYPOINT (\[.*\])$/m.exec(container)?.[1] ?? "";
    assert.ok(entrance !== "" && script.includes(`Entrypoint: ${entrance}`));
    const environment = /^ENV (.*)$/m.exec(container)?.[1]?.split(" ") ?? [];
    assert.equal(environment.length, 3);
    for (const each of environment) assert.ok(script.includes(`"${each}"`), each);
    for (const port of /^EXPOSE (.*)$/m.exec(container)?.[1]?.split(" ") ?? [])
      assert.ok(script.includes(`"${port}/tcp"`));
    const version: string = JSON.parse(read("packages/server/package.json")).version;
    const labels = [...container.matchAll(/(org\.opencontainers\.image\.\w+)="([^"]*)"/g)];
    assert.equal(labels.length, 4);
    for (const [, name = "", value = ""] of labels) {
      const expected = value === version ? `"${name}": version` : `"${name}": "${value}"`;
      assert.ok(script.includes(expected), expected);
    }
    assert.match(container, /^USER 10001:10001$/m);
    assert.match(read("scripts/image/root-files.mjs"), /id: 10001\b/);
  });

  test("every builder ignores the same files, and every package's manifest is copied first", () => {
    assert.equal(read(".dockerignore"), read(".containerignore"));
    const container = read("deploy/Containerfile");
    for (const path of globSync("packages/*/package.json", { cwd: root }))
      assert.ok(container.includes(`COPY ${path} ${path.replace("package.json", "")}\n`), path);
  });

  test("the unit in the operations guide is the one in the examples", () => {
    const [, shown = ""] = /```ini\n([\s\S]*?)```/.exec(read("docs/OPERATIONS.md")) ?? [];
    const unit = read("examples/systemd/atelier.service");
    assert.equal(shown, unit.slice(unit.indexOf("[Unit]")));
  });

  test("the version of the chart and of the images is the server's", () => {
    const version: string = JSON.parse(read("packages/server/package.json")).version;
    assert.ok(read("deploy/helm/atelier/Chart.yaml").includes(`appVersion: "${version}"`));
    assert.ok(read("deploy/compose.yaml").includes(`image: atelier:${version}\n`));
  });
});
