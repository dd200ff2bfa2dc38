// The parts that all operators' pages share.
export const operate = {
  notOperator: "Only operators of this server can do this.",
  auditor: "Auditors read this and change nothing. Ask an operator of this server.",
  unknownYet: "Checking whether you are an operator.",
  forOperators: "This page is for operators",
  signedInAs:
    "You are signed in as {name}, who is not an operator of this server. Ask an operator to add you, or run this on the server:",
  notOne: "You are not an operator of this server. Ask an operator to add you, or run this on the server:",
  command: "Command",
  pages: "List pages",
  firstPage: "First page",
  nextPage: "Next page",
} as const;
