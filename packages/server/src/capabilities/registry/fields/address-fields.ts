// Validates fields that readers follow as a link or show as a picture. A site that renders a registry puts these texts
// into attributes, so we reject anything that could end an attribute or run code. Pages and pictures are http or https, a
// repository may also be written as a git address, and help may be an e-mail address or plain words. Rows stored before
// this rule are served unchanged.

type AddressKind = "page" | "repository" | "help";

const kinds: ReadonlyMap<string, AddressKind> = new Map([
  ["icon", "page"],
  ["banner_url", "page"],
  ["logo", "page"],
  ["website", "page"],
  ["repository", "repository"],
  ["source_code_repo", "repository"],
  ["support", "help"],
]);

// `path` is a JSON pointer into a body. Null if the text is allowed or the field is not an address. Tools send an empty
// text for a field that is not set.
export function addressProblem(path: string, text: string): string | null {
  const field = /^(?:\/node)?\/([a-z_]+)$/.exec(path)?.[1] ?? "";
  const kind = kinds.get(field);
  return kind === undefined || text === "" || isWanted[kind](text) ? null : words[kind];
}

const words: Readonly<Record<AddressKind, string>> = {
  page: "must be an http or https URL",
  repository: "must be the URL of a repository: http, https, ssh, or git's short form",
  help: "must be an http or https URL, an email address, or plain words",
};

const isWanted: Readonly<Record<AddressKind, (text: string) => boolean>> = {
  page: isWebAddress,
  repository: (text) => isWebAddress(text) || isGitAddress(text),
  help: (text) => isWebAddress(text) || /^mailto:[^\s<>"'`\p{Cc}]+$/u.test(text) || isPlainWords(text),
};

function isWebAddress(text: string): boolean {
  if (/[\s<>"'`\\\p{Cc}]/u.test(text) || !/^https?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "";
}

// ssh://git@host/path, git@host:path, and host/path without a scheme.
function isGitAddress(text: string): boolean {
  const isForm = /^(?:(?:ssh|git):\/\/)?(?:[\w.-]+@)?[A-Za-z0-9][A-Za-z0-9.-]*(?::\d+)?[:/][\w./~%+-]+$/.test(text);
  return isForm && !hasForeignScheme(text);
}

// Browsers ignore blanks and control characters in a scheme, so we remove them before looking.
function hasForeignScheme(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.replace(/[\s\p{Cc}]/gu, ""))?.[1]?.toLowerCase();
  return scheme !== undefined && scheme !== "ssh" && scheme !== "git";
}

function isPlainWords(text: string): boolean {
  return !/[<>"`\p{Cc}]/u.test(text) && !hasForeignScheme(text);
}
