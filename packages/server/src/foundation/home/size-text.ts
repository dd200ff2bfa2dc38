// A size for people: 512 bytes, 1.5 KiB, 12.0 MiB, 4.2 GiB.
const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
