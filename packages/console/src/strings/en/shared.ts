// Words that several pages share. Words of one page are in its own file.
export const shared = {
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  credits: (amount: string) => `${amount} ${amount === "1" ? "credit" : "credits"}`,
  download: "Download",
  needsRole: {
    member: "You can look, but not change or run anything. An owner can make you a member.",
    billing: "Only owners and people with the role billing can do this.",
    owner: "Only owners of the workspace can do this.",
    auditor: "Only auditors and operators of this server can do this.",
    operator: "Only operators of this server can do this.",
  },
  signIn: "Sign in",
  signInAgain: "Sign in again",
  tryAgain: "Try again",
} as const;
