// One problem of a definition: the field as a JSON pointer, and what is wrong with it.
export interface DefinitionProblem {
  readonly path: string;
  readonly message: string;
}

export function problemText({ path, message }: DefinitionProblem): string {
  return `${path || "the definition"} ${message}`;
}
