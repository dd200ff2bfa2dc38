import { type EffectiveSetting, operations } from "@atelier/contract";
import type { AdminCaller } from "../../../capabilities/tokens/index.ts";
import { type Route, route } from "../../../foundation/http/area.ts";
import { freshAnswer } from "../fresh-answer.ts";

export interface SettingsDeps {
  // Without secrets.
  readonly settings: readonly EffectiveSetting[];
}

export function listSettingsRoute({ settings }: SettingsDeps): Route<AdminCaller> {
  return route(operations.listSettings, () => freshAnswer(200, { data: settings }));
}
