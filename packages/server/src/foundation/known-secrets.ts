// All secrets that this process holds in plain text, and the search for them in everything the server itself writes and sends:
// webhooks, stored provider messages, error messages, log lines. A provider may repeat any secret it ever learnt, not only the
// one it was just sent (decision 0026). If nothing is found, the same text or bytes are returned.
import type { WorkspaceId } from "./ids.ts";
import { jsonTextBytes } from "./json/json-text-bytes.ts";
import { credentialParts, removedWords, secretForms } from "./redaction.ts";
import { type Found, type SecretSearch, secretSearch } from "./secret-search.ts";

// Stays the same array while nothing changes, so that anything derived from it is computed once.
export type SecretTexts = readonly string[];

export { removedWords };

export interface Hiding {
  text(text: string): string;
  // Masks a JSON document, which stays valid: each byte of a secret inside a string becomes an asterisk, however it was
  // escaped.
  json(document: Buffer): Buffer;
}

export interface KnownSecrets extends Hiding {
  // Adds secrets of the server itself.
  add(source: () => SecretTexts): void;
  // Adds a source of a workspace's secrets, which answers synchronously if they are cached.
  addWorkspaceSource(source: (workspaceId: WorkspaceId) => SecretTexts | Promise<SecretTexts>): void;
  // The server's secrets, this workspace's, and further ones.
  ofWorkspace(workspaceId: WorkspaceId, further?: SecretTexts): Promise<Hiding>;
}

export function createKnownSecrets(): KnownSecrets {
  const sources: (() => SecretTexts)[] = [];
  const ofWorkspaces: ((workspaceId: WorkspaceId) => SecretTexts | Promise<SecretTexts>)[] = [];
  let seen: readonly SecretTexts[] = [];
  let search = searchFor([]);
  const current = (): SecretSearch => {
    const now = sources.map((source) => source());
    if (now.length === seen.length && now.every((texts, index) => texts === seen[index])) return search;
    seen = now;
    search = searchFor(now.flat());
    return search;
  };
  return {
    ...hidingBy(() => [current()]),
    add: (source) => void sources.push(source),
    addWorkspaceSource: (source) => void ofWorkspaces.push(source),
    async ofWorkspace(workspaceId, further = none) {
      const own = await Promise.all(ofWorkspaces.map((source) => source(workspaceId)));
      const searches = [current(), ...[...own, further].flatMap((texts) => (texts.length === 0 ? [] : [kept(texts)]))];
      return hidingBy(() => searches);
    },
  };
}

const none: SecretTexts = [];

// Built once per list, and dropped with it.
const searches = new WeakMap<SecretTexts, SecretSearch>();

function kept(texts: SecretTexts): SecretSearch {
  const ready = searches.get(texts) ?? searchFor(texts);
  searches.set(texts, ready);
  return ready;
}

function searchFor(texts: SecretTexts): SecretSearch {
  const parts = new Set(texts.flatMap((text) => [...credentialParts(text)]));
  return secretSearch([...parts].flatMap(secretForms));
}

function hidingBy(searchesNow: () => readonly SecretSearch[]): Hiding {
  const findIn = (bytes: Uint8Array) => joined(searchesNow().flatMap((search) => search.find(bytes)));
  return {
    text(text) {
      const bytes = Buffer.from(text);
      const found = findIn(bytes);
      if (found.length === 0) return text;
      let left = 0;
      const kept = found.map(([from, to]) => {
        const before = bytes.toString("utf8", left, from);
        left = to;
        return `${before}${removedWords}`;
      });
      return `${kept.join("")}${bytes.toString("utf8", left)}`;
    },
    json(document) {
      // Without an escape the bytes are the text.
      if (!document.includes(0x5c) && findIn(document).length === 0) return document;
      const inside = jsonTextBytes(document);
      const found = findIn(inside.bytes);
      if (found.length === 0) return document;
      const covered = Buffer.from(document);
      for (const [from, to] of found) covered.fill(0x2a, inside.starts[from], inside.ends[to - 1]);
      return covered;
    },
  };
}

// Sorted, with touching or overlapping matches merged.
function joined(found: readonly Found[]): readonly Found[] {
  if (found.length < 2) return found;
  const all: [number, number][] = [];
  for (const [from, to] of found.toSorted((one, other) => one[0] - other[0])) {
    const last = all.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

// A URL with a password, headers for a collector, lines of a credentials file: the whole text, and the secret parts of it.
export function secretPartsOf(text: string): string[] {
  const url = URL.parse(text);
  if (url?.password) {
    // A password equal to the user or database name is an ordinary word in every setup.
    const words = [url.username, url.pathname.slice(1)];
    return [text, ...(words.includes(url.password) ? [] : [decodeURIComponent(url.password), url.password])];
  }
  if (url !== null && text.includes("://")) return [];
  const lines = text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("-"));
  const headers = text.split(",").flatMap((header) => {
    const [, value] = /^\s*[A-Za-z0-9-]+=(.+)$/.exec(header) ?? [];
    return value === undefined ? [] : [value.trim(), decoded(value.trim())];
  });
  return [...lines, ...headers];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
