// `npm run test:long -- packages`: tries the contents of deploy/ for real: image, compose, chart, proxies, alert rules, units. It first
// lists what this machine lacks, one line each; the tests that need it are skipped.
//   npm run test:long -- packages              all of them
//   npm run test:long -- packages proxies   the files whose name holds a word
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { testEnvironment } from "./test-environment.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const words = process.argv.slice(2);
const works = (program, ...args) => spawnSync(program, args, { stdio: "ignore" }).status === 0;
// The newest OpenAPI document of Kubernetes among the local Go modules; null if there is none.
function kubernetesDocument() {
  const { status, stdout } = spawnSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" });
  if (status !== 0) return null;
  const found = globSync("k8s.io/kubernetes@v*/api/openapi-spec/swagger.json", { cwd: stdout.trim() });
  const newest = found.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return newest === undefined ? null : join(stdout.trim(), newest);
}
const document = kubernetesDocument();
const tools = [
  [
    "python3 with yaml",
    works("python3", "-c", "import yaml"),
    "compose, chart and rules are not checked as YAML (Debian: python3-yaml)",
  ],
  [
    "helm",
    works("helm", "version"),
    "the chart is not linted; its manifests are made with go if it is installed (go install helm.sh/helm/v4/cmd/helm@latest)",
  ],
  [
    "kubeconform",
    works("kubeconform", "-v"),
    "the chart is not checked against Kubernetes' schemas (go install github.com/yannh/kubeconform/cmd/kubeconform@latest)",
  ],
  [
    "Kubernetes' schemas",
    document !== null,
    "the Go module is not downloaded either (go mod download k8s.io/kubernetes@latest)",
  ],
  ["skopeo", works("skopeo", "--version"), "no other program reads the image's archive (Debian: skopeo)"],
  ["go", works("go", "version"), "without helm the chart's manifests are not made"],
  ["promtool", works("promtool", "--version"), "the alert rules are not checked (Debian: prometheus)"],
  ["otelcol", works("otelcol", "--version"), "traces are not sent to a real collector"],
  ["nginx", works("nginx", "-v"), "its configuration is not tested (Debian: nginx-light)"],
  ["caddy", works("caddy", "version"), "its configuration is not tested (Debian: caddy)"],
  ["openssl", works("openssl", "version"), "nginx gets no certificate and is not tested"],
  ["systemd-analyze", works("systemd-analyze", "--version"), "the units are not checked"],
  ["PostgreSQL 15", existsSync("/usr/lib/postgresql/15/bin/postgres"), "the image has no database to start with"],
  ["root and unshare", process.getuid?.() === 0 && works("unshare", "--mount", "true"), "the image is not started"],
];
for (const [name, isHere, lost] of tools)
  process.stdout.write(`${isHere ? "✓" : "–"}  ${name}${isHere ? "" : ` is missing: ${lost}`}\n`);

const files = globSync("packages/server/test/deploy/*.test.ts", { cwd: root })
  .sort()
  .filter((path) => words.length === 0 || words.some((word) => path.split("/").at(-1).includes(word)));
const { status } = spawnSync(
  process.execPath,
  [
    "--conditions=atelier-source",
    "--disable-warning=ExperimentalWarning",
    "--test",
    "--test-concurrency=1",
    "--test-timeout=1500000",
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    ...files,
  ],
  {
    cwd: root,
    stdio: ["ignore", 1, 2],
    env: {
      ...testEnvironment(process.env),
      ...(document === null ? {} : { ATELIER_TEST_KUBERNETES_DOCUMENT: document }),
      ATELIER_TEST_LONG: "1",
    },
  },
);
process.exitCode = status ?? 1;
