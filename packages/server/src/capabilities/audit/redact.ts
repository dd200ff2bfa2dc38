// What the audit may keep of a value. The audit lives for years and many may read it, so the rule lists what may be
// shown, not what must be hidden: numbers, booleans, ids, timestamps and plain lower-case words are shown; other text
// only under a field name known to be harmless. Two safety nets: fields whose name suggests a secret are hidden no matter
// what they hold, and text shaped like a credential is masked everywhere.
import { isUuid } from "../../foundation/ids.ts";
import { maskSecrets } from "../../foundation/log.ts";

export const hidden = "***";
const depthMax = 8;
const itemsMax = 200;
const textLengthMax = 500;

// Compared without case, dashes and underscores, so that wire and code spellings are the same.
const harmlessNames = new Set(
  `id name role roles scopes status state email reason prefix platform platforms version fromversion untilversion
  nodeid model provider models entitlements issuer externalid subject description title tags label locale
  kind type engine expr unit currency amount credits value action audience`.split(/\s+/),
);

const secretName =
  /secret|token|password|passphrase|passwd|authori[sz]ation|credential|cookie|signature|privatekey|apikey|hash|^keys?$|^pin$|^code$|^link$/;
const plainWord = /^[a-z]+([_.:*/-][a-z]+)*$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
// Admin tokens, sealed envelopes and private keys, which the log's own list of shapes lacks.
const ownShapes = /admin-[A-Za-z0-9_-]{20,}|\bv1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{20,}|-----BEGIN[\s\S]*/g;

export function redact(value: unknown, shown: readonly string[] = []): unknown {
  const names = new Set(shown.map(normal));
  return redactUnder("", value, names, 0);
}

function redactUnder(name: string, value: unknown, shown: ReadonlySet<string>, depth: number): unknown {
  if (value === null || value === undefined) return null;
  const secret = secretName.test(name);
  if (typeof value === "string") return redactText(name, value, shown);
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return secret ? hidden : Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return secret ? hidden : value.toString();
  if (typeof value !== "object" || depth >= depthMax) return hidden;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  // A Secret, a Buffer or any other class instance does not say what it may show.
  if (!Array.isArray(value) && !isPlain(value)) return hidden;
  if (secret && !Array.isArray(value)) return hidden;
  if (Array.isArray(value)) return value.slice(0, itemsMax).map((item) => redactUnder(name, item, shown, depth + 1));
  const fields = Object.entries(value).slice(0, itemsMax);
  return Object.fromEntries(
    fields.map(([field, held]) => [storable(field), redactUnder(normal(field), held, shown, depth + 1)]),
  );
}

function redactText(name: string, text: string, shown: ReadonlySet<string>): string {
  if (isUuid(text)) return name.endsWith("id") || !secretName.test(name) ? text : hidden;
  if (secretName.test(name) && !shown.has(name)) return hidden;
  if (moment.test(text) || (text.length <= 40 && plainWord.test(text))) return text;
  return harmlessNames.has(name) || shown.has(name) ? storable(text) : hidden;
}

// Text that PostgreSQL can store (no NUL, no lone surrogate), masked and limited in length.
export function storable(text: string): string {
  const masked = maskSecrets(text).replace(ownShapes, hidden).toWellFormed().replaceAll("\0", "\uFFFD");
  return masked.length > textLengthMax ? `${masked.slice(0, textLengthMax).toWellFormed()}…` : masked;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}
