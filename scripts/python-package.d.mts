interface BuiltFile {
  readonly file: string;
  readonly bytes: Buffer;
}

export function pythonPackageOf(root: string): {
  readonly name: string;
  readonly version: string;
  readonly wheel: BuiltFile;
  readonly sdist: BuiltFile;
};
