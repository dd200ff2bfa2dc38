// What the proof of a badge found. An error rejects the badge; a warning is shown but accepts it. `code` is either one of
// ours (snake_case) or JSONata's own (a letter and four digits), so that tools can branch on it. `position` counts
// characters of `expr` and points just behind the token, like JSONata's own errors.
export interface Finding {
  readonly severity: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly position?: number;
  readonly token?: string;
}

export function failure(code: string, message: string, position?: number | null): Finding {
  return finding("error", code, message, position);
}

export function warning(code: string, message: string, position?: number | null): Finding {
  return finding("warning", code, message, position);
}

export function isProven(findings: readonly Finding[]): boolean {
  return findings.every((one) => one.severity !== "error");
}

function finding(severity: Finding["severity"], code: string, message: string, position?: number | null): Finding {
  return position === undefined || position === null
    ? { severity, code, message }
    : { severity, code, message, position };
}
