// Every setting of the server: name, kind, default and a one-sentence description. .env.example, the JSON schema of
// atelier.config.json and docs/SETTINGS.md are generated from this table; a test keeps them in sync.
import { applicationSettings } from "./application-settings.ts";
import { busSettings } from "./bus-settings.ts";
import { readAllowance } from "./foundation/http/outgoing/egress-allow.ts";
import { problemOfRange } from "./foundation/http/peer-address.ts";
import {
  choiceSetting,
  integerSetting,
  listSetting,
  optionalIntegerSetting,
  readSettings,
  type SettingInputs,
  type SettingValues,
  secretSetting,
  switchSetting,
  textSetting,
  urlSetting,
} from "./foundation/settings.ts";
import { jobSettings } from "./job-settings.ts";
import { oidcSettings } from "./oidc-settings.ts";
import { overloadSettings } from "./overload-settings.ts";
import { processSettings } from "./process-settings.ts";
import { registrySettings } from "./registry-settings.ts";
import { tracingSettings } from "./tracing-settings.ts";

export const settingTable = {
  home: textSetting({
    env: "ATELIER_HOME",
    default: "./.atelier",
    about: "The data folder: embedded database, blobs, secrets.",
  }),
  host: textSetting({
    env: "ATELIER_HOST",
    default: "127.0.0.1",
    about: "The address to listen on. Anything but loopback opens the server to the network.",
  }),
  port: integerSetting({
    env: "ATELIER_PORT",
    default: 8080,
    min: 0,
    max: 65535,
    about: "The port to listen on; 0 takes a free one.",
  }),
  baseUrl: urlSetting({
    env: "ATELIER_BASE_URL",
    default: null,
    about: "The service's public address; where we listen if absent. Setting it switches development's defaults off.",
  }),
  cloudUrl: urlSetting({
    env: "ATELIER_CLOUD_URL",
    default: null,
    about: "The public address of the managed cloud surface; the base URL if absent.",
  }),
  deploymentUrl: urlSetting({
    env: "ATELIER_DEPLOYMENT_URL",
    default: null,
    about: "The public address of dedicated deployments; the base URL if absent.",
  }),
  platformUrl: urlSetting({
    env: "ATELIER_PLATFORM_URL",
    default: null,
    about: "The public address of the key management site; the base URL if absent.",
  }),
  allowedHosts: listSetting({
    env: "ATELIER_ALLOWED_HOSTS",
    default: [],
    about:
      "Further host names (with port, if not 80 or 443) that requests may name in Host; for a TLS proxy on this machine.",
  }),
  corsOrigins: listSetting({
    env: "ATELIER_CORS_ORIGINS",
    default: [],
    item: (text) => (URL.parse(text)?.origin === text ? null : "is not an origin such as https://studio.example"),
    about:
      "Origins whose pages may call us from a browser, exactly as browsers send them. Price badges are open to all.",
  }),
  trustProxy: listSetting({
    env: "ATELIER_TRUST_PROXY",
    default: [],
    item: problemOfRange,
    about: "Address ranges (CIDR) of proxies whose X-Forwarded-For we believe.",
  }),
  databaseUrl: secretSetting({
    env: "DATABASE_URL",
    default: null,
    prefix: "postgres",
    lengthMin: 8,
    about: "A PostgreSQL of yours (15 or newer); an embedded one under the data folder if absent.",
  }),
  migrate: choiceSetting({
    env: "ATELIER_MIGRATE",
    default: "manual",
    choices: ["manual", "auto"],
    about:
      "With DATABASE_URL: whether the server applies migrations at start (auto) or asks for `atelier migrate` (manual). The embedded database always migrates.",
  }),
  databasePooler: choiceSetting({
    env: "ATELIER_DATABASE_POOLER",
    default: "none",
    choices: ["none", "transaction"],
    about:
      "Whether DATABASE_URL leads to a pooler that gives a connection per transaction (pgbouncer); what needs a connection of its own then uses ATELIER_DATABASE_DIRECT_URL.",
  }),
  databaseDirectUrl: secretSetting({
    env: "ATELIER_DATABASE_DIRECT_URL",
    default: null,
    prefix: "postgres",
    lengthMin: 8,
    about: "PostgreSQL itself, beside a pooler: for migrations, backups and the bus; DATABASE_URL if absent.",
  }),
  databaseReplicaUrl: secretSetting({
    env: "ATELIER_DATABASE_REPLICA_URL",
    default: null,
    prefix: "postgres",
    lengthMin: 8,
    about:
      "A standby of DATABASE_URL from which lists and figures are read while it has everything that was committed; they come from DATABASE_URL whenever it has not, and if absent.",
  }),
  databasePoolSize: integerSetting({
    env: "ATELIER_DATABASE_POOL_SIZE",
    default: 16,
    min: 2,
    max: 500,
    about: "Connections for transactions, per process.",
  }),
  secretsFile: textSetting({
    env: "ATELIER_SECRETS_FILE",
    default: null,
    about: "The key ring file (mode 0600); secrets.json in the data folder if absent.",
  }),
  secrets: secretSetting({
    env: "ATELIER_SECRETS",
    default: null,
    isText: true,
    about: "The text of a key ring, instead of a file; for orchestrators that give secrets as environment.",
  }),
  secretsFurtherFile: textSetting({
    env: "ATELIER_SECRETS_FURTHER_FILE",
    default: null,
    about: "A second key ring, whose keys are believed and never sign; to change rings that no process can write.",
  }),
  secretsFurther: secretSetting({
    env: "ATELIER_SECRETS_FURTHER",
    default: null,
    isText: true,
    about: "The same as text.",
  }),
  adminToken: secretSetting({
    env: "ATELIER_ADMIN_TOKEN",
    default: null,
    lengthMin: 24,
    about: "A bearer token for the admin API, known as the admin token named `environment`.",
  }),
  bootstrapKey: secretSetting({
    env: "ATELIER_BOOTSTRAP_KEY",
    default: null,
    prefix: "service-",
    lengthMin: 32,
    about: "The first start gives this API key to the first workspace; made up if absent.",
  }),
  bootstrapCredits: integerSetting({
    env: "ATELIER_BOOTSTRAP_CREDITS",
    default: 10_000,
    max: 1_000_000_000,
    about: "Credits of the first workspace of a fresh install.",
  }),
  identityIssuer: urlSetting({
    env: "ATELIER_IDENTITY_ISSUER",
    default: null,
    about: "Issuer of cloud identity JWTs; our own embedded issuer if absent.",
  }),
  identityJwksUrl: urlSetting({
    env: "ATELIER_IDENTITY_JWKS_URL",
    default: null,
    about: "Where the issuer publishes its keys; /.well-known/jwks.json at the issuer if absent.",
  }),
  identityAudience: textSetting({
    env: "ATELIER_IDENTITY_AUDIENCE",
    default: "atelier",
    about: "The audience that a cloud identity JWT must name.",
  }),
  ...oidcSettings,
  badgesCacheControl: textSetting({
    env: "ATELIER_BADGES_CACHE_CONTROL",
    default: "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
    pattern: /^[\x20-\x7e]+$/,
    shape: "a Cache-Control value",
    about: "Cache-Control of successful price badge answers.",
  }),
  creditsPerUsd: integerSetting({
    env: "ATELIER_CREDITS_PER_USD",
    default: 211,
    min: 1,
    max: 1_000_000,
    about: "How many credits one US dollar buys.",
  }),
  contentUrl: urlSetting({
    env: "ATELIER_CONTENT_URL",
    default: null,
    about:
      "The public address of the content origin, where bytes that users made are served; the second port if absent.",
  }),
  contentPort: optionalIntegerSetting({
    env: "ATELIER_CONTENT_PORT",
    default: null,
    min: 0,
    max: 65535,
    about: "The port of the content origin; one above ATELIER_PORT if absent.",
  }),
  contentRedirect: switchSetting({
    env: "ATELIER_CONTENT_REDIRECT",
    default: false,
    about:
      "With blobs on S3: whether downloads by signed addresses are sent to the store's own signed address (302) after all checks, instead of through this server.",
  }),
  signedUrlSeconds: integerSetting({
    env: "ATELIER_SIGNED_URL_SECONDS",
    default: 21_600,
    min: 600,
    max: 21_600,
    about: "How long a signed URL works.",
  }),
  blobs: textSetting({
    env: "ATELIER_BLOBS",
    default: null,
    about: "Where blobs lie: file:<folder> or s3://<bucket>/<prefix>?endpoint=…; blobs in the data folder if absent.",
  }),
  blobsKeyId: secretSetting({
    env: "ATELIER_BLOBS_KEY_ID",
    default: null,
    about: "The access key of an S3-compatible store; the environment of its own tools counts if absent.",
  }),
  blobsSecret: secretSetting({
    env: "ATELIER_BLOBS_SECRET",
    default: null,
    about: "The secret of ATELIER_BLOBS_KEY_ID.",
  }),
  ...busSettings,
  router: switchSetting({
    env: "ATELIER_ROUTER",
    default: true,
    about: "Whether the model router serves calls; off answers 404 with bucket not_enabled.",
  }),
  routerDeadlineSeconds: integerSetting({
    env: "ATELIER_ROUTER_DEADLINE_SECONDS",
    default: 600,
    min: 1,
    max: 86_400,
    about: "How long one invocation's connection is held; then 504 with bucket deadline_exceeded.",
  }),
  callLeaseSeconds: integerSetting({
    env: "ATELIER_CALL_LEASE_SECONDS",
    default: 45,
    min: 3,
    max: 90,
    about: "How long a process may be silent before another takes over the calls that it has at providers.",
  }),
  routerBodyBytesMax: integerSetting({
    env: "ATELIER_ROUTER_BODY_BYTES_MAX",
    default: 20 * 1024 * 1024,
    min: 1024,
    about: "The largest model input.",
  }),
  requestsQueuedMax: integerSetting({
    env: "ATELIER_REQUESTS_QUEUED_MAX",
    default: 1_000,
    min: 0,
    about: "How many queued model calls a workspace may have waiting; an operator may say otherwise for one workspace.",
  }),
  requestQueueSeconds: integerSetting({
    env: "ATELIER_REQUEST_QUEUE_SECONDS",
    default: 86_400,
    min: 1,
    max: 86_400,
    about: "How long a queued model call waits for a slot; then it ends as queue_timeout and its credits come back.",
  }),
  requestsAtOnce: integerSetting({
    env: "ATELIER_REQUESTS_AT_ONCE",
    default: 512,
    min: 1,
    about: "How many queued model calls this process has at providers at once; slots of workspaces bound them besides.",
  }),
  dialect: choiceSetting({
    env: "ATELIER_DIALECT",
    default: "off",
    choices: ["off", "comfy"],
    about:
      "Further spellings and shapes that public clients of an ecosystem expect, beside our own; off leaves every byte as the contract says.",
  }),
  providers: listSetting({
    env: "ATELIER_PROVIDERS",
    default: [],
    about: "Files with provider definitions, besides those that ship with the server.",
  }),
  partners: listSetting({
    env: "ATELIER_PARTNERS",
    default: [],
    about:
      "Files with partner definitions, besides the two that ship with the server; one of the same slug replaces it.",
  }),
  partnerAUrl: urlSetting({
    env: "ATELIER_PARTNER_A_URL",
    default: null,
    about: "Where partner-a is; the sandbox if absent, and without a sandbox its operations answer 503.",
  }),
  partnerBUrl: urlSetting({
    env: "ATELIER_PARTNER_B_URL",
    default: null,
    about: "Where partner-b is; the sandbox if absent, and without a sandbox its operations answer 503.",
  }),
  partnerBodyBytesMax: integerSetting({
    env: "ATELIER_PARTNER_BODY_BYTES_MAX",
    default: 50 * 1024 * 1024,
    min: 1024,
    about: "The largest partner proxy request.",
  }),
  partnerTaskKeepDays: integerSetting({
    env: "ATELIER_PARTNER_TASK_KEEP_DAYS",
    default: 30,
    min: 2,
    max: 3650,
    about: "How many days after its end a task at a partner can be read.",
  }),
  webhookTargets: listSetting({
    env: "ATELIER_WEBHOOK_TARGETS",
    default: [],
    item: (text) =>
      /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\]):\d{1,5}$/.test(text)
        ? null
        : "is not a loopback target such as 127.0.0.1:3000",
    about:
      "For development on one machine: loopback host:port targets that webhooks may also go to, over http too. Refused when we listen beyond loopback or have a public address.",
  }),
  egressAllow: listSetting({
    env: "ATELIER_EGRESS_ALLOW",
    default: [],
    item: (text) => {
      const read = readAllowance(text);
      return read.ok ? null : read.problem;
    },
    about:
      "Private networks that URLs given to this server may reach, each as purpose=network-or-host:port, such as webhooks=10.1.0.0/16:* or outputs=minio.lan:9000. Purposes: webhooks, outputs, scale, registry, partners. Without a port: 443 and 80. Loopback, link-local and metadata addresses stay closed.",
  }),
  webhookKeepDays: integerSetting({
    env: "ATELIER_WEBHOOK_KEEP_DAYS",
    default: 30,
    min: 5,
    max: 400,
    about: "How many days the log of webhook deliveries goes back.",
  }),
  ...jobSettings,
  ...registrySettings,
  sandbox: choiceSetting({
    env: "ATELIER_SANDBOX",
    default: "auto",
    choices: ["auto", "on", "off"],
    about:
      "Whether the sandbox providers run beside the server; auto is on only in development: on loopback and without a public address.",
  }),
  ...applicationSettings,
  workerToken: secretSetting({
    env: "ATELIER_WORKER_TOKEN",
    default: null,
    prefix: "worker-",
    lengthMin: 32,
    about: "worker: the token that the server it works for has made for it.",
  }),
  ...processSettings,
  ...overloadSettings,
  ...tracingSettings,
  logLevel: choiceSetting({
    env: "ATELIER_LOG_LEVEL",
    default: "info",
    choices: ["debug", "info", "warn", "error", "silent"],
    about: "What is logged. Every request is a line at debug; refusals at info; our own failures at error.",
  }),
} as const;

export type Config = SettingValues<typeof settingTable>;

export function readConfig(inputs: SettingInputs) {
  return readSettings(settingTable, inputs);
}
