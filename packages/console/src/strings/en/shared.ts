// Words that several pages share. Words of one page are in its own file.
export const shared = {
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  credits: (amount: string) => `${amount} ${amount === "1" ? "credit" : "credits"}`,
  download: "Download",
  signIn: "Sign in",
  signInAgain: "Sign in again",
  tryAgain: "Try again",
} as const;
