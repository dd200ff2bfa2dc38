// How people name a work: lighthouse, lighthouse.v2, w.acme/lighthouse or w.acme/lighthouse.v2.
import type { Atelier } from "@atelier/sdk";

export interface NamedWork {
  // Without the provider and the version.
  readonly name: string;
  // Null for the current one.
  readonly version: number | null;
}

export function namedWork(given: string): NamedWork {
  const [, name = given, version] = /^(.*?)(?:\.v(\d+))?$/s.exec(given.slice(given.lastIndexOf("/") + 1)) ?? [];
  return { name, version: version === undefined ? null : Number(version) };
}

export const isWorkId = (text: string): boolean => /^w\.[^/\s]+\/[^/\s]+$/.test(text);

// The id to call. Only a name of your own workspace needs a question.
export async function workId(atelier: Atelier, given: string): Promise<string> {
  if (given.includes("/")) return given;
  const { name, version } = namedWork(given);
  const { id } = await atelier.works.get(name);
  return version === null ? id : `${id}.v${version}`;
}

// A work's name from a workflow's: "Night harbour, larger" is night-harbour-larger. Empty if nothing is left.
export const nameFrom = (title: string): string =>
  title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, nameLengthMax)
    .replaceAll(/^-|-$/g, "");

const nameLengthMax = 110;
