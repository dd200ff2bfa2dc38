export interface ModelCall {
  // provider/model, or the id of a work.
  readonly model: string;
  readonly requestId: string | null;
}

// What the tags of a kept output say about the call that made it. Null for any other file.
export function modelCallOf(tags: readonly string[] = []): ModelCall | null {
  if (!tags.includes("playground")) return null;
  const model = tags.find((tag) => /^[^/\s]{1,100}\/[^/\s]{1,100}$/.test(tag));
  if (model === undefined) return null;
  const requestId = tags.map((tag) => /^request:([0-9a-f-]{36})$/.exec(tag)?.[1]).find((id) => id !== undefined);
  return { model, requestId: requestId ?? null };
}
