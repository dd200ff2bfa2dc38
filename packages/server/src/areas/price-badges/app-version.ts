// Parses a client's version. Spec, Price badges: `major.minor.patch`; an unparseable value and `nightly` are the latest.
// A version is exactly three runs of ASCII digits with two dots; leading zeros are ignored (01.2.3 is 1.2.3). Everything else
// is the latest. A number larger than a stored boundary can hold is above all boundaries, so it is cut to one more than that,
// however many digits it has, and never overflows.
export type AppVersion = readonly [major: number, minor: number, patch: number];

// Stored boundaries stay below this, so that they fit PostgreSQL's integer.
export const versionNumberMax = 999_999_999;
const aboveAll = versionNumberMax + 1;

export function parseAppVersion(text: string): AppVersion | "latest" {
  let at = 0;
  const numbers: [number, number, number] = [0, 0, 0];
  for (let part = 0; part < 3; part++) {
    const begin = at;
    let number = 0;
    for (; at < text.length; at++) {
      const digit = text.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      number = Math.min(number * 10 + digit, aboveAll);
    }
    const isComplete = part < 2 ? text[at] === "." : at === text.length;
    if (at === begin || !isComplete) return "latest";
    numbers[part] = number;
    at++;
  }
  return numbers;
}

// Stricter, for operators: one spelling per version.
export function parseBoundary(text: string): AppVersion | null {
  if (!/^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})$/.test(text)) return null;
  const version = parseAppVersion(text);
  return version === "latest" ? null : version;
}

export function compareVersions(one: AppVersion, other: AppVersion): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}

export function versionText(version: AppVersion): string {
  return version.join(".");
}
