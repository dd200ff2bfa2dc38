// The server's settings as operators see them. Secrets are never shown.
import { type Static, Type } from "typebox";
import { entity, nullable, wordOf } from "../wire-values.ts";

export const EffectiveSetting = entity("EffectiveSetting", "One setting of the process that answers.", {
  name: Type.String({ minLength: 1, description: "Its name in `atelier.config.json`." }),
  env: Type.String({ minLength: 1, description: "Its environment variable." }),
  flag: Type.String({ minLength: 1, description: "Its flag." }),
  value: nullable(
    Type.String(),
    "The value in effect; *** for a secret that is set, and in place of credentials in an address. Null if it has none.",
  ),
  default: nullable(Type.String(), "The default; null if there is none, or if it depends on other settings."),
  source: wordOf(["flag", "environment", "file", "default"], {
    description: "Where the value comes from. A flag wins over the environment, and the environment over the file.",
  }),
  is_secret: Type.Boolean({ description: "Whether its value is never shown." }),
  about: Type.String({ description: "What it does." }),
});
export type EffectiveSetting = Static<typeof EffectiveSetting>;

export const EffectiveSettingList = entity("EffectiveSettingList", "Every setting of the process that answers.", {
  data: Type.Array(EffectiveSetting, { description: "In the order of docs/SETTINGS.md." }),
});
export type EffectiveSettingList = Static<typeof EffectiveSettingList>;
