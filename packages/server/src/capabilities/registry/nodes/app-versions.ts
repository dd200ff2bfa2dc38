// Which declared ranges of application versions leave a version out. Ranges are texts that publishers write, in the manner
// of npm or of Python: what cannot be read restricts nothing, as what is not declared does.
import semver from "semver";

// Null: not a version that could be compared, such as nightly; nothing is left out then.
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
