// One thing that `atelier doctor` looked at, and how to mend it where it is wrong.
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  readonly mend?: string;
}

export const well = (name: string, message: string): Finding => ({ name, state: "ok", message });
export const warning = (name: string, message: string, mend: string): Finding => ({
  name,
  state: "warning",
  message,
  mend,
});
export const problem = (name: string, message: string, mend: string): Finding => ({
  name,
  state: "problem",
  message,
  mend,
});
