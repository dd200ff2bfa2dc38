// The editor's settings of a person in a workspace: one JSON object, kept where the application keeps it, in a file of that
// person. One setting is ours: the most that one of this person's runs may cost.
import type { EditorFiles } from "../../../capabilities/editor-files/index.ts";
import { parseCredits } from "../../../capabilities/prices/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { inlineJsonLimits, parseJson } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import { type ApplicationCaller, ownerOf } from "../application-person.ts";

export const settingsPath = "comfy.settings.json";
// An amount of credits, as a number or a text. Empty or absent for no limit.
export const maxCreditsSetting = "Atelier.MaxCredits";

export class EditorSettings {
  readonly #files: Pick<EditorFiles, "read" | "edit">;

  constructor(files: Pick<EditorFiles, "read" | "edit">) {
    this.#files = files;
  }

  async all(caller: ApplicationCaller): Promise<JsonRecord> {
    return settingsIn((await this.#files.read(ownerOf(caller), settingsPath))?.bytes ?? null);
  }

  async change(caller: ApplicationCaller, changed: JsonRecord): Promise<void> {
    requireCredits(changed[maxCreditsSetting]);
    await this.#files.edit(ownerOf(caller), settingsPath, (bytes) => {
      const merged = new Map([...Object.entries(settingsIn(bytes)), ...Object.entries(changed)]);
      return Buffer.from(JSON.stringify(Object.fromEntries(merged), null, 4));
    });
  }

  // In micro-credits. Null for no limit.
  async maxCredits(caller: ApplicationCaller): Promise<bigint | null> {
    return creditsIn((await this.all(caller))[maxCreditsSetting]);
  }
}

// A file that is not a JSON object holds no settings, as in the application.
function settingsIn(bytes: Buffer | null): JsonRecord {
  if (bytes === null) return {};
  try {
    const { value } = parseJson(bytes, inlineJsonLimits);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function creditsIn(value: unknown): bigint | null {
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  const credits = text === "" ? null : parseCredits(text);
  return credits === null || credits < 0n ? null : credits;
}

function requireCredits(value: unknown): void {
  if (value === undefined || value === null || value === "") return;
  if (creditsIn(value) === null)
    throw new Fault("invalid_request", `${maxCreditsSetting} must be an amount of credits such as 12.5, or empty.`);
}
