// Makes untrusted text safe as part of a file name: it cannot leave the folder, and it contains nothing that a file system
// refuses. Returns "" if nothing is left.
export const safePart = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    .replace(/[\u0000-\u001f\u007f<>:"|?*/\\]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");

const nameBytesMax = 240;
// An ending longer than this is not a file type.
const extensionBytesMax = 16;

// File systems allow 255 bytes; we leave some for the number that a taken name gets.
export function fittingName(name: string, extension: string): string {
  if (Buffer.byteLength(extension) > extensionBytesMax) return fittingName(name, "");
  const letters = [...name.slice(0, name.length - extension.length)];
  while (letters.length > 1 && Buffer.byteLength(letters.join("") + extension) > nameBytesMax) letters.pop();
  return letters.join("") + extension;
}
