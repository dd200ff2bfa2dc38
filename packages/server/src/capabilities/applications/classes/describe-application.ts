// What an application is: version, devices, models. What it does not say is left out; nothing is guessed.
import type { ApplicationDevice, ApplicationFacts } from "../application.ts";
import type { ApplicationHttp } from "../line/application-http.ts";
import { boundedJson } from "../line/bounded-json.ts";
import { isRecord, type JsonRecord, listAt, numberAt, recordAt, stringAt } from "../line/json-record.ts";

const argumentsMax = 500;
const foldersMax = 100;
const namesMax = 10_000;
const textCharactersMax = 100;
const besideMax = 4;

export async function describeApplication(
  http: ApplicationHttp,
  modelsLoaded: readonly string[],
): Promise<ApplicationFacts> {
  const [stats, features, modelsKnown] = await Promise.all([
    http.json({ method: "GET", path: "/system_stats" }),
    optional(http, "/features"),
    askModels(http),
  ]);
  const record = isRecord(stats) ? stats : {};
  return {
    version: versionOf(record) ?? "unknown",
    uploadBytesMax: isRecord(features) ? numberAt(features, "max_upload_size") : null,
    startArguments: listAt(recordAt(record, "system") ?? {}, "argv")
      .filter((each) => typeof each === "string")
      .slice(0, argumentsMax),
    devices: listAt(record, "devices").filter(isRecord).map(deviceOf),
    modelsKnown,
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

function deviceOf(device: JsonRecord): ApplicationDevice {
  return {
    name: (stringAt(device, "name") ?? "").slice(0, textCharactersMax),
    type: (stringAt(device, "type") ?? "").slice(0, textCharactersMax),
    memoryBytesTotal: numberAt(device, "vram_total"),
    memoryBytesFree: numberAt(device, "vram_free"),
  };
}

async function optional(http: ApplicationHttp, path: string): Promise<unknown> {
  const { status, body } = await http.call({ method: "GET", path });
  try {
    return status === 200 ? boundedJson(body) : null;
  } catch {
    return null;
  }
}

async function askModels(http: ApplicationHttp): Promise<Record<string, readonly string[]>> {
  const listed = await optional(http, "/models");
  const folders = (Array.isArray(listed) ? listed.filter((each) => typeof each === "string") : []).slice(0, foldersMax);
  const found: [string, readonly string[]][] = [];
  for (let at = 0; at < folders.length; at += besideMax) {
    const beside = folders.slice(at, at + besideMax).map(async (folder): Promise<[string, readonly string[]]> => {
      const names = await optional(http, `/models/${encodeURIComponent(folder)}`);
      return [folder, Array.isArray(names) ? names.filter((each) => typeof each === "string").slice(0, namesMax) : []];
    });
    found.push(...(await Promise.all(beside)));
  }
  return Object.fromEntries(found);
}
