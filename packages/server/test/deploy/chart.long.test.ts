// The manifests that the chart renders: by helm if it is installed, else by Go's templates, which helm uses.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { settingTable } from "../../src/config.ts";

const chart = join(import.meta.dirname, "../../../../deploy/helm/atelier");
const renderer = join(import.meta.dirname, "../support/render-chart.go");
const works = (program: string, ...words: readonly string[]) =>
  spawnSync(program, words, { stdio: "ignore" }).status === 0;
const hasHelm = works("helm", "version");
const skip =
  (!hasHelm && !works("go", "version") && "this machine has neither helm nor go") ||
  (!works("python3", "-c", "import yaml") && "this machine has no python3 with yaml");

// biome-ignore lint/suspicious/noExplicitAny: a manifest may hold anything, and is asked for what it should
type Manifest = any;
type Values = Readonly<Record<string, unknown>>;

// A duplicate key in a map is an error to Kubernetes, but not to YAML's usual parsers.
const strictLoader = `
import json, sys, yaml
class Strict(yaml.SafeLoader): pass
def mapping(loader, node):
    keys = [loader.construct_object(key) for key, _ in node.value]
    assert len(keys) == len(set(keys)), keys
    return yaml.SafeLoader.construct_mapping(loader, node, True)
Strict.add_constructor("tag:yaml.org,2002:map", mapping)
print(json.dumps([d for d in yaml.load_all(sys.stdin, Strict) if d]))
`;

describe("the chart's manifests", { skip, timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-chart-"));
  const program = join(folder, "render-chart");
  after(() => rmSync(folder, { recursive: true, force: true }));
  if (skip === false && !hasHelm)
    execFileSync("go", ["build", "-o", program, renderer], {
      env: { ...process.env, HOME: folder, GOFLAGS: "-mod=mod", GOTOOLCHAIN: "local" },
    });

  function manifestsOf(changes: Values = {}): Manifest[] {
    const said = hasHelm ? byHelm(changes) : byGo(changes);
    return JSON.parse(execFileSync("python3", ["-c", strictLoader], { input: said, encoding: "utf8" }));
  }

  function byHelm(changes: Values): string {
    const words = ["template", "studio", chart, "--set-json"];
    return execFileSync("helm", [...words, pathsOf(changes).join(",") || "podSecurity.userId=10001"], {
      encoding: "utf8",
    });
  }

  function byGo(changes: Values): string {
    const loader = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    const values = execFileSync("python3", ["-c", loader, join(chart, "values.yaml")], { encoding: "utf8" });
    const given = {
      Values: merged(JSON.parse(values), changes),
      Chart: { Name: "atelier", Version: "0.2.0", AppVersion: "0.2.0" },
      Release: { Name: "studio", Namespace: "default", Service: "Helm" },
    };
    const input = JSON.stringify(given);
    return execFileSync(program, [join(chart, "templates")], { input, encoding: "utf8" });
  }

  const everything = {
    gateway: { autoscaling: { enabled: true }, processes: 2 },
    worker: { enabled: true, autoscaling: { enabled: true, matchLabels: { name: "posters" } } },
    podMonitor: { enabled: true },
  };
  const named = (all: Manifest[], kind: string, name: string): Manifest => {
    const found = all.filter((each) => each.kind === kind && each.metadata.name === `studio-atelier-${name}`);
    assert.equal(found.length, 1, `${kind} ${name}`);
    return found[0];
  };
  const kindsOf = (all: Manifest[]) => all.map(({ kind }) => kind).toSorted();

  test("are gateways, their migration, services, names and rules; workers and scaling on request", () => {
    const usual = ["Deployment", "Ingress", "Ingress", "Job", "NetworkPolicy", "NetworkPolicy", "PodDisruptionBudget"];
    assert.deepEqual(kindsOf(manifestsOf()), [...usual, "Service", "Service"]);
    assert.deepEqual(
      kindsOf(manifestsOf(everything)),
      [
        ...usual,
        "Service",
        "Service",
        "Deployment",
        "PodMonitor",
        ...Array(2).fill("HorizontalPodAutoscaler"),
      ].toSorted(),
    );
    const none = { migrate: { enabled: false }, ingress: { enabled: false }, networkPolicy: { enabled: false } };
    assert.deepEqual(kindsOf(manifestsOf(none)), ["Deployment", "PodDisruptionBudget", "Service", "Service"]);
  });

  test("pods run without privileges on a read-only root, with settings and ring from a Secret that only the group reads", () => {
    const all = manifestsOf(everything);
    const pods = all
      .filter(({ kind }) => kind === "Deployment" || kind === "Job")
      .map(({ spec }) => spec.template.spec);
    assert.equal(pods.length, 3);
    for (const { securityContext, containers, volumes, automountServiceAccountToken } of pods) {
      const { runAsNonRoot, runAsUser, fsGroup } = securityContext;
      assert.deepEqual([runAsNonRoot, runAsUser, fsGroup, automountServiceAccountToken], [true, 10001, 10001, false]);
      assert.equal(containers[0].securityContext.readOnlyRootFilesystem, true);
      assert.deepEqual(containers[0].securityContext.capabilities, { drop: ["ALL"] });
      const mounts = containers[0].volumeMounts.map(({ name, mountPath }: Manifest) => [name, mountPath]);
      assert.deepEqual(mounts, [
        ["settings", "/etc/atelier"],
        ["home", "/var/lib/atelier"],
        ["temporary", "/tmp"],
      ]);
      assert.deepEqual(
        volumes.map(({ name }: Manifest) => name),
        ["settings", "home", "temporary"],
      );
      assert.equal(volumes[0].secret.defaultMode, 0o440);
      const known: string[] = Object.values(settingTable).map(({ env }) => env);
      for (const { name, value } of containers[0].env) {
        assert.ok(known.includes(name), name);
        assert.equal(typeof value, "string", name);
      }
    }
  });

  test("the example of scaled workers follows one deployment, and lets a removed pod finish its jobs", () => {
    const loader = "import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))";
    const path = join(import.meta.dirname, "../../../../examples/kubernetes/scaled-workers.yaml");
    const values: Values = JSON.parse(execFileSync("python3", ["-c", loader, path], { encoding: "utf8" }));
    const all = manifestsOf(values);
    const { spec } = named(all, "Deployment", "worker");
    assert.equal(spec.replicas, undefined, "the autoscaler's number");
    const { terminationGracePeriodSeconds, containers } = spec.template.spec;
    const drain = containers[0].env.find(({ name }: Manifest) => name === "ATELIER_JOB_DRAIN_SECONDS");
    assert.ok(terminationGracePeriodSeconds > Number(drain.value));
    const pool = containers[0].args[containers[0].args.indexOf("--pool") + 1];
    const scaler = named(all, "HorizontalPodAutoscaler", "worker").spec;
    assert.deepEqual([scaler.minReplicas, scaler.maxReplicas], [1, 8]);
    const [{ external }] = scaler.metrics;
    assert.equal(external.metric.name, "atelier_deployment_workers_wanted");
    assert.deepEqual(external.metric.selector.matchLabels, { deployment: pool });
  });

  test("a gateway has more time to end than it needs, is probed at ports it has, and is found by its services", () => {
    const all = manifestsOf({ gateway: { ...everything.gateway, drainSeconds: 100, drainNoticeSeconds: 7 } });
    const { spec } = named(all, "Deployment", "gateway");
    const labels = spec.template.metadata.labels;
    assert.deepEqual(spec.selector.matchLabels, labels);
    assert.equal(spec.replicas, undefined);
    assert.equal(spec.template.spec.terminationGracePeriodSeconds, 147);
    const [{ ports, env, startupProbe, livenessProbe, readinessProbe }] = spec.template.spec.containers;
    assert.deepEqual(
      ports.map(({ name, containerPort }: Manifest) => `${name} ${containerPort}`),
      ["api 8080", "content 8081", "metrics-0 9100", "metrics-1 9101"],
    );
    const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => `${httpGet.port}${httpGet.path}`);
    assert.deepEqual(paths, ["api/livez", "api/livez", "api/readyz"]);
    const settingOf = (name: string) => env.find((each: Manifest) => each.name === name).value;
    assert.equal(settingOf("ATELIER_BASE_URL"), "https://atelier.example");
    assert.equal(settingOf("ATELIER_ALLOWED_HOSTS"), "studio-atelier-gateway:8080");
    assert.deepEqual([settingOf("ATELIER_DRAIN_SECONDS"), settingOf("ATELIER_PROCESSES")], ["100", "2"]);
    for (const [service, port] of [
      ["gateway", "api"],
      ["content", "content"],
    ] as const) {
      const found = named(all, "Service", service).spec;
      assert.deepEqual([found.selector, found.ports[0].targetPort], [labels, port]);
      const ingress = named(all, "Ingress", service === "gateway" ? "api" : "content").spec;
      const { name, port: wanted } = ingress.rules[0].http.paths[0].backend.service;
      assert.deepEqual([name, wanted.name], [`studio-atelier-${service}`, port]);
      assert.deepEqual(ingress.tls[0].hosts, [ingress.rules[0].host]);
    }
    assert.deepEqual(named(all, "PodDisruptionBudget", "gateway").spec.selector.matchLabels, labels);
  });

  test("the metrics ports are open only to monitoring, and nothing calls a worker", () => {
    const all = manifestsOf(everything);
    const rules: Manifest[] = named(all, "NetworkPolicy", "gateway").spec.ingress;
    const portsOf = (rule: Manifest) => rule.ports.map(({ port }: Manifest) => port);
    const open = rules.filter((rule) => portsOf(rule).some((port: number) => port >= 9100));
    assert.deepEqual(open.map(portsOf), [[9100, 9101]]);
    const label = { "kubernetes.io/metadata.name": "monitoring" };
    assert.deepEqual(open[0].from, [{ namespaceSelector: { matchLabels: label } }]);
    assert.deepEqual(named(all, "NetworkPolicy", "worker").spec.ingress, []);
  });

  test("background work gets its own pods on request, and the gateways then leave it to them", () => {
    const all = manifestsOf({ background: { enabled: true }, podMonitor: { enabled: true } });
    const container = (name: string) => named(all, "Deployment", name).spec.template.spec.containers[0];
    const rolesOf = (name: string) =>
      container(name)
        .env.find((each: Manifest) => each.name === "ATELIER_ROLES")
        .value.split(",");
    assert.deepEqual([...rolesOf("gateway"), ...rolesOf("background")], ["gateway", "background", "webhooks"]);
    const { ports, readinessProbe } = container("background");
    assert.deepEqual(ports, [{ name: "metrics-0", containerPort: 9100 }]);
    assert.deepEqual(readinessProbe.httpGet, { path: "/readyz", port: "metrics-0" });
    const labels = named(all, "Deployment", "background").spec.template.metadata.labels;
    for (const kind of ["NetworkPolicy", "PodMonitor"]) {
      const { spec } = named(all, kind, "background");
      assert.deepEqual((spec.podSelector ?? spec.selector).matchLabels, labels);
    }
    const usual = named(manifestsOf(), "Deployment", "gateway").spec.template.spec.containers[0].env;
    assert.ok(!usual.some(({ name }: Manifest) => name === "ATELIER_ROLES"));
  });

  test("workers call the gateways' service, or a given address, and follow the scaling signal", () => {
    const all = manifestsOf(everything);
    const argsOf = (each: Manifest[]) => named(each, "Deployment", "worker").spec.template.spec.containers[0].args;
    const inside = ["worker", "--server", "http://studio-atelier-gateway:8080", "--plain-http", "--slots", "2"];
    assert.deepEqual(argsOf(all), inside);
    const elsewhere = { worker: { enabled: true, server: "https://a.example", pool: "0198" } };
    const outside = ["worker", "--server", "https://a.example", "--slots", "2", "--pool", "0198"];
    assert.deepEqual(argsOf(manifestsOf(elsewhere)), outside);
    const [metric] = named(all, "HorizontalPodAutoscaler", "worker").spec.metrics;
    assert.deepEqual(metric.external, {
      metric: { name: "atelier_deployment_workers_wanted", selector: { matchLabels: { name: "posters" } } },
      target: { type: "AverageValue", averageValue: "1" },
    });
    const [cpu] = named(all, "HorizontalPodAutoscaler", "gateway").spec.metrics;
    assert.deepEqual(cpu.resource, { name: "cpu", target: { type: "Utilization", averageUtilization: 65 } });
  });
});

const isBranch = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function merged(values: Values, changes: Values): Values {
  const changed = Object.entries(changes).map(([key, value]) => {
    const before = values[key];
    return [key, isBranch(value) && isBranch(before) ? merged(before, value) : value] as const;
  });
  return { ...values, ...Object.fromEntries(changed) };
}

// As helm's --set-json takes them: one path with its value each.
function pathsOf(values: Values, above = ""): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isBranch(value) ? pathsOf(value, `${above}${key}.`) : [`${above}${key}=${JSON.stringify(value)}`],
  );
}
