// One bad field of a body. The error message lists all of them.
export interface FieldProblem {
  // A JSON pointer into the body.
  readonly path: string;
  readonly message: string;
}
