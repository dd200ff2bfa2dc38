// Saves bytes to the person's disk, unchanged and under their own names. The browser downloads a single file; several go into a
// zip, written straight to disk if the browser can, otherwise collected in memory, up to a limit.

import type { Asset } from "@atelier/sdk";
import { makeZip } from "client-zip";
import { gallery as words } from "#strings/gallery";
import { atelier } from "../../api/atelier.ts";
import { send } from "../../api/client.ts";
import { formatBytes } from "../../ui/figures.tsx";
import { saveFile } from "../../ui/viewers/save-file.ts";
import type { Item } from "./items.ts";

// What a tab can hold without trouble.
export const memoryBytesMax = 1_500_000_000;

type Asked = { readonly suggestedName: string };
interface SavingWindow {
  showSaveFilePicker?: (asked: Asked) => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}
const picker = (globalThis as SavingWindow).showSaveFilePicker;

export const nameOf = (item: Pick<Item, "name" | "id">): string => item.name.split("/").at(-1) || item.id;

// An asset's bytes, wherever this surface serves them.
export async function openBytes(
  asset: Pick<Asset, "id" | "url" | "url_expires_at" | "urls">,
  signal?: AbortSignal,
): Promise<Response> {
  if (asset.url_expires_at === null) return send(asset.urls.content, { signal });
  const response = await fetch(asset.url, signal === undefined ? {} : { signal });
  if (!response.ok) throw new Error(words.bytesFailed(response.status));
  return response;
}

export async function downloadOne(item: Item): Promise<void> {
  const response = await openBytes(await atelier.assets.get(item.id));
  saveFile(await response.blob(), nameOf(item));
}

export function whyNoZip(items: readonly Item[]): string | null {
  const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
  if (picker !== undefined || bytes <= memoryBytesMax) return null;
  return words.selection.zipTooLarge(formatBytes(bytes), formatBytes(memoryBytesMax));
}

// Null if the person closed the dialog.
export async function downloadZip(items: readonly Item[], onFile: (done: number) => void): Promise<number | null> {
  const name = `gallery-${new Date().toISOString().slice(0, 10)}.zip`;
  const zip = makeZip(entriesOf(items, onFile));
  const file = await picker?.call(globalThis, { suggestedName: name }).catch((thrown: unknown) => {
    if (thrown instanceof DOMException && thrown.name === "AbortError") return "closed" as const;
    return undefined;
  });
  if (file === "closed") return null;
  if (file !== undefined) {
    // A failure aborts the file, so that no half of it is kept.
    await zip.pipeTo(await file.createWritable());
    return items.length;
  }
  saveFile(await new Response(zip, { headers: { "content-type": "application/zip" } }).blob(), name);
  return items.length;
}

async function* entriesOf(
  items: readonly Item[],
  onFile: (done: number) => void,
): AsyncGenerator<{ name: string; lastModified: Date; input: Response }> {
  const used = new Set<string>();
  for (const [at, item] of items.entries()) {
    const response = await openBytes(await atelier.assets.get(item.id));
    yield { name: unusedName(nameOf(item), used), lastModified: new Date(item.created), input: response };
    onFile(at + 1);
  }
}

// Makes duplicate names distinct, and replaces characters that a file system would read as a path.
function unusedName(wanted: string, used: Set<string>): string {
  const plain = wanted.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, "_").replace(/^\.+$/, "_");
  const dot = plain.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ""];
  let name = plain;
  for (let count = 2; used.has(name.toLowerCase()); count++) name = `${stem} (${count})${ending}`;
  used.add(name.toLowerCase());
  return name;
}
