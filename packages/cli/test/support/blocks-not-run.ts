// Code blocks that no test runs, each with the reason. A block not in this list is run. An entry that no longer matches
// exactly one block of its page is an error.

interface NotRun {
  readonly page: string;
  // How the block begins.
  readonly begins: string;
  readonly why: string;
}

export const notRun: readonly NotRun[] = [
  { page: "README.md", begins: "npm start    # installs", why: "starts the server that runs here, and this very test" },
  { page: "README.md", begins: "npm run pack -- sdk", why: "packing and installing is packed.pack.test.ts" },
  {
    page: "docs/BACKUP.md",
    begins: "atelier backup --every 6h",
    why: "needs a bucket and keeps running; scheduled-backups.crash.test.ts runs it",
  },
  {
    page: "docs/UPGRADE.md",
    begins: "./atelier upgrade --back",
    why: "stops the server; upgrade.crash.test.ts runs it",
  },
  {
    page: "docs/UPGRADE.md",
    begins: "apt-get install -y postgresql-15",
    why: "needs an older PostgreSQL; change-postgres.crash.test.ts runs it",
  },
  {
    page: "docs/BACKUP.md",
    begins: "pg_basebackup -h db.example",
    why: "needs a PostgreSQL of the reader's; npm run test:long -- pitr runs it",
  },
  {
    page: "docs/BACKUP.md",
    begins: "cp -a /mnt/base/monday",
    why: "needs a PostgreSQL of the reader's; npm run test:long -- pitr runs it",
  },
  { page: "docs/BENCHMARKS.md", begins: "npm run bench", why: "takes minutes and the whole machine" },
  {
    page: "docs/CLIENTS.md",
    begins: "ATELIER_DIALECT=comfy npm start",
    why: "another server; npm run test:long -- clients runs it",
  },
  {
    page: "docs/CLIENTS.md",
    begins: 'import OpenAI from "openai"',
    why: "needs the package and the switch; npm run test:long -- clients runs it",
  },
  {
    page: "docs/CLIENTS.md",
    begins: "import os\nfrom openai",
    why: "needs the package and the switch; npm run test:long -- clients runs it",
  },
  {
    page: "docs/PARTNER-NODES.md",
    begins: "ATELIER_STAND_INS=on",
    why: "another server; npm run test:long -- partners runs it",
  },
  {
    page: "docs/PARTNER-NODES.md",
    begins: "./atelier models check nodes/mine.json",
    why: "the provider of the example does not exist; check-nodes-file.test.ts checks such files",
  },
  {
    page: "docs/PARTNER-NODES.md",
    begins: "./atelier templates install  ",
    why: "downloads 500 MB; install-templates.test.ts installs from wheels",
  },
  {
    page: "docs/EDITOR.md",
    begins: "./atelier editor install  ",
    why: "downloads the editor; install-editor.test.ts installs from a wheel",
  },
  {
    page: "docs/EDITOR.md",
    begins: "./atelier editor install --file",
    why: "needs the wheel; install-editor.test.ts installs from one",
  },
  {
    page: "docs/SAFETY.md",
    begins: "ATELIER_SAFETY_HOOK_SECRET=whsec_",
    why: "runs until it is ended; the SDK's examples.db.test.ts runs it with a server that asks it",
  },
  { page: "docs/ENGINE.md", begins: "python packages/engine", why: "needs an installed application" },
  {
    page: "docs/FLEET.md",
    begins: "kubectl create secret",
    why: "needs a cluster; npm run test:long -- packages checks the chart",
  },
  {
    page: "docs/WORKERS.md",
    begins: "ATELIER_WORKER_TOKEN=$TOKEN ./atelier pool",
    why: "starts an application that is not here; scaling.db.test.ts runs it",
  },
  {
    page: "docs/OPERATIONS.md",
    begins: "apt-get update",
    why: "needs root on a machine of its own; npm run test:long -- packages checks the units",
  },
  {
    page: "docs/OPERATIONS.md",
    begins: "cp /opt/atelier/deploy/caddy",
    why: "needs root; npm run test:long -- packages runs Caddy",
  },
  { page: "docs/OPERATIONS.md", begins: "cd /\nsudo -u atelier", why: "needs the service that the page installs" },
  {
    page: "docs/OPERATIONS.md",
    begins: "DATABASE_URL=postgres://",
    why: "needs a PostgreSQL of one's own; store tests run on one",
  },
  {
    page: "docs/BACKUP.md",
    begins: "./atelier secrets rotate",
    why: "changes the server that every page uses; secrets-command tests run it",
  },
  {
    page: "docs/MOVING.md",
    begins: 'eval "$(./atelier env)"',
    why: "stops the work of the workspace that other pages use at the same time; moved-workspace.db.test.ts does it",
  },
  { page: "docs/MONITORING.md", begins: "OTEL_EXPORTER", why: "needs a collector; tracing.crash.test.ts has one" },
  { page: "docs/guides/contributing.md", begins: "npm start  ", why: "starts a server, and runs this very test" },
  {
    page: "docs/PROVIDERS.md",
    begins: "curl -X PUT $ATELIER_URL/admin/providers/example",
    why: "calls a provider that does not exist; providers-page.db.test.ts runs it",
  },
  {
    page: "docs/PROVIDERS.md",
    begins: "curl -X PUT $ATELIER_URL/account/provider-credentials",
    why: "needs a provider's credential; own-credentials.db.test.ts runs it",
  },
  {
    page: "docs/QUEUED-CALLS.md",
    begins:
      'curl -s "$base/requests" -H "X-API-Key: $key" -H \'Content-Type: application/json\' \\\n  -H \'X-Service-Webhook-Url',
    why: "its receiver is on the internet",
  },
  {
    page: "docs/REGISTRY.md",
    begins: "atelier serve --registry-upstream",
    why: "mirrors another registry; registry-mirror.db.test.ts has one",
  },
  { page: "docs/SDK.md", begins: "npm run pack -- sdk", why: "packing and installing is packed.pack.test.ts" },
  {
    page: "docs/SELF-HOSTED.md",
    begins: "atelier proxy --application-folder",
    why: "needs the folder of an application; proxy-files.db.test.ts has one",
  },
  {
    page: "docs/SELF-HOSTED.md",
    begins: "curl -X POST http://127.0.0.1:8189/api/v2/assets/from-path",
    why: "needs that folder",
  },
  {
    page: "docs/SELF-HOSTED.md",
    begins: "curl -X POST http://127.0.0.1:8189/api/v2/assets -F",
    why: "needs that folder",
  },
  {
    page: "docs/SELF-HOSTED.md",
    begins: "ATELIER_PROXY_TOKEN=…",
    why: "a token of one's own, behind a TLS proxy; proxy-commands.crash.test.ts runs it",
  },
  { page: "docs/TESTING.md", begins: "npm test                  #", why: "runs this very test" },
  {
    page: "docs/TESTING.md",
    begins: "node_modules/.bin/node --conditions=atelier-source scripts/test-on-postgres15.ts",
    why: "is a stage of npm test",
  },
  {
    page: "docs/WEBHOOKS.md",
    begins: 'curl -X POST "$ATELIER_URL/account/webhooks/test"',
    why: "its receiver is on the internet",
  },
];

// Commands that change the machine they run on. Tests never run these, not even on a new page.
export const touchesTheMachine =
  /\b(apt-get|apt|dpkg|systemctl|journalctl|useradd|userdel|sudo|runuser|kubectl|helm|docker|brew)\b|(^|[\s='"])\/(etc|opt|usr|var|srv|root|home)\//m;
