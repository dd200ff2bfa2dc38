interface ReleasedFile {
  readonly name: string;
  readonly sha256: string;
}

export function differencesOf(one: readonly ReleasedFile[], other: readonly ReleasedFile[]): string[];
export function digestsOf(folder: string): ReleasedFile[];
