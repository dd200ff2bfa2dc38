// Whether a way leads from a list to one of its entries or back, and which entry: only then does movement say something.

export interface PageLocation {
  readonly pathname: string;
  readonly search: Readonly<Record<string, unknown>>;
}

export function movedBetween(from: PageLocation, to: PageLocation): string | null {
  if (from.pathname === to.pathname) {
    // The gallery's viewer, opened or closed.
    const [before, after] = [from.search["asset"], to.search["asset"]];
    if ((before === undefined) === (after === undefined)) return null;
    return String(after ?? before);
  }
  const [list, entry] = from.pathname.length < to.pathname.length ? [from, to] : [to, from];
  const rest = entry.pathname.slice(list.pathname.length);
  const isWithin = list.pathname !== "/" && entry.pathname.startsWith(`${list.pathname}/`);
  return isWithin ? decodeURIComponent(rest.slice(1)) : null;
}
