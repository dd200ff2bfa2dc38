// What a work made, as an agent sees it. Its outputs are assets of the caller's workspace, so we read them with the caller's key.
import type { Atelier } from "@atelier/sdk";
import type { ContentBlock } from "@modelcontextprotocol/server";
import { isRecord } from "../../foundation/json/json-record.ts";
import { linkTo, wholeBytesMax } from "./pictures.ts";

interface WorkFile {
  readonly url: string;
  readonly content_type: string;
  readonly bytes: number;
  readonly asset_id: string;
}

const linksMax = 20;

// Opens the pictures of an answer by their URLs. Large ones come as the thumbnail that the asset store makes.
export function workPictures(atelier: Atelier, answer: unknown): (url: string) => Promise<Buffer | null> {
  const files = filesIn(answer);
  return async (url) => {
    const file = files.find((each) => each.url === url);
    if (file === undefined || !isPicture(file)) return null;
    const asset = await atelier.assets.get(file.asset_id);
    if (file.bytes <= wholeBytesMax) return Buffer.from(await atelier.assets.download(asset));
    if (asset.urls.thumbnail === undefined) return null;
    const response = await atelier.request(asset.urls.thumbnail, { query: { size: 512 } });
    return Buffer.from(await response.arrayBuffer());
  };
}

// Links to sounds, films and other files. Pictures that are shown have theirs.
export function outputLinks(answer: unknown): ContentBlock[] {
  return filesIn(answer)
    .filter((file) => !isPicture(file) && URL.canParse(file.url) && /^https?:/.test(file.url))
    .slice(0, linksMax)
    .map(({ url, content_type, bytes }) => linkTo(url, content_type, bytes));
}

const isPicture = ({ content_type: type }: WorkFile): boolean => type.startsWith("image/");

function filesIn(answer: unknown): readonly WorkFile[] {
  const outputs = isRecord(answer) ? answer["outputs"] : undefined;
  if (!isRecord(outputs)) return [];
  return Object.values(outputs).flatMap((files) => (Array.isArray(files) ? files.filter(isFile) : []));
}

const isFile = (value: unknown): value is WorkFile =>
  isRecord(value) &&
  ["url", "content_type", "asset_id"].every((name) => typeof value[name] === "string") &&
  typeof value["bytes"] === "number";
