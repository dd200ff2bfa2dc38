// Opens every connection to PostgreSQL. Time limits travel in the start-up message, so there is nothing to send after
// connecting, and no statement depends on what an earlier one set (reliability 3.0, rule 7). A transaction pooler that refuses
// such settings gets them per transaction instead, and statements stay unnamed.
import { type ClientConfig, TypeOverrides } from "pg";

export interface ConnectionSettings {
  // A path (starting with "/") means the unix socket in that folder.
  readonly host: string;
  readonly port?: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

export interface ConnectionOptions {
  // postgres://… or the individual settings.
  readonly connection: string | ConnectionSettings;
  readonly applicationName?: string;
  readonly behindPooler?: boolean;
  readonly limits?: Partial<TimeLimits>;
  // PostgreSQL settings for these connections, passed at start-up like the time limits.
  readonly settings?: Readonly<Record<string, string>>;
}

export interface TimeLimits {
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
  readonly lockMs: number;
  readonly acquireMs: number;
}

export const defaultTimeLimits: TimeLimits = {
  statementMs: 5_000,
  idleInTransactionMs: 5_000,
  lockMs: 2_000,
  acquireMs: 2_000,
};

// How long one attempt to connect may take, regardless of how many callers wait for it. A server under load takes seconds to
// send its first reply. Giving up earlier would only add to its load, and no attempt would ever succeed.
const connectMs = 10_000;

export function parseTimeLimits(options: ConnectionOptions): TimeLimits {
  return { ...defaultTimeLimits, ...splitAddress(options.connection).limits, ...options.limits };
}

// Time limits that an address may contain, in PostgreSQL's names and units. They override our defaults and are stripped from
// the address, so that every limit is set in one place: the client would look at the address alone.
const limitsInAddresses = {
  statement_timeout: { name: "statementMs", unitMs: 1 },
  idle_in_transaction_session_timeout: { name: "idleInTransactionMs", unitMs: 1 },
  lock_timeout: { name: "lockMs", unitMs: 1 },
  connect_timeout: { name: "acquireMs", unitMs: 1_000 },
} as const;

function splitAddress(connection: ConnectionOptions["connection"]): { address: string; limits: Partial<TimeLimits> } {
  if (typeof connection !== "string") return { address: "", limits: {} };
  // A time limit in an address applies to every server it names.
  const [first = connection] = addressesOf(connection);
  if (!URL.canParse(first)) return { address: connection, limits: {} };
  const url = new URL(first);
  const limits = Object.entries(limitsInAddresses).flatMap(([word, { name, unitMs }]) => {
    const text = url.searchParams.get(word);
    if (text === null || !/^\d{1,9}$/.test(text)) return [];
    url.searchParams.delete(word);
    return [[name, Number(text) * unitMs] as const];
  });
  return { address: limits.length === 0 ? first : url.href, limits: Object.fromEntries(limits) };
}

export function withoutLimits(address: string): string {
  return splitAddress(address).address;
}

// One address per server, from a list such as postgres://user@a:5432,b:5432/atelier.
export function addressesOf(address: string): string[] {
  const [, before = "", list = "", after = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(address) ?? [];
  if (before === "") return [address];
  // We always want the writable server, for reads too.
  const rest = after.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, mark: string, end: string) =>
    end === "&" ? mark : "",
  );
  return list.split(",").map((host) => `${before}${host}${rest}`);
}

// The server cancels a statement at its limit. If no answer has come by then, the connection is dead.
export function silenceMsMax(options: ConnectionOptions): number {
  const { statementMs } = parseTimeLimits(options);
  return statementMs + Math.min(statementMs, 2_000);
}

export function clientConfig(options: ConnectionOptions): ClientConfig {
  const limits = parseTimeLimits(options);
  return {
    ...target(options.connection),
    application_name: options.applicationName ?? "atelier",
    connectionTimeoutMillis: Math.max(limits.acquireMs, connectMs),
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    types: rowTypes(),
    ...(options.behindPooler
      ? {}
      : {
          statement_timeout: limits.statementMs,
          lock_timeout: limits.lockMs,
          idle_in_transaction_session_timeout: limits.idleInTransactionMs,
          // Our statements take milliseconds; JIT compilation costs more than it ever saves.
          ...startSettings({ jit: "off", ...options.settings }),
        }),
  };
}

// In the form of the server's command line: -c name=value.
function startSettings(settings: Readonly<Record<string, string>>): ClientConfig {
  const given = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  return given.length === 0 ? {} : { options: given.join(" ") };
}

// The embedded server does not use TLS. For an operator's address, the URL decides.
function target(connection: string | ConnectionSettings): ClientConfig {
  if (typeof connection === "string") return { connectionString: splitAddress(connection).address };
  return {
    host: connection.host,
    port: connection.port ?? 5432,
    user: connection.user,
    database: connection.database,
    ...(connection.password === undefined ? {} : { password: connection.password }),
    ssl: false,
  };
}

// bigint and numeric already arrive as text. A calendar date must not become an instant in the process's time zone.
const dateType = 1082;

function rowTypes(): TypeOverrides {
  const types = new TypeOverrides();
  types.setTypeParser(dateType, (text: string) => text);
  return types;
}

// The same server, another database.
export function onDatabase<C extends string | ConnectionSettings>(connection: C, database: string): C;
export function onDatabase(connection: string | ConnectionSettings, database: string): string | ConnectionSettings {
  if (typeof connection !== "string") return { ...connection, database };
  const [, before = connection, after = ""] =
    /^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?(\?.*)?$/.exec(connection) ?? [];
  return `${before}/${encodeURIComponent(database)}${after}`;
}

// The same settings as a URL, for tools that expect one.
export function connectionUrl(settings: ConnectionSettings): string {
  const password = settings.password === undefined ? "" : `:${encodeURIComponent(settings.password)}`;
  const user = `${encodeURIComponent(settings.user)}${password}`;
  const database = encodeURIComponent(settings.database);
  const port = settings.port ?? 5432;
  if (!settings.host.startsWith("/")) return `postgres://${user}@${settings.host}:${port}/${database}`;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(settings.host)}`;
}
