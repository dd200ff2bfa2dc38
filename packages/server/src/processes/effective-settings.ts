// The settings of this process as operators see them: each value and where it came from. Secrets are not shown, nor credentials
// inside an address.
import type { EffectiveSetting } from "@atelier/contract";
import { type Config, settingTable } from "../config.ts";
import { flagOf, type SettingSource } from "../foundation/settings.ts";

export type SettingSources = Readonly<Partial<Record<keyof Config, SettingSource>>>;

export function effectiveSettings(config: Config, sources: SettingSources): readonly EffectiveSetting[] {
  const values: Readonly<Record<string, unknown>> = config;
  return Object.entries(settingTable).map(([name, { env, about, secret, defaultText }]) => ({
    name,
    env,
    flag: `--${flagOf(name)}`,
    value: secret ? (values[name] === null ? null : "***") : textOf(values[name]),
    default: defaultText === "" ? null : defaultText,
    source: sources[name as keyof Config] ?? "default",
    is_secret: secret,
    about,
  }));
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "on" : "off";
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return text === "" ? null : withoutCredentials(text);
}

// user:password@ of an address, and members of its query that are named like a secret.
function withoutCredentials(text: string): string {
  return text
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/?#\s@,]+@/gi, "$1***@")
    .replace(/([?&][^=&\s]*(?:key|secret|token|password|signature)[^=&\s]*=)[^&\s,]+/gi, "$1***");
}
