// Where a person was going when they had to sign in. A sign-in link opens in another tab, so we store the path next to the
// theme: only a path on this server, and only for as long as a link works.
const name = "atelier.return-to";
const keptMs = 15 * 60_000;

// Only one of our paths: nothing that a browser could read as another host.
export function ownPath(text: string | null | undefined): string {
  if (!text || !/^\/(?![/\\])[^\\\s]*$/.test(text) || text.startsWith("/sign-in")) return "/";
  return text;
}

export function keepReturn(path: string | undefined): void {
  if (ownPath(path) === "/") return;
  try {
    localStorage.setItem(name, JSON.stringify([path, Date.now()]));
  } catch {
    // Storage may be switched off; then we continue at the first page.
  }
}

export function takeReturn(): string {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "null");
    localStorage.removeItem(name);
    if (!Array.isArray(kept) || typeof kept[0] !== "string" || typeof kept[1] !== "number") return "/";
    return Date.now() - kept[1] < keptMs ? ownPath(kept[0]) : "/";
  } catch {
    return "/";
  }
}
