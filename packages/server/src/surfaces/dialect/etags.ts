// A respelled body does not have the bytes that its validator was computed from, so its ETag gets a mark. That keeps caches from
// confusing the two when the switch is turned. Our own validators never contain a dot.
const mark = '.comfy"';

export function markedTag(etag: string): string {
  return etag.endsWith('"') ? `${etag.slice(0, -1)}${mark}` : etag;
}

// The part of an If-None-Match that the route may see: validators that we marked, without the mark. Undefined if there are
// none.
export function ownTags(ifNoneMatch: string): string | undefined {
  if (ifNoneMatch.trim() === "*") return ifNoneMatch;
  const marked = ifNoneMatch.split(",").filter((tag) => tag.trim().endsWith(mark));
  return marked.length === 0 ? undefined : marked.map((tag) => tag.replace(mark, '"')).join(",");
}
