// What is wrong with one field of a body, for the sentence that names every bad field.
export interface FieldProblem {
  // A JSON pointer into the body.
  readonly path: string;
  readonly message: string;
}
