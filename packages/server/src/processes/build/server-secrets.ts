// The server's own secrets, for the search in outgoing data: settings, providers' and partners' credentials from the
// environment, and the key ring.
import { isHostList } from "../../capabilities/providers/index.ts";
import { type Config, settingTable } from "../../config.ts";
import { type SecretTexts, secretPartsOf } from "../../foundation/known-secrets.ts";
import { Secret } from "../../foundation/settings.ts";

// Whole documents; we search for their keys one by one.
const ringSettings = new Set<string>(["secrets", "secretsFurther"]);

export function secretsOfSettings(config: Config): SecretTexts {
  return Object.keys(settingTable).flatMap((name) => {
    const value: unknown = Reflect.get(config, name);
    return value instanceof Secret && !ringSettings.has(name) ? secretPartsOf(value.reveal()) : [];
  });
}

export function secretsOfEnvironment(credentials: ReadonlyMap<string, Secret>): SecretTexts {
  return [...credentials].flatMap(([name, secret]) => (isHostList(name) ? [] : [secret.reveal()]));
}
