// The expiry of a signed URL, in the query format of another store's signed URLs: some clients show it. It comes after our own
// query, has no effect, and is removed before the signature is checked. Only in Location, where those clients look for it.
const signed = /\/c\/[0-9a-f-]{36}\?e=([1-9]\d{9})&k=[\w-]{1,64}&s=[\w-]{43}(?:&d=attachment)?$/;
const hint = /&X-Goog-Date=\d{8}T\d{6}Z&X-Goog-Expires=\d{1,7}$/;

export function withExpiryHint(location: string, now: Date): string {
  const expirySeconds = Number(signed.exec(location)?.[1] ?? Number.NaN);
  if (Number.isNaN(expirySeconds)) return location;
  const begin = Math.floor(now.getTime() / 1000);
  const date = new Date(begin * 1000).toISOString().replace(/[-:]|\.\d{3}/g, "");
  return `${location}&X-Goog-Date=${date}&X-Goog-Expires=${Math.max(0, expirySeconds - begin)}`;
}

export function withoutExpiryHint(query: string): string {
  return query.replace(hint, "");
}
