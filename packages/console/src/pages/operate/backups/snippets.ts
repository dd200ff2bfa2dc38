// An S3 address needs the endpoint of the store's settings, which the list does not show.
export function restoreCommand({ location, name }: { readonly location: string; readonly name: string }): string {
  return location.startsWith("s3://")
    ? `atelier restore "${location}/${name}?endpoint=https://…" --home restored`
    : `atelier restore ${quoted(`${location}/${name}`)} --home restored`;
}

export const schedule = `ATELIER_BACKUP_EVERY=6h
ATELIER_BACKUP_KEEP=14
ATELIER_BACKUP_TO=s3://backups/atelier?endpoint=https://…`;

const quoted = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
