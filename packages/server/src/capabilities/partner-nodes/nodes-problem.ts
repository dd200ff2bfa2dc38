// One problem of a file of node classes: the field as a JSON pointer, and what is wrong with it.
export interface NodesProblem {
  readonly path: string;
  readonly message: string;
}
