// One thing that is wrong with a definition: the field as a JSON pointer, and what is the matter with it.
export interface DefinitionProblem {
  readonly path: string;
  readonly message: string;
}

export function problemText({ path, message }: DefinitionProblem): string {
  return `${path || "the definition"} ${message}`;
}
