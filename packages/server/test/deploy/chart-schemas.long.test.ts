// The chart's manifests, rendered by helm and checked by kubeconform against the schemas of Kubernetes itself.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { writeKubernetesSchemas } from "../support/kubernetes-schemas.ts";

const chart = join(import.meta.dirname, "../../../../deploy/helm/atelier");
const run = (program: string, words: readonly string[], input = "") =>
  spawnSync(program, words, { input, encoding: "utf8", timeout: 120_000 });
const works = (program: string, ...words: readonly string[]) => run(program, words).status === 0;
// Set by `npm run test:long -- packages` if it found the document.
const document = process.env["ATELIER_TEST_KUBERNETES_DOCUMENT"] ?? null;
const skip =
  (!works("helm", "version") && "this machine has no helm") ||
  (!works("kubeconform", "-v") && "this machine has no kubeconform") ||
  (document === null && "this machine has no schemas of Kubernetes (go mod download k8s.io/kubernetes@latest)");

const everything = [
  "gateway.autoscaling.enabled=true",
  "gateway.processes=2",
  "gateway.env.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318",
  "gateway.nodeSelector.disk=fast",
  "gateway.podAnnotations.note=x",
  "background.enabled=true",
  "worker.enabled=true",
  "worker.autoscaling.enabled=true",
  "worker.autoscaling.matchLabels.name=posters",
  "podMonitor.enabled=true",
  "image.pullSecrets[0].name=pull",
];
const least = ["migrate.enabled=false", "ingress.enabled=false", "networkPolicy.enabled=false"];

interface Judged {
  readonly resources: readonly { readonly kind: string; readonly status: string; readonly msg: string }[];
  readonly summary: Readonly<Record<"valid" | "invalid" | "errors" | "skipped", number>>;
}

describe("the chart against the schemas of Kubernetes", { skip, timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-schemas-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const location = skip === false && document !== null ? writeKubernetesSchemas(document, folder) : "";

  function judged(manifests: string): Judged {
    // PodMonitor is a kind of the Prometheus operator, not of Kubernetes.
    const words = ["-strict", "-summary", "-verbose", "-output", "json", "-skip", "PodMonitor"];
    const { stdout, stderr } = run("kubeconform", [...words, "-schema-location", location], manifests);
    assert.equal(stderr, "");
    return JSON.parse(stdout);
  }

  function made(values: readonly string[]): string {
    const words = values.flatMap((value) => ["--set", value]);
    const { status, stdout, stderr } = run("helm", ["template", "studio", chart, ...words]);
    assert.equal(status, 0, stderr);
    return stdout;
  }

  for (const [name, values, valid, skipped] of [
    ["as it is", [], 9, 0],
    ["with everything", everything, 14, 2],
    ["with the least", least, 4, 0],
  ] as const)
    test(`${name}: every manifest is valid for Kubernetes`, () => {
      const { resources, summary } = judged(made(values));
      const wrong = resources.filter(({ status }) => status === "statusInvalid" || status === "statusError");
      assert.deepEqual(wrong, []);
      assert.deepEqual(summary, { valid, invalid: 0, errors: 0, skipped });
    });

  test("a misspelt member, a wrong type and a kind that does not exist are found", () => {
    const manifests = made([]);
    for (const [from, to] of [
      ["readOnlyRootFilesystem:", "readOnlyRootFileSystem:"],
      ["terminationGracePeriodSeconds: ", "terminationGracePeriodSeconds: about "],
      ["apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n"],
    ] as const) {
      assert.ok(manifests.includes(from), from);
      const { invalid, errors } = judged(manifests.replaceAll(from, to)).summary;
      assert.ok(invalid + errors > 0, to);
    }
  });
});
