// Whether a setting has all words of a search: in its names, its value or what it does.
import type { EffectiveSetting } from "../../../api/admin.ts";

export function isFound(setting: EffectiveSetting, q: string): boolean {
  const { name, env, flag, value, about } = setting;
  const text = [name, env, flag, value ?? "", about].join(" ").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
