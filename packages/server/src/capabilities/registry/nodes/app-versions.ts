// Decides which declared ranges of application versions exclude a version. Publishers write ranges as free text in npm or
// Python style; one that is missing or cannot be parsed restricts nothing.
import semver from "semver";

// Null if the version cannot be compared, such as nightly. Then nothing is excluded.
export function readAppVersion(text: string): string | null {
  const [, plain] = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})$/.exec(text.trim()) ?? [];
  return plain === undefined ? null : semver.valid(plain);
}

export function acceptsAppVersion(range: string, version: string): boolean {
  const readable = range
    .replaceAll(",", " ")
    .replaceAll(/~=\s*/g, "~")
    .replaceAll(/===?\s*/g, "=");
  const valid = semver.validRange(readable, { loose: true });
  return valid === null || semver.satisfies(version, valid, { includePrerelease: true });
}
