// Every setting of the server: name, kind, default and a one-sentence description. .env.example, the JSON schema of
// atelier.config.json and docs/SETTINGS.md are generated from this table; a test keeps them in sync.
import { applicationSettings } from "./application-settings.ts";
import { backupSettings } from "./backup-settings.ts";
import { busSettings } from "./bus-settings.ts";
import { contentSettings } from "./content-settings.ts";
import { dialectSettings } from "./dialect-settings.ts";
import { readAllowance } from "./foundation/http/outgoing/egress-allow.ts";
import { checkRange } from "./foundation/http/peer-address.ts";
import {
  choiceSetting,
  integerSetting,
  listSetting,
  readSettings,
  type SettingInputs,
  type SettingValues,
  secretSetting,
  switchSetting,
  textSetting,
  urlSetting,
} from "./foundation/settings.ts";
import { jobSettings } from "./job-settings.ts";
import { mailSettings } from "./mail-settings.ts";
import { oidcSettings } from "./oidc-settings.ts";
import { overloadSettings } from "./overload-settings.ts";
import { partnerNodeSettings } from "./partner-node-settings.ts";
import { paymentSettings } from "./payment-settings.ts";
import { processSettings } from "./process-settings.ts";
import { registrySettings } from "./registry-settings.ts";
import { requestBodySettings } from "./request-body-settings.ts";
import { safetySettings } from "./safety-settings.ts";
import { tracingSettings } from "./tracing-settings.ts";
import { weightSettings } from "./weight-settings.ts";

export const settingTable = {
  home: textSetting({
    env: "ATELIER_HOME",
    default: "./.atelier",
    about: "The data folder: embedded database, blobs and secrets.",
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
    about: "The port to listen on; 0 picks a free one.",
  }),
  baseUrl: urlSetting({
    env: "ATELIER_BASE_URL",
    default: null,
    about:
      "The public URL of the service. Setting it turns development defaults off. Default: the address it listens on.",
  }),
  cloudUrl: urlSetting({
    env: "ATELIER_CLOUD_URL",
    default: null,
    about: "The public URL of the managed cloud surface. Default: ATELIER_BASE_URL.",
  }),
  deploymentUrl: urlSetting({
    env: "ATELIER_DEPLOYMENT_URL",
    default: null,
    about: "The public URL of dedicated deployments. Default: ATELIER_BASE_URL.",
  }),
  platformUrl: urlSetting({
    env: "ATELIER_PLATFORM_URL",
    default: null,
    about: "The public URL of the key management site. Default: ATELIER_BASE_URL.",
  }),
  allowedHosts: listSetting({
    env: "ATELIER_ALLOWED_HOSTS",
    default: [],
    about:
      "More host names to accept in the Host header (with the port, unless 80 or 443), for a TLS proxy on this machine.",
  }),
  corsOrigins: listSetting({
    env: "ATELIER_CORS_ORIGINS",
    default: [],
    item: (text) => (URL.parse(text)?.origin === text ? null : "is not an origin such as https://studio.example"),
    about:
      "Origins whose pages may call the API from a browser, exactly as browsers send them. Price badges are open to all origins.",
  }),
  trustProxy: listSetting({
    env: "ATELIER_TRUST_PROXY",
    default: [],
    item: checkRange,
    about: "Address ranges (CIDR) of proxies whose X-Forwarded-For is trusted.",
  }),
  databaseUrl: secretSetting({
    env: "DATABASE_URL",
    default: null,
    prefix: "postgres",
    lengthMin: 8,
    about: "The PostgreSQL database to use (15 or newer). Default: an embedded one in the data folder.",
  }),
  migrate: choiceSetting({
    env: "ATELIER_MIGRATE",
    default: "manual",
    choices: ["manual", "auto"],
    about:
      "With DATABASE_URL: auto applies migrations at start, manual requires `atelier migrate`. The embedded database always migrates.",
  }),
  databasePooler: choiceSetting({
    env: "ATELIER_DATABASE_POOLER",
    default: "none",
    choices: ["none", "transaction"],
    about:
      "Set to transaction if DATABASE_URL leads to a pooler that assigns connections per transaction (pgbouncer). Work that needs a dedicated connection then uses ATELIER_DATABASE_DIRECT_URL.",
  }),
  databaseDirectUrl: secretSetting({
    env: "ATELIER_DATABASE_DIRECT_URL",
    default: null,
    prefix: "postgres",
    lengthMin: 8,
    about:
      "PostgreSQL itself, if DATABASE_URL is a pooler; used for migrations, backups and the bus. Default: DATABASE_URL.",
  }),
  databaseReplicaUrl: secretSetting({
    env: "ATELIER_DATABASE_REPLICA_URL",
    default: null,
    prefix: "postgres",
    lengthMin: 8,
    about:
      "A standby of DATABASE_URL to read lists and figures from while it is caught up. Otherwise, and by default, they come from DATABASE_URL.",
  }),
  databasePoolSize: integerSetting({
    env: "ATELIER_DATABASE_POOL_SIZE",
    default: 16,
    min: 2,
    max: 500,
    about: "Database connections per process for transactions.",
  }),
  secretsFile: textSetting({
    env: "ATELIER_SECRETS_FILE",
    default: null,
    about: "The key ring file (mode 0600). Default: secrets.json in the data folder.",
  }),
  secrets: secretSetting({
    env: "ATELIER_SECRETS",
    default: null,
    isText: true,
    about:
      "The content of a key ring, instead of a file; for orchestrators that pass secrets as environment variables.",
  }),
  secretsFurtherFile: textSetting({
    env: "ATELIER_SECRETS_FURTHER_FILE",
    default: null,
    about:
      "A second key ring whose keys are accepted but never sign. Use it to switch rings that no process can write.",
  }),
  secretsFurther: secretSetting({
    env: "ATELIER_SECRETS_FURTHER",
    default: null,
    isText: true,
    about: "The content of that second key ring, instead of a file.",
  }),
  adminToken: secretSetting({
    env: "ATELIER_ADMIN_TOKEN",
    default: null,
    lengthMin: 24,
    about: "A bearer token for the admin API, listed there as the token named `environment`.",
  }),
  bootstrapKey: secretSetting({
    env: "ATELIER_BOOTSTRAP_KEY",
    default: null,
    prefix: "service-",
    lengthMin: 32,
    about: "The API key that the first start gives to the first workspace. Default: a random one.",
  }),
  bootstrapCredits: integerSetting({
    env: "ATELIER_BOOTSTRAP_CREDITS",
    default: 10_000,
    max: 1_000_000_000,
    about: "The credits that a new installation's first workspace starts with.",
  }),
  identityIssuer: urlSetting({
    env: "ATELIER_IDENTITY_ISSUER",
    default: null,
    about: "The issuer of cloud identity JWTs. Default: the embedded issuer.",
  }),
  identityJwksUrl: urlSetting({
    env: "ATELIER_IDENTITY_JWKS_URL",
    default: null,
    about: "Where that issuer publishes its keys. Default: /.well-known/jwks.json at the issuer.",
  }),
  identityAudience: textSetting({
    env: "ATELIER_IDENTITY_AUDIENCE",
    default: "atelier",
    about: "The audience that a cloud identity JWT must have.",
  }),
  ...oidcSettings,
  badgesCacheControl: textSetting({
    env: "ATELIER_BADGES_CACHE_CONTROL",
    default: "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
    pattern: /^[\x20-\x7e]+$/,
    shape: "a Cache-Control value",
    about: "The Cache-Control header of price badge responses.",
  }),
  creditsPerUsd: integerSetting({
    env: "ATELIER_CREDITS_PER_USD",
    default: 211,
    min: 1,
    max: 1_000_000,
    about: "How many credits one US dollar buys.",
  }),
  securityContact: textSetting({
    env: "ATELIER_SECURITY_CONTACT",
    default: null,
    pattern: /^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+|tel:[+0-9-]+)$/,
    shape: "a mailto:, https: or tel: address",
    about: "Where people report security problems of this server, at /.well-known/security.txt.",
  }),
  ...contentSettings,
  blobs: textSetting({
    env: "ATELIER_BLOBS",
    default: null,
    about:
      "Where blobs are stored: file:<folder> or s3://<bucket>/<prefix>?endpoint=…. Default: blobs in the data folder.",
  }),
  blobsKeyId: secretSetting({
    env: "ATELIER_BLOBS_KEY_ID",
    default: null,
    about: "The access key of an S3-compatible store. Default: the AWS SDK's usual sources.",
  }),
  blobsSecret: secretSetting({
    env: "ATELIER_BLOBS_SECRET",
    default: null,
    about: "The secret of ATELIER_BLOBS_KEY_ID.",
  }),
  ...backupSettings,
  ...paymentSettings,
  ...busSettings,
  router: switchSetting({
    env: "ATELIER_ROUTER",
    default: true,
    about: "Whether the model router serves calls. If off, it answers 404 with bucket not_enabled.",
  }),
  routerDeadlineSeconds: integerSetting({
    env: "ATELIER_ROUTER_DEADLINE_SECONDS",
    default: 600,
    min: 1,
    max: 86_400,
    about: "How long a model call may hold its connection; then it gets 504 with bucket deadline_exceeded.",
  }),
  callLeaseSeconds: integerSetting({
    env: "ATELIER_CALL_LEASE_SECONDS",
    default: 45,
    min: 3,
    max: 90,
    about: "How long a process may be silent before another one takes over its calls at providers.",
  }),
  routerBodyBytesMax: integerSetting({
    env: "ATELIER_ROUTER_BODY_BYTES_MAX",
    default: 20 * 1024 * 1024,
    min: 1024,
    about: "The largest model input, in bytes.",
  }),
  ...requestBodySettings,
  ...safetySettings,
  requestsQueuedMax: integerSetting({
    env: "ATELIER_REQUESTS_QUEUED_MAX",
    default: 1_000,
    min: 0,
    about: "How many queued model calls may wait per workspace. Operators can change it for a single workspace.",
  }),
  requestQueueSeconds: integerSetting({
    env: "ATELIER_REQUEST_QUEUE_SECONDS",
    default: 86_400,
    min: 1,
    max: 86_400,
    about: "How long a queued model call waits for a slot; then it ends as queue_timeout and its credits are released.",
  }),
  requestsAtOnce: integerSetting({
    env: "ATELIER_REQUESTS_AT_ONCE",
    default: 512,
    min: 1,
    about: "How many queued model calls this process runs at once, in addition to the limits of workspaces.",
  }),
  ...dialectSettings,
  providers: listSetting({
    env: "ATELIER_PROVIDERS",
    default: [],
    about: "Files with provider definitions, in addition to the shipped ones.",
  }),
  templates: textSetting({
    env: "ATELIER_TEMPLATES",
    default: null,
    about:
      "A folder with workflows to start from, shown on the console's first page: *.json, each with a picture of the same name beside it (.webp, .avif, .png or .jpg). Default: none.",
  }),
  ...partnerNodeSettings,
  partners: listSetting({
    env: "ATELIER_PARTNERS",
    default: [],
    about:
      "Files with partner definitions, in addition to the shipped ones. A definition with the same slug replaces the shipped one.",
  }),
  partnerAUrl: urlSetting({
    env: "ATELIER_PARTNER_A_URL",
    default: null,
    about: "The URL of partner-a. Default: the sandbox; without one, its operations answer 503.",
  }),
  partnerBUrl: urlSetting({
    env: "ATELIER_PARTNER_B_URL",
    default: null,
    about: "The URL of partner-b. Default: the sandbox; without one, its operations answer 503.",
  }),
  partnerBodyBytesMax: integerSetting({
    env: "ATELIER_PARTNER_BODY_BYTES_MAX",
    default: 50 * 1024 * 1024,
    min: 1024,
    about: "The largest partner proxy request, in bytes.",
  }),
  partnerTaskKeepDays: integerSetting({
    env: "ATELIER_PARTNER_TASK_KEEP_DAYS",
    default: 30,
    min: 2,
    max: 3650,
    about: "How many days a partner task can be read after it ended.",
  }),
  webhookTargets: listSetting({
    env: "ATELIER_WEBHOOK_TARGETS",
    default: [],
    item: (text) =>
      /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost|\[::1\]):\d{1,5}$/.test(text)
        ? null
        : "is not a loopback target such as 127.0.0.1:3000",
    about:
      "For development on one machine: loopback host:port targets that may receive webhooks, also over http. Rejected if the server listens beyond loopback or has a public URL.",
  }),
  egressAllow: listSetting({
    env: "ATELIER_EGRESS_ALLOW",
    default: [],
    item: (text) => {
      const read = readAllowance(text);
      return read.ok ? null : read.problem;
    },
    about:
      "Private networks that URLs given to this server may reach, each as purpose=network-or-host:port, such as webhooks=10.1.0.0/16:* or outputs=minio.lan:9000. Purposes: webhooks, outputs, scale, registry, partners, weights, safety. Without a port: 443 and 80. Loopback, link-local and metadata addresses are never allowed.",
  }),
  ...weightSettings,
  webhookKeepDays: integerSetting({
    env: "ATELIER_WEBHOOK_KEEP_DAYS",
    default: 30,
    min: 5,
    max: 400,
    about: "How many days the webhook delivery log goes back.",
  }),
  ...mailSettings,
  ...jobSettings,
  ...registrySettings,
  sandbox: choiceSetting({
    env: "ATELIER_SANDBOX",
    default: "auto",
    choices: ["auto", "on", "off"],
    about:
      "Whether to run the sandbox providers next to the server. auto turns them on in development only: on loopback and without a public URL.",
  }),
  ...applicationSettings,
  workerToken: secretSetting({
    env: "ATELIER_WORKER_TOKEN",
    default: null,
    prefix: "worker-",
    lengthMin: 32,
    about: "worker: the token created for it on its server.",
  }),
  ...processSettings,
  ...overloadSettings,
  ...tracingSettings,
  logLevel: choiceSetting({
    env: "ATELIER_LOG_LEVEL",
    default: "info",
    choices: ["debug", "info", "warn", "error", "silent"],
    about: "What is logged: every request at debug, rejections at info, server errors at error.",
  }),
} as const;

export type Config = SettingValues<typeof settingTable>;

export function readConfig(inputs: SettingInputs) {
  return readSettings(settingTable, inputs);
}
