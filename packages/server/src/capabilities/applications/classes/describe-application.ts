// What an application is: its version and how it was started. What it does not say is left out; nothing is guessed.
import type { ApplicationFacts } from "../application.ts";
import type { ApplicationHttp } from "../line/application-http.ts";
import { isRecord, type JsonRecord, listAt, recordAt, stringAt } from "../line/json-record.ts";

const argumentsMax = 500;
const textCharactersMax = 100;

export async function describeApplication(
  http: ApplicationHttp,
  modelsLoaded: readonly string[],
): Promise<ApplicationFacts> {
  const stats = await http.json({ method: "GET", path: "/system_stats" });
  const record = isRecord(stats) ? stats : {};
  return {
    version: versionOf(record) ?? "unknown",
    startArguments: listAt(recordAt(record, "system") ?? {}, "argv")
      .filter((each) => typeof each === "string")
      .slice(0, argumentsMax),
    modelsLoaded,
  };
}

// The first is the protocol's own name.
const versionNames = ["comfyui_version", "application_version"];

export function versionOf(stats: JsonRecord): string | null {
  const system = recordAt(stats, "system") ?? {};
  const version = versionNames.map((name) => stringAt(system, name)).find((each) => each !== null);
  return version?.slice(0, textCharactersMax) ?? null;
}
