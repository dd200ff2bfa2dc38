// Content-Disposition by RFC 6266: an ASCII name for old clients, plus the real one in UTF-8 if ASCII would lose
// something. Characters that could end the quoted text or the header are replaced.
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const extended = plain === name ? "" : `; filename*=UTF-8''${extendedValue(name)}`;
  return `${kind}; filename="${plain}"${extended}`;
}

// RFC 8187: also encodes the characters that encodeURIComponent leaves but attr-char does not allow.
function extendedValue(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
