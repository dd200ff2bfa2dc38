// One thing that `atelier doctor` or a running server checked, and how to fix it if it is wrong.
export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warning" | "problem";
  readonly message: string;
  readonly mend?: string;
}

export const well = (name: string, message: string): Finding => ({ name, state: "ok", message });
const toMend =
  (state: Finding["state"]) =>
  (name: string, message: string, mend: string): Finding => {
    return { name, state, message, mend };
  };
export const warning = toMend("warning");
export const problem = toMend("problem");
