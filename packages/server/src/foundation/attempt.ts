// What a call returns, or something else if it throws: for calls that fail in only one way that matters, so that nobody looks at
// the error.
export function attempt<Result, Otherwise>(run: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return run();
  } catch {
    return otherwise;
  }
}
