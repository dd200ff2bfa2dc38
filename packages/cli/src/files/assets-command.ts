// `atelier assets`: uploads and downloads. Bytes the server already has are not sent again; a downloaded file appears only once
// it is complete.
import type { Asset } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { given } from "../given.ts";
import { safeName } from "../jobs/save-outputs.ts";
import { namesFolder } from "../models/save-answer.ts";
import { wrongCall } from "../read-call.ts";
import { type Asked, overHttp } from "../server/over-http.ts";
import { confirm } from "../terminal/confirm.ts";
import { counted } from "../terminal/counted.ts";
import { oneByOne } from "../terminal/one-by-one.ts";
import { sizeText } from "../terminal/progress-line.ts";
import { keepFile, replaceFile } from "./keep-file.ts";
import { requireFile, requireFolder } from "./output-path.ts";
import { take } from "./take.ts";
import { openSource, uploadOutcome } from "./upload-file.ts";

export const assetsCommand = overHttp({ put, get, ls: list, url: share, rm: remove });

async function put({ call, atelier, input }: Asked): Promise<CommandResult> {
  const filePath = call.text("file-path");
  if (filePath !== undefined && call.words.length > 1)
    throw wrongCall("assets", ["--file-path works with a single file only."]);
  const tags = call.texts("tag");
  const expiresIn = call.whole("expires-in", 1, 10 * 365 * 86_400);
  const options = given({ filePath, tags: tags.length === 0 ? undefined : tags, expiresIn });
  // Open them all before the first one is sent, so an unreadable file fails early.
  const sources = await Promise.all(call.words.map(openSource));
  const data: Asset[] = [];
  for (const source of sources) {
    const onProgress = (sent: number, total: number) =>
      void input.redraw(`${source.name}   ${sizeText(sent)} of ${sizeText(total)}`);
    data.push(await atelier.assets.put(source, { ...options, onProgress }));
    input.redraw("");
  }
  const rows = data.map((asset) => [
    asset.id,
    asset.hash,
    sizeText(asset.size_bytes),
    asset.file_path ?? null,
    news(asset),
  ]);
  return { data, text: { columns: ["id", "hash", "size", "name", "news"], rows } };
}

const news = (asset: Asset): string => uploadOutcome(asset).replace(/ \(.*$/, "");

async function get({ call, atelier, input }: Asked): Promise<CommandResult> {
  const asset = await atelier.assets.get(call.words[0] ?? "");
  const target = call.text("output") ?? ".";
  const name = safeName({ id: asset.id, name: asset.file_path ?? asset.id });
  if (target === "-") {
    if (input.json)
      throw wrongCall("assets", ["-o - and --json cannot be used together: both write to standard output."]);
    const { body } = await atelier.assets.open(asset);
    for await (const piece of body ?? []) process.stdout.write(piece);
    return { data: asset, text: "" };
  }
  const isFolder = namesFolder(target);
  (isFolder ? requireFolder : requireFile)(target);
  const { body } = await atelier.assets.open(asset);
  const file = isFolder ? await keepFile(body, { folder: target, name }) : await replaceFile(target, body);
  return { data: { file, asset }, text: file };
}

async function list({ call, atelier }: Asked): Promise<CommandResult> {
  const limit = call.whole("limit", 1, 100_000) ?? 50;
  const filter = given({ tag: call.text("tag"), kind: call.text("kind"), jobId: call.text("job") });
  const data = await take(atelier.assets.list({ ...filter, pageSize: Math.min(limit, 100) }), limit);
  const rows = data.map((asset) => [
    asset.id,
    asset.file_path ?? null,
    asset.content_type,
    sizeText(asset.size_bytes),
    new Date(asset.created_at),
  ]);
  return { data, text: { columns: ["id", "name", "type", "size", "created"], rows } };
}

async function share({ call, atelier, input }: Asked): Promise<CommandResult> {
  const { url, expiresAt } = await atelier.assets.share({ id: call.words[0] ?? "" });
  const until =
    expiresAt === null ? "needs your key: this server has no signed URLs" : `until ${expiresAt.toISOString()}`;
  input.say(`  works ${until}`);
  return { data: { url, expires_at: expiresAt }, text: url };
}

async function remove({ call, atelier, input }: Asked): Promise<CommandResult> {
  await confirm(`Delete ${counted(call.words.length, "asset")}?`, call, input);
  await oneByOne(call.words, input, (id) => atelier.assets.delete(id));
  return { data: { deleted: call.words }, text: `Deleted ${counted(call.words.length, "asset")}.` };
}
