// Makes an application's error message fit for the person who submitted the job: one short text without that machine's
// paths, addresses and tracebacks (decisions, section 1: error bodies hold none of them).
const charactersMax = 500;

const addresses = /\b[a-z][a-z0-9+.-]*:\/\/[^\s'"<>)\]]+/gi;
// Of a path only the last part stays, because the file name is what helps.
const windowsPaths = /\b[A-Za-z]:[\\/](?:[^\s'"<>|:*?\\/]+[\\/])*([^\s'"<>|:*?\\/]*)/g;
const networkPaths = /\\\\(?:[^\s'"<>|:*?\\/]+[\\/])+([^\s'"<>|:*?\\/]*)/g;
const unixPaths = /(^|[\s'"`([{<=:,])~?\/(?:[^\s'"`<>|:,)\]}/]+\/)+([^\s'"`<>|:,)\]}/]*)/g;

export function safeMessage(text: string | null, otherwise: string): string {
  const [story = ""] = (text ?? "").slice(0, 10_000).split(/Traceback \(most recent call last\)|\n\s*File "/, 1);
  const safe = story
    .replace(addresses, "…")
    .replace(windowsPaths, "$1")
    .replace(networkPaths, "$1")
    .replace(unixPaths, "$1$2")
    // Control characters break logs and terminals.
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .trim();
  if (safe === "") return otherwise;
  return safe.length > charactersMax ? `${safe.slice(0, charactersMax - 1).trimEnd()}…` : safe;
}
