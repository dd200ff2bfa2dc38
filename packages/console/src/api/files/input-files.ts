// Files as part of a model's input. We store the file as an asset first (hashed, and not sent if the server has it), and the
// input gets what models take: a data URL or plain base64. Only a file too large for that is passed as the asset's signed URL,
// which a provider can read if this server is reachable from outside.

import type { Asset } from "@atelier/sdk";
import { api as words } from "#strings/api";
import { atelier } from "../atelier.ts";

export interface InputFile {
  readonly text: string;
  readonly name: string;
  readonly bytes: number;
  readonly asset: Asset | null;
  // The workspace already had these bytes, so nothing was sent.
  readonly wasHere: boolean;
}

const inlineBytesMax = 8 * 1024 * 1024;

export async function inputFileOf(file: File, isBase64: boolean): Promise<InputFile> {
  const asset = await atelier.assets.put(file, { tags: ["input"] });
  const text = await textOf(file, isBase64, asset);
  return { text, name: file.name, bytes: file.size, asset, wasHere: asset.created_new === false };
}

// For the form of a work, which takes the id of an asset: nothing is read twice.
export async function assetFileOf(file: File): Promise<InputFile> {
  const asset = await atelier.assets.put(file, { tags: ["input"] });
  return { text: asset.id, name: file.name, bytes: file.size, asset, wasHere: asset.created_new === false };
}

export const fileOfAsset = (asset: Asset): InputFile => ({
  text: asset.id,
  name: asset.file_path ?? asset.id,
  bytes: asset.size_bytes,
  asset,
  wasHere: true,
});

// In base64 it must fit into the body of a call.
const sentMegabytesMax = 14;

// For people who may run a work and keep nothing here: the file is part of the call.
export async function sentFileOf(file: File): Promise<InputFile> {
  if (file.size > sentMegabytesMax * 1_000_000) throw new Error(words.fileTooLarge(sentMegabytesMax));
  return { text: await dataAddress(file), name: file.name, bytes: file.size, asset: null, wasHere: false };
}

export async function inputAssetOf(asset: Asset, isBase64: boolean): Promise<InputFile> {
  const name = asset.file_path ?? asset.id;
  const facts = { name, bytes: asset.size_bytes, asset, wasHere: true };
  if (asset.size_bytes > inlineBytesMax) return { ...facts, text: await sharedUrl(asset) };
  const bytes = await atelier.assets.download(asset);
  const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: asset.content_type });
  return { ...facts, text: await textOf(blob, isBase64, asset) };
}

async function textOf(blob: Blob, isBase64: boolean, asset: Asset): Promise<string> {
  if (blob.size > inlineBytesMax) return sharedUrl(asset);
  const address = await dataAddress(blob);
  return isBase64 ? address.slice(address.indexOf(",") + 1) : address;
}

async function sharedUrl(asset: Asset): Promise<string> {
  const { url } = await atelier.assets.share(asset);
  return url;
}

function dataAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error(words.unreadableFile));
    reader.readAsDataURL(blob);
  });
}

export async function newestAssets(kind: string | undefined): Promise<readonly Asset[]> {
  const found: Asset[] = [];
  for await (const asset of atelier.assets.list({ pageSize: 36, ...(kind === undefined ? {} : { kind }) })) {
    found.push(asset);
    if (found.length === 36) break;
  }
  return found;
}
