// The files of deploy/ as their programs read them: YAML, helm, promtool, systemd, nginx and Caddy.
import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "../../../..");
const chart = join(root, "deploy/helm/atelier");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const run = (program: string, words: readonly string[], input = ""): SpawnSyncReturns<string> =>
  spawnSync(program, words, { input, encoding: "utf8", timeout: 60_000 });
const lacks = (program: string, ...words: readonly string[]) =>
  run(program, words).status !== 0 && `this machine has no ${program}`;

type Yaml = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Yaml => Object(value);
const loader = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.read())))";

function fromYaml(text: string): Yaml {
  const { status, stdout, stderr } = run("python3", ["-c", loader], text);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const noYaml = run("python3", ["-c", "import yaml"]).status !== 0 && "this machine has no python3 with yaml";

describe("compose.yaml", { skip: noYaml }, () => {
  const compose = noYaml ? {} : fromYaml(read("deploy/compose.yaml"));
  const services = membersOf(compose["services"]);
  const service = (name: string) => membersOf(services[name]);

  test("has two gateways, a worker, the migration and everything they depend on", () => {
    assert.deepEqual(Object.keys(services).toSorted(), [
      ...["bucket", "caddy", "gateway-1", "gateway-2", "migrate", "nats", "postgres", "s3", "worker"],
    ]);
  });

  test("our containers write only to home and /tmp, and have no privileges", () => {
    for (const name of ["gateway-1", "gateway-2", "worker", "migrate", "bucket"]) {
      const { read_only, tmpfs, cap_drop, security_opt } = service(name);
      assert.deepEqual(
        { read_only, tmpfs, cap_drop, security_opt },
        { read_only: true, tmpfs: ["/tmp"], cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] },
        name,
      );
    }
  });

  test("everything a service names is declared: volumes, secrets, networks and dependencies", () => {
    for (const name of Object.keys(services)) {
      const { volumes = [], secrets = [], networks = [], depends_on = {} } = service(name);
      for (const volume of Object.values(membersOf(volumes)).map(String)) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("./")) assert.ok(globSync(join(root, "deploy", source)).length === 1, source);
        else assert.ok(source in membersOf(compose["volumes"]), `${name}: ${source}`);
      }
      for (const secret of Object.values(membersOf(secrets))) {
        const source = typeof secret === "string" ? secret : String(membersOf(secret)["source"]);
        assert.ok(source in membersOf(compose["secrets"]), `${name}: ${source}`);
      }
      const joined = Array.isArray(networks) ? networks : Object.keys(membersOf(networks));
      for (const network of joined) assert.ok(String(network) in membersOf(compose["networks"]), `${name}: ${network}`);
      for (const other of Object.keys(membersOf(depends_on))) assert.ok(other in services, `${name}: ${other}`);
    }
  });

  test("secrets are files that the script makes, and only Caddy has ports on the host", () => {
    const script = read("deploy/compose/new-secrets.sh");
    for (const { file } of Object.values(membersOf(compose["secrets"])).map(membersOf)) {
      const name = String(file).split("/").at(-1) ?? "";
      assert.match(script, new RegExp(`\\[ (! )?-s ${name} \\]`), name);
    }
    const open = Object.keys(services).filter((name) => "ports" in service(name));
    assert.deepEqual(open, ["caddy"]);
    const secretWords = /password|secret|token|postgres:\/\//i;
    for (const name of Object.keys(services))
      for (const [key, value] of Object.entries(membersOf(service(name)["environment"])))
        assert.ok(!secretWords.test(key) || String(value).startsWith("/"), `${name}: ${key}`);
  });

  test("gateways have time to drain and have readiness probes", () => {
    for (const name of ["gateway-1", "gateway-2"]) {
      const { environment, stop_grace_period, healthcheck } = service(name);
      const drain = Number(membersOf(environment)["ATELIER_DRAIN_SECONDS"]);
      assert.ok(Number.parseInt(String(stop_grace_period), 10) >= drain + 5 + 10, name);
      assert.match(JSON.stringify(healthcheck), /9100\/readyz/);
    }
  });
});

describe("the chart", () => {
  const templates = globSync("templates/*", { cwd: chart }).map((path) => readFileSync(join(chart, path), "utf8"));
  const used = new Set(
    templates.flatMap((text) => [...text.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path = ""]) => path.slice(1))),
  );

  test("uses only values that values.yaml has, and values.yaml has none that it does not use", { skip: noYaml }, () => {
    const values = fromYaml(readFileSync(join(chart, "values.yaml"), "utf8"));
    const has = (path: string) =>
      path.split(".").reduce<unknown>((value, key) => membersOf(value)[key], values) !== undefined;
    assert.ok(used.size > 50);
    assert.deepEqual(
      [...used].filter((path) => !has(path)),
      [],
    );
    const isUsed = (path: string) => [...used].some((each) => path === each || path.startsWith(`${each}.`));
    assert.deepEqual(
      leavesOf(values, "").filter((path) => !isUsed(path)),
      [],
    );
    assert.equal(has("gateway.no.such"), false);
  });

  test("its schema knows every value, and refuses an unknown one", { skip: noYaml }, async () => {
    const { Ajv } = await import("ajv");
    const schema = JSON.parse(readFileSync(join(chart, "values.schema.json"), "utf8"));
    const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
    const values = fromYaml(readFileSync(join(chart, "values.yaml"), "utf8"));
    assert.ok(validate(values), JSON.stringify(validate.errors));
    assert.equal(validate({ ...values, gatway: {} }), false);
    assert.equal(validate({ ...values, gateway: { ...membersOf(values["gateway"]), processes: 0 } }), false);
    assert.equal(validate({ ...values, trustProxy: ["everything"] }), false);
  });

  test("opens and closes every block of its templates", () => {
    for (const text of templates) {
      const actions = [...text.matchAll(/\{\{-?\s*(\w+|\/\*)/g)].map(([, word]) => word);
      const opened = actions.filter((word) => ["if", "with", "range", "define"].includes(word ?? "")).length;
      assert.equal(opened, actions.filter((word) => word === "end").length, text.slice(0, 80));
    }
  });

  test("helm lints it and renders its manifests", { skip: lacks("helm", "version") }, () => {
    const linted = run("helm", ["lint", "--strict", chart]);
    assert.equal(linted.status, 0, linted.stdout + linted.stderr);
    const all = ["gateway.autoscaling", "worker", "worker.autoscaling", "podMonitor"].map(
      (name) => `${name}.enabled=true`,
    );
    const made = run("helm", ["template", "atelier", chart, "--set", [...all, "gateway.processes=2"].join(",")]);
    assert.equal(made.status, 0, made.stderr);
    for (const kind of ["Job", "Deployment", "Service", "Ingress", "PodDisruptionBudget", "HorizontalPodAutoscaler"])
      assert.match(made.stdout, new RegExp(`^kind: ${kind}$`, "m"));
    assert.match(made.stdout, /terminationGracePeriodSeconds: 680/);
  });
});

describe("rules, units and proxies are valid for the programs that read them", () => {
  test("promtool accepts the alert rules", { skip: lacks("promtool", "--version") }, () => {
    const { status, stdout, stderr } = run("promtool", ["check", "rules", join(root, "deploy/prometheus/alerts.yaml")]);
    assert.equal(status, 0, stdout + stderr);
  });

  test("they fire when they should and not otherwise", { skip: lacks("promtool", "--version") }, () => {
    const file = join(root, "deploy/prometheus/alerts.test.yaml");
    const { status, stdout, stderr } = run("promtool", ["test", "rules", file]);
    assert.equal(status, 0, stdout + stderr);
  });

  test("systemd reads the units without a warning", { skip: lacks("systemd-analyze", "--version") }, () => {
    const folder = mkdtempSync(join(tmpdir(), "atelier-units-"));
    try {
      const units = globSync("examples/systemd/*.{service,timer}", { cwd: root }).map((path) => {
        const copy = join(folder, path.split("/").at(-1) ?? "");
        // The program that they start is not yet at its final path.
        writeFileSync(copy, read(path).replaceAll("/opt/atelier/node_modules/.bin/node", process.execPath));
        return copy;
      });
      assert.equal(units.length, 6);
      const { status, stdout, stderr } = run("systemd-analyze", ["verify", "--man=no", ...units]);
      assert.deepEqual([status, stdout, stderr], [0, "", ""]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function leavesOf(value: unknown, path: string): string[] {
  const isBranch =
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0;
  if (!isBranch) return [path];
  return Object.entries(value).flatMap(([key, each]) =>
    // Keys defined by others, with dots in them.
    key.includes(".") || key.includes("/") ? [path] : leavesOf(each, path === "" ? key : `${path}.${key}`),
  );
}
