// Decides whether a file of this name is safe to unpack. The answer holds on every system an installer may run on: a name
// that means a drive, a stream or a reserved device on any of them is refused everywhere.

export interface NameProblem {
  readonly code: "path_escape" | "absolute_name" | "unsafe_name";
  readonly message: string;
}

// A trailing slash marks a folder and is not part of the name.
export function problemOfName(name: string, nameBytesMax: number): NameProblem | null {
  if (name === "") return unsafe("An entry has no name.");
  if (Buffer.byteLength(name) > nameBytesMax) return unsafe("The name is too long.");
  if (controlCharacter.test(name)) return unsafe("The name contains control characters.");
  if (name.includes("\u{fffd}")) return unsafe("The name is not valid text.");
  if (/^[/\\]/.test(name) || /^[A-Za-z]:/.test(name)) {
    return {
      code: "absolute_name",
      message: "The name is an absolute path; installers would write outside their folder.",
    };
  }
  const segments = name.replace(/\/$/, "").split(/[/\\]/);
  if (segments.includes("..")) {
    return { code: "path_escape", message: "The name leads out of the folder that the archive is unpacked into." };
  }
  if (name.includes("\\"))
    return unsafe("The name contains a backslash, which some systems treat as a folder separator.");
  if (segments.some((segment) => segment === "" || segment === ".")) return unsafe("The name has an empty part.");
  if (segments.some((segment) => segment.includes(":"))) return unsafe("The name contains a colon.");
  if (segments.some((segment) => device.test(segment))) return unsafe("The name is a device name on some systems.");
  if (segments.some((segment) => /[. ]$/.test(segment))) return unsafe("A part of the name ends in a dot or a space.");
  return null;
}

// Folds names that are the same file on systems that ignore case or normalize accents.
export function foldedName(name: string): string {
  return name.replace(/\/$/, "").normalize("NFC").toLowerCase();
}

const controlCharacter = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

function unsafe(message: string): NameProblem {
  return { code: "unsafe_name", message };
}
