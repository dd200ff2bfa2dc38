// One inline style for all pages, named by its hash in the policy: a page needs no second request, and no other style can ever
// apply.
import { createHash } from "node:crypto";

export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c1d21; --soft: #5b5f6b; --paper: #ffffff; --ground: #f4f3f0; --line: #d9d7d1;
  --accent: #2f5d50; --accent-ink: #ffffff; --warn: #9b2c1f; --note: #eef4f1; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececea; --soft: #a9adb8; --paper: #202226; --ground: #16171a;
  --line: #3a3d44; --accent: #8ccbb6; --accent-ink: #10201b; --warn: #ff9d8f; --note: #1d2b27; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
header, main, footer { max-width: 56rem; margin: 0 auto; padding: 1rem; }
header { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between; }
header strong { font-size: 1.1rem; letter-spacing: .02em; }
header form { display: inline-flex; gap: .5rem; align-items: center; margin: 0; }
main section { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem;
  margin: 0 0 1rem; overflow-wrap: anywhere; }
section > :last-child { margin-bottom: 0; }
h1 { font-size: 1.5rem; margin: .25rem 0 1rem; } h2 { font-size: 1.1rem; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; } footer, .soft { color: var(--soft); font-size: .9rem; }
a { color: var(--accent); }
code { font: .95em/1.4 ui-monospace, monospace; background: var(--ground); border-radius: .3rem; padding: .1rem .3rem; }
.secret { display: block; padding: .75rem; margin: 0 0 .75rem; border: 1px dashed var(--accent); user-select: all; }
.note { background: var(--note); }
.warn { color: var(--warn); }
label { display: block; font-weight: 600; margin: 0 0 .25rem; }
fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 0 0 1rem; padding: .5rem .75rem; }
fieldset label { display: inline-grid; grid-template-columns: auto auto 1fr; gap: .4rem; align-items: baseline; font-weight: 400;
  margin: 0 1rem .25rem 0; }
input[type=text], select { font: inherit; color: inherit; background: var(--ground); width: 100%; max-width: 26rem;
  border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .6rem; margin: 0 0 1rem; }
main select { display: block; }
header select { width: auto; margin: 0; padding: .3rem .5rem; }
button { font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: .5rem; padding: .5rem 1rem;
  background: var(--accent); color: var(--accent-ink); cursor: pointer; }
button.quiet { background: transparent; color: var(--ink); border-color: var(--line); font-weight: 400; padding: .3rem .7rem; }
button.danger { background: transparent; color: var(--warn); border-color: var(--warn); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.keys { list-style: none; margin: 0; padding: 0; }
.keys > li { border-top: 1px solid var(--line); padding: .9rem 0; }
.keys > li:first-child { border-top: 0; padding-top: 0; }
.keys h3 { font-size: 1rem; margin: 0 0 .25rem; }
dl { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; margin: .25rem 0; font-size: .9rem; }
dl div { display: flex; gap: .4rem; } dt { color: var(--soft); white-space: nowrap; } dd { margin: 0; }
summary { cursor: pointer; color: var(--warn); font-size: .9rem; width: fit-content; }
details form { margin: .5rem 0 0; }
`;

const styleHash = createHash("sha256").update(pageStyle).digest("base64");

export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");
