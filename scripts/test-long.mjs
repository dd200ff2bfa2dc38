// `npm run test:long -- <word> [options]`: one long proof. Without a word it lists them. Each script says its options at the top.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";

const contract = "v2-contract contract.db openapi";
// A proof is a script, what it gets before the options, and its environment.
const proofs = {
  inputs: {
    shows: "20,000 generated requests across every operation, 10,000 documents through the router",
    script: "test.mjs",
    words: "input-fuzz model-router-bytes",
    env: { ATELIER_TEST_LONG: "1" },
  },
  properties: { shows: "the property tests, many times, each time with a new seed", script: "test-properties.mjs" },
  tokens: {
    shows: "100,000 chains of derived tokens, and 1,000 spends on nested budgets over three gateways",
    script: "test.mjs",
    words: "derived-tokens deriving/restrictions",
    env: { ATELIER_TEST_LONG: "1" },
  },
  tags: {
    shows: "100,000 calls on the ledger: sums by tag and end user against the journal",
    script: "test.mjs",
    words: "usage-labels",
    env: { ATELIER_TEST_LONG: "1" },
  },
  console: {
    shows: "the console in Chromium, every page in every look",
    script: "test.mjs",
    words: "test/console/",
    env: { ATELIER_TEST_LONG: "1" },
  },
  editor: { shows: "the ecosystem's editor in Chromium: build, run, save, survive a kill", script: "test-editor.ts" },
  clients: { shows: "public SDKs against a server and a proxy with the dialect", script: "test-clients.mjs" },
  dialect: {
    shows: "the contract's tests with the dialect on",
    script: "test.mjs",
    words: `${contract} registry-nodes registry-lists model-router-catalog model-router-buckets members-and-keys dialect`,
    env: { ATELIER_TEST_DIALECT: "comfy" },
  },
  fleet: {
    shows: "the contract's tests through three gateways that take turns",
    script: "test.mjs",
    words: `${contract} resumable-uploads hostile-uploads tenants-and-quotas signed-content thumbnails registry model-router model-requests model-outputs partner members-and-keys own-credentials tenancy deployment workers-api provider-administration operators workspace-data sign-in-oidc job-money estimates mcp envelopes every-route-is-guarded`,
    env: { ATELIER_TEST_FLEET: "3" },
  },
  move: {
    shows: "a workspace moves between two servers while it works, the old one killed; imports killed at any moment",
    script: "test.mjs",
    words: "moved-between-servers workspace-import",
    env: { ATELIER_TEST_LONG: "1" },
  },
  s3: { shows: "blob storage against Ceph's S3 gateway", script: "test-s3.mjs" },
  templates: { shows: "every public workflow template converts and gets a form", script: "test-templates.ts" },
  partners: {
    shows: "which public templates run against stand-ins of partners, and what they are charged",
    script: "test-partner-templates.ts",
  },
  classes: {
    shows: "declared node classes against what the application says about them",
    script: "test-partner-classes.ts",
  },
  extract: {
    shows: "node classes read in public packs against those that an import has; time and memory for 10 MB",
    script: "test-extract.ts",
  },
  fill: {
    shows: "three workers fill from a lock, one killed, one neighbour lying; rate against a plain copy",
    script: "test-fill.ts",
  },
  pitr: {
    shows: "PostgreSQL's own archive brings a database back to the moment before a mistake",
    script: "test-pitr.ts",
  },
  packages: { shows: "the image, compose file, chart, proxies, alert rules and units", script: "test-packages.mjs" },
  release: {
    shows: "a release installs without a clone: npx from a registry on loopback, the wheel with pip",
    script: "test-release.mjs",
  },
  runtimes: { shows: "the packed SDK on Node, Deno and Bun", script: "test-runtimes.mjs" },
};

const [word, ...options] = process.argv.slice(2);
const proof = Object.hasOwn(proofs, word ?? "") ? proofs[word] : undefined;
if (proof === undefined) {
  const list = Object.entries(proofs).map(([name, { shows }]) => `  ${name.padEnd(12)}${shows}`);
  process.stderr.write(
    `${word === undefined ? "Name one" : `There is no long proof named ${word}`}: npm run test:long -- <word>\n${list.join("\n")}\n`,
  );
  process.exit(2);
}

const { script, words = "", env = {} } = proof;
const args = [join(import.meta.dirname, script), ...words.split(" ").filter((one) => one !== ""), ...options];
const child = spawn(process.execPath, ["--conditions=atelier-source", ...args], {
  stdio: "inherit",
  env: { ...process.env, ...env },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));
