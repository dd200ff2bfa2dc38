// Files that a caller gives: the id of an asset, an https URL or a data URI. The last two become assets of the caller's
// workspace. URLs go through the guard for untrusted addresses.
import { Fault } from "../../../foundation/fault.ts";
import type { GuardedClient } from "../../../foundation/http/outgoing/guarded-client.ts";
import { parseId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { JsonRecord } from "../../../foundation/json/json-record.ts";
import type { Assets } from "../../assets/index.ts";
import { type FormInput, fileKinds, type WorkForm } from "../form/work-form.ts";

export interface TakeFilesDeps {
  readonly assets: Pick<Assets, "receive">;
  readonly client: GuardedClient;
}

const fileBytesMax = 64 * 1024 * 1024;
const fetchMs = 60_000;
const unknownType = "application/octet-stream";

// Inputs whose given value is not an asset yet.
export function foreignFiles(form: WorkForm, inputs: JsonRecord): readonly FormInput[] {
  return form.inputs.filter(({ kind, name }) => {
    const given = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    return fileKinds.has(kind) && typeof given === "string" && parseId(given) === null;
  });
}

// The asset of each, by the input's name.
export async function takeFiles(
  deps: TakeFilesDeps,
  workspaceId: WorkspaceId,
  form: WorkForm,
  inputs: JsonRecord,
): Promise<ReadonlyMap<string, string>> {
  const taken = new Map<string, string>();
  for (const { name } of foreignFiles(form, inputs)) {
    const { bytes, contentType } = await open(deps, name, String(inputs[name]));
    const stored = await deps.assets.receive({
      workspaceId,
      source: chunks(bytes),
      expectedHash: null,
      describe: () => ({ expectedHash: null, contentType, filePath: null, tags: [], keepSeconds: null }),
      jobId: null,
    });
    taken.set(name, stored.asset.id);
  }
  return taken;
}

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

interface OpenedBytes {
  readonly bytes: Buffer;
  readonly contentType: string;
}

async function open({ client }: TakeFilesDeps, name: string, given: string): Promise<OpenedBytes> {
  if (given.startsWith("data:")) return readDataUri(name, given);
  const outcome = await client.request({ url: given, method: "GET", answerBytesMax: fileBytesMax, totalMs: fetchMs });
  if (outcome.kind !== "answered" || outcome.status !== 200) throw wrong(name, "could not be fetched");
  if (outcome.truncated) throw wrong(name, "is larger than 64 MiB");
  const type = outcome.headers["content-type"];
  return { bytes: outcome.body, contentType: typeof type === "string" ? type : unknownType };
}

const dataUri = /^data:([^,;]*)((?:;[^,;]*)*),/;

function readDataUri(name: string, given: string): OpenedBytes {
  const [head, type = "", parameters = ""] = dataUri.exec(given.slice(0, 1_000)) ?? [];
  if (head === undefined) throw wrong(name, "must be the id of an asset, an https URL or a data URI");
  const data = given.slice(head.length);
  const isBase64 = parameters.toLowerCase().endsWith(";base64");
  if (isBase64 && !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(data)) throw wrong(name, "is not valid base64");
  const bytes = isBase64 ? Buffer.from(data, "base64") : Buffer.from(decoded(name, data));
  if (bytes.byteLength === 0) throw wrong(name, "is empty");
  return { bytes, contentType: type === "" ? unknownType : type };
}

function decoded(name: string, text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong(name, "is not a valid data URI");
  }
}

// In the vocabulary of the router's validation errors.
export function wrong(name: string, message: string): Fault {
  const details = [{ loc: ["body", name], msg: `${name} ${message}`, type: "value_error" }];
  return new Fault("validation_failed", `${name} ${message}.`, { details });
}
