// The key in a link to a work (`/w/…#key=…`). A browser never sends that part of an address to a server. We take it out of the
// address at once, so that it is not in the history, in bookmarks or on screenshots, and keep it for this tab only.

type Page = Pick<Location, "pathname" | "search" | "hash">;
type Store = Pick<Storage, "getItem" | "setItem">;

interface Browser {
  readonly page: Page;
  readonly store: Store | null;
  // Writes the address without the key.
  readonly rewrite: (address: string) => void;
}

const nameFor = (path: string): string => `atelier.link.${path}`;

export function takeLinkKey({ page, store, rewrite }: Browser = thisBrowser()): void {
  if (!isWorkPage(page.pathname)) return;
  const key = /^#key=([\w.~-]{8,500})$/.exec(page.hash)?.[1];
  if (key === undefined) return;
  inMemory.set(page.pathname, key);
  try {
    store?.setItem(nameFor(page.pathname), key);
  } catch {
    // Storage may be switched off; then the key lasts as long as the page.
  }
  rewrite(page.pathname + page.search);
}

// Null if this tab was not opened with a link.
export function linkKeyFor(path: string, store: Store | null = storage()): string | null {
  if (!isWorkPage(path)) return null;
  return inMemory.get(path) ?? store?.getItem(nameFor(path)) ?? null;
}

export const isWorkPage = (path: string): boolean => path.startsWith("/w/");

const inMemory = new Map<string, string>();

// A browser may forbid storage by throwing.
function storage(): Store | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

function thisBrowser(): Browser {
  return { page: location, store: storage(), rewrite: (address) => history.replaceState(null, "", address) };
}
