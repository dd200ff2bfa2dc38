// Why a backup failed, in words for the operator: the errors of file systems say it with a code only.
const words: Readonly<Record<string, (where: string) => string>> = {
  ENOSPC: (where) => `The disk of ${where} is full. Free some space, or keep fewer backups.`,
  EDQUOT: (where) => `The quota of ${where} is used up. Free some space, or keep fewer backups.`,
  EACCES: (where) => `${where} cannot be written: permission denied. Give it to the user that runs the server.`,
  EPERM: (where) => `${where} cannot be written: not permitted. Give it to the user that runs the server.`,
  EROFS: (where) => `${where} cannot be written: its file system is read-only.`,
  ENOTDIR: (where) => `${where} cannot be written: a part of this path is not a folder.`,
  EEXIST: (where) => `${where} cannot be written: something else has a name that the backup needs.`,
  ENOENT: (where) => `${where} was removed while the backup was made.`,
};

export function backupProblem(error: unknown, where: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  const [line = ""] = error.message.split("\n");
  return words[code]?.(where) ?? (line === "" ? error.name : line);
}
