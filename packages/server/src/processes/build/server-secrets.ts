// The server's own secrets, for the search in outgoing data: settings, providers' and partners' credentials from the
// environment, and the key ring.
import { isHostList } from "../../capabilities/providers/index.ts";
import type { LiveKeyRing } from "../../capabilities/secrets/index.ts";
import { type Config, settingTable } from "../../config.ts";
import type { SecretTexts } from "../../foundation/known-secrets.ts";
import { Secret } from "../../foundation/settings.ts";

// Whole documents; we search for their keys one by one.
const ringSettings = new Set<string>(["secrets", "secretsFurther"]);

export function secretsOfSettings(config: Config): SecretTexts {
  return Object.keys(settingTable).flatMap((name) => {
    const value: unknown = Reflect.get(config, name);
    return value instanceof Secret && !ringSettings.has(name) ? partsOf(value.reveal()) : [];
  });
}

export function secretsOfEnvironment(credentials: ReadonlyMap<string, Secret>): SecretTexts {
  return [...credentials].flatMap(([name, secret]) => (isHostList(name) ? [] : [secret.reveal()]));
}

// As written in the ring's file; other spellings of the same bytes are found as well.
export function secretsOfRing(ring: Pick<LiveKeyRing, "keys" | "further">): () => SecretTexts {
  let seen: readonly [unknown, unknown] = [null, null];
  let texts: SecretTexts = [];
  return () => {
    const [keys, further] = [ring.keys(), ring.further()];
    if (keys !== seen[0] || further !== seen[1]) {
      seen = [keys, further];
      texts = [...keys, ...further].flatMap(({ secret }) => [
        secret.toString("base64url"),
        secret.toString("base64"),
        secret.toString("hex"),
      ]);
    }
    return texts;
  };
}

// A URL with a password, headers for a collector, lines of a credentials file: the whole text, and the secret parts of it.
function partsOf(text: string): string[] {
  const url = URL.parse(text);
  if (url?.password) {
    // A password equal to the user or database name is an ordinary word in every setup.
    const words = [url.username, url.pathname.slice(1)];
    return [text, ...(words.includes(url.password) ? [] : [decodeURIComponent(url.password), url.password])];
  }
  if (url !== null && text.includes("://")) return [];
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("-"));
  const headers = text.split(",").flatMap((header) => {
    const [, value] = /^\s*[A-Za-z0-9-]+=(.+)$/.exec(header) ?? [];
    return value === undefined ? [] : [value.trim(), decoded(value.trim())];
  });
  return [...lines, ...headers];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
