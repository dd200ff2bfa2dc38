// A text that came from elsewhere, as a part of a file's name: no way out of its folder, nothing that a file system refuses.
// "" where nothing is left of it.
export const safePart = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    .replace(/[\u0000-\u001f\u007f<>:"|?*/\\]/g, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");

const nameBytesMax = 240;

// File systems take 255 bytes; some are left for the number that a taken name gets.
export function fittingName(name: string, extension: string): string {
  const letters = [...name.slice(0, name.length - extension.length)];
  while (letters.length > 1 && Buffer.byteLength(letters.join("") + extension) > nameBytesMax) letters.pop();
  return letters.join("") + extension;
}
