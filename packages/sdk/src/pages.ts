// Walks pages by what the server says, never by the length of a page: router lists stop at has_more (Spec, Router rule 1), v2
// lists carry a link to the next page.
import { parseJson } from "./exact-json.ts";
import type { Ask, Transport } from "./transport.ts";

export async function readJson<T>(transport: Transport, path: string, ask?: Ask): Promise<T> {
  const response = await transport.send(path, ask);
  return parseJson(await response.text()) as T;
}

interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly has_more?: boolean;
  readonly next_cursor?: string;
  readonly next?: string | null;
}

export async function* walk<Entry>(transport: Transport, path: string, ask: Ask): AsyncGenerator<Entry, void> {
  let at: { path: string; ask: Ask } | null = { path, ask };
  while (at !== null) {
    const page: Page<Entry> = await readJson(transport, at.path, at.ask);
    yield* page.data;
    const { query: _asked, ...rest } = ask;
    if (page.next) at = { path: page.next, ask: rest };
    else if (page.has_more && page.next_cursor !== undefined)
      at = { path, ask: { ...ask, query: { ...ask.query, cursor: page.next_cursor } } };
    else at = null;
  }
}
