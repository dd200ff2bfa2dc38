export const signIn = {
  name: "Atelier",
  title: "Sign in",
  lead: "No password needed.",
  signedInAs: (name: string) => `You are signed in as ${name}.`,
  continue: "Continue",
  with: (provider: string) => `Sign in with ${provider}`,
  getLink: "Get a link",
  orLink: "Or use a link",
  linkText:
    "A link signs you in once and works for ten minutes. On the machine that runs Atelier, this command makes one and opens your browser:",
  command: "Command",
  linkHint:
    "{command} prints the link instead. The first start prints one too, or names the file that contains it. No access to that machine? Ask its operator or an owner of your workspace.",
  request: "Request {id}",
  problems: {
    issuer_away: {
      title: "The sign-in provider does not respond",
      text: "Try again in a moment. Links still work.",
    },
    began_elsewhere: {
      title: "This sign-in started somewhere else",
      text: "It started in another browser, at another address of this server, or more than ten minutes ago. Start again here.",
    },
    denied: {
      title: "The sign-in provider did not sign you in",
      text: "You may have canceled it there. Start again.",
    },
    invalid: {
      title: "The sign-in provider's answer is not valid",
      text: "Start again. If it keeps happening, send the request ID to the operator.",
    },
    not_allowed: {
      title: "Your account has no access",
      text: "You signed in at the provider, but this server does not accept your account. Ask its operator.",
    },
    unverified: {
      title: "Your email address is not verified",
      text: "This server accepts only addresses that the sign-in provider has verified. Verify yours there, then start again.",
    },
    not_set_up: { title: "No sign-in provider is set up here", text: "Use a link." },
    other: { title: "Sign-in failed", text: "Start again." },
  },
  token: {
    title: "Enter the token of this server",
    lead: "The operator has set one. It is forgotten when you close this tab.",
    label: "Token",
    wrong: "This is not the token that the operator set.",
    missing: "Enter the token first.",
  },
  link: {
    title: (name: string) => `Sign in as ${name}`,
    lead: "This uses up the link and signs this browser in for up to 30 days.",
    signIn: "Sign in",
    signingIn: "Signing in…",
    signingInWhy: "You are being signed in.",
    newLink: "Get a new link",
    maybeSignedIn: "You may already be signed in. Open the console to check.",
    openConsole: "Open console",
    fates: {
      used: {
        title: "This link has already been used",
        text: "A link signs in once. If it was not you, tell the operator of this server.",
      },
      expired: { title: "This link has expired", text: "A link works for ten minutes." },
      unknown: { title: "This link is not valid", text: "It may be incomplete, or belong to another server." },
    },
  },
} as const;
