// Words that several pages share. Words of one page are in its own file.
export const shared = {
  cancel: "Cancel",
  close: "Close",
  copied: "Copied",
  copy: "Copy",
  download: "Download",
  signIn: "Sign in",
  tryAgain: "Try again",
} as const;
