// `atelier weights push|fetch|ls|show|rm`: model files that a server keeps for its workers. A file goes up as ordinary
// assets, resumable, in parts that fit every workspace's limit; the operator's call then makes a weight of them, and the
// assets go again.
import { statSync } from "node:fs";
import { basename } from "node:path";
import { type Asset, type Atelier, fileSource } from "@atelier/sdk";
import { blake3OfBlob } from "@atelier/sdk/blake3";
import type { CommandResult } from "@atelier/server/commands";
import { openSource } from "../files/upload-file.ts";
import { given } from "../given.ts";
import { wrongCall } from "../read-call.ts";
import { sizeText } from "../terminal/progress-line.ts";
import { ClientProblem } from "./client-problem.ts";
import { type Asked, asOperator, connection, readAnswer, walkPages } from "./over-http.ts";
import { givenKey, whichServer } from "./which-server.ts";

interface Weight {
  readonly id: string;
  readonly path: string;
  readonly blake3: string;
  readonly sha256: string | null;
  readonly bytes: number;
  readonly state: "arriving" | "ready" | "failed";
  readonly bytes_received: number;
  readonly problem: string | null;
  readonly licence: string | null;
  readonly note: string | null;
  readonly environments: number;
  readonly workers: number;
  readonly last_used_at: string | null;
}

interface WeightWithUses extends Weight {
  readonly needed_by: readonly { readonly name: string; readonly version: number }[];
  readonly had_by: readonly { readonly name: string }[];
}

export const weightsCommand = asOperator({ push, fetch: fetchFrom, ls: list, show, rm: remove });

const partBytes = 1024 ** 3;
const lookEveryMs = 500;

async function push(asked: Asked): Promise<CommandResult> {
  const { call, input } = asked;
  const [file = ""] = call.words;
  const path = call.text("as") ?? "";
  if (!path.includes("/"))
    throw wrongCall("weights", [
      `--as must name its place below models, such as checkpoints/${basename(file) || "base.safetensors"}.`,
    ]);
  const source = await openSource(file);
  // We ask first: otherwise people hear the refusal after an hour of uploading.
  await readAnswer(asked.atelier.request("/admin/weights", { query: { limit: 1 } }));
  const { key } = await whichServer(call, input.env, givenKey(call, input.env));
  const { atelier: uploads, problemOf } = connection({ baseUrl: asked.baseUrl, key, isAdmin: false });
  const assets: Asset[] = [];
  try {
    for (let at = 0; at === 0 || at < source.size; at += partBytes) {
      const part = source.slice(at, at + partBytes);
      const uploaded = uploadPart(asked, uploads, part, { file, at, total: source.size });
      // The uploads are the key's, not the operator's.
      assets.push(await uploaded.catch((error: unknown) => Promise.reject(problemOf(error))));
    }
    const parts = assets.map(({ hash }) => (hash ?? "").replace(/^blake3:/, ""));
    input.redraw(`hashing ${basename(file)}`);
    const blake3 = parts.length === 1 ? (parts[0] ?? "") : await blake3OfBlob(await fileSource(file));
    const { size: bytes } = statSync(file);
    return await add(asked, { path, blake3, bytes, parts });
  } finally {
    input.redraw("");
    // Parts that were already there belong to other files.
    for (const { id, created_new: isNew } of assets)
      if (isNew !== false) await uploads.assets.delete(id).catch(() => undefined);
  }
}

async function uploadPart(
  { input }: Asked,
  uploads: Atelier,
  part: Blob,
  { file, at, total }: { readonly file: string; readonly at: number; readonly total: number },
): Promise<Asset> {
  const name = `${basename(file)}.${Math.floor(at / partBytes)}.part`;
  return uploads.assets.put(new File([part], name), {
    contentType: "application/octet-stream",
    expiresIn: 7 * 86_400,
    onProgress: (sent) =>
      void input.redraw(
        `${Math.floor((100 * (at + sent)) / Math.max(1, total))} % of ${sizeText(total)}  ${basename(file)}`,
      ),
  });
}

async function fetchFrom(asked: Asked): Promise<CommandResult> {
  const { call } = asked;
  const [url = ""] = call.words;
  const [path, blake3, bytes] = [call.text("as"), call.text("blake3"), Number(call.text("bytes"))];
  if (!path?.includes("/") || blake3 === undefined || !Number.isSafeInteger(bytes) || bytes < 1)
    throw wrongCall("weights", [
      "fetch needs --as <folder/name>, --blake3 <hash> and --bytes <size>, known beforehand.",
    ]);
  return add(asked, { path, blake3, bytes, url });
}

async function add(
  { call, input, atelier }: Asked,
  made: { readonly path: string; readonly blake3: string; readonly bytes: number; parts?: string[]; url?: string },
): Promise<CommandResult> {
  const json = { ...made, ...given({ licence: call.text("licence"), note: call.text("note") }) };
  let weight = await readAnswer<Weight>(atelier.request("/admin/weights", { method: "POST", json }));
  while (weight.state === "arriving") {
    input.redraw(`${sizeText(weight.bytes_received)} of ${sizeText(weight.bytes)} are on the server`);
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    weight = await readAnswer<Weight>(atelier.request(`/admin/weights/${weight.id}`));
  }
  input.redraw("");
  if (weight.state === "failed")
    throw new ClientProblem("refused", "weight_failed", `${weight.path} was not kept: ${weight.problem ?? "unknown"}`);
  return {
    data: weight,
    text: `Kept ${weight.path} (${sizeText(weight.bytes)}, BLAKE3 ${weight.blake3.slice(0, 12)}).`,
  };
}

async function list({ atelier }: Asked): Promise<CommandResult> {
  const kept = await Array.fromAsync(walkPages<Weight>(atelier, "/admin/weights", {}));
  return {
    data: kept,
    text: {
      columns: ["path", "size", "state", "environments", "workers", "licence", "used", "blake3", "id"],
      rows: kept.map((each) => [
        each.path,
        sizeText(each.bytes),
        each.state,
        String(each.environments),
        String(each.workers),
        each.licence,
        each.last_used_at === null ? null : new Date(each.last_used_at),
        each.blake3.slice(0, 12),
        each.id,
      ]),
      empty: "No weights are kept. Bring one: atelier weights push base.safetensors --as checkpoints/base.safetensors",
    },
  };
}

async function show({ call, atelier }: Asked): Promise<CommandResult> {
  const found = await readAnswer<WeightWithUses>(atelier.request(addressOf(call.words[0])));
  const names = (list: readonly { readonly name: string; readonly version?: number }[]) =>
    list.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`)).join(", ") || "none";
  const lines = [
    `${found.path}  ${sizeText(found.bytes)}  ${found.state}${found.problem === null ? "" : `: ${found.problem}`}`,
    `BLAKE3   ${found.blake3}`,
    `SHA-256  ${found.sha256 ?? "not yet known"}`,
    `Licence  ${found.licence ?? "not stated"}`,
    ...(found.note === null ? [] : [`Note     ${found.note}`]),
    `Needed by environments: ${names(found.needed_by)}`,
    `Reported by workers: ${names(found.had_by)}`,
    `Last used: ${found.last_used_at ?? "never"}`,
  ];
  return { data: found, text: lines.join("\n") };
}

async function remove({ call, atelier }: Asked): Promise<CommandResult> {
  const [id = ""] = call.words;
  await atelier.request(addressOf(id), { method: "DELETE" });
  return { data: { id }, text: `Removed ${id}. Workers keep their copies.` };
}

const addressOf = (id = "") => `/admin/weights/${encodeURIComponent(id)}`;
