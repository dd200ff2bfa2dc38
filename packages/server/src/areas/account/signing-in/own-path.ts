// Where a browser continues after signing in: one of our paths, or the console's first page. Never anything that a browser
// could read as another host: `//host`, `/\host`, control characters.
export function ownPath(text: string | null | undefined): `/${string}` {
  if (text === null || text === undefined || text.length > 1_000) return "/";
  const isPath = /^\/(?![/\\])[!-~]*$/.test(text) && !text.includes("\\");
  return isPath && !text.startsWith("/sign-in") ? `/${text.slice(1)}` : "/";
}
