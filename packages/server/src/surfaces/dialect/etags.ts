// Bodies that are respelled are other bytes than those that their validators were made from: they have a mark of their
// own, so that no cache takes one for the other when the switch is turned. No validator of ours holds a dot.
const mark = '.comfy"';

export function markedTag(etag: string): string {
  return etag.endsWith('"') ? `${etag.slice(0, -1)}${mark}` : etag;
}

// What of an If-None-Match the route may see: validators that we marked, without the mark. Undefined: none.
export function ownTags(ifNoneMatch: string): string | undefined {
  if (ifNoneMatch.trim() === "*") return ifNoneMatch;
  const marked = ifNoneMatch.split(",").filter((tag) => tag.trim().endsWith(mark));
  return marked.length === 0 ? undefined : marked.map((tag) => tag.replace(mark, '"')).join(",");
}
