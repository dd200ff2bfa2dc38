// An input without anything that looks secret and without whole files: what may be stored or put into a link.
import { isRecord } from "../json-record.ts";

const secretName = /(secret|password|passwd|token|api_?key|credential|authorization)/i;
const textMax = 20_000;

export function withoutPrivate(value: unknown): unknown {
  if (typeof value === "string") return value.length > textMax ? undefined : value;
  if (Array.isArray(value)) return value.map(withoutPrivate).filter((each) => each !== undefined);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const kept = secretName.test(name) ? undefined : withoutPrivate(each);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}
