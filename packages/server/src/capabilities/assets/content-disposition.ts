// Content-Disposition by RFC 6266: an ASCII name for old readers and, where it would lose something, the true one in
// UTF-8 beside it. Nothing that could end the quoted text or the header passes.
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const extended = plain === name ? "" : `; filename*=UTF-8''${extendedValue(name)}`;
  return `${kind}; filename="${plain}"${extended}`;
}

// RFC 8187: what encodeURIComponent leaves alone beyond attr-char is encoded as well.
function extendedValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
