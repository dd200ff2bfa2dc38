// The style of the page at /, inline and named by its hash in the policy. Light and dark follow the reader's system.
export const indexStyle = `
:root { color-scheme: light dark; --ink: #1c1d21; --soft: #5b5f6b; --paper: #ffffff; --ground: #f4f3f0; --line: #dedcd5;
  --accent: #2f5d50; --glow: #e9b44c; --hill: #2f5d50; --well: #1f6f4a; --ill: #9b2c1f; --code: #f7f6f3; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececea; --soft: #a9adb8; --paper: #202226; --ground: #16171a;
  --line: #363940; --accent: #8ccbb6; --glow: #f0c46a; --hill: #4f8b79; --well: #7fd3ab; --ill: #ff9d8f; --code: #1a1c1f; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main, footer { width: 100%; max-width: 52rem; margin: 0 auto; padding: 0 1.25rem; }
main { flex: 1; }
.hero { padding: 4rem 0 2.25rem; }
.mark { width: 3.5rem; height: 3.5rem; display: block; margin: 0 0 1rem -.25rem; }
.frame { fill: var(--paper); stroke: var(--accent); stroke-width: 3; }
.sun { fill: var(--glow); } .hill { fill: var(--hill); }
h1 { font-size: clamp(2.2rem, 7vw, 3rem); line-height: 1.1; letter-spacing: -.02em; margin: 0 0 .5rem; }
.lead { text-wrap: balance; font-size: 1.15rem; color: var(--soft); max-width: 34rem; margin: 0 0 1.25rem; }
.state { display: inline-flex; align-items: center; gap: .5rem; margin: 0; padding: .3rem .8rem; font-size: .9rem;
  font-weight: 600; background: var(--paper); border: 1px solid var(--line); border-radius: 99rem; }
.dot { width: .6rem; height: .6rem; border-radius: 50%; background: currentColor; }
.well { color: var(--well); } .ill { color: var(--ill); }
nav { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: .9rem; }
.card { display: block; padding: 1.1rem 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: .8rem;
  color: inherit; text-decoration: none; }
.card strong { display: block; color: var(--accent); font-size: 1.05rem; margin: 0 0 .15rem; }
.card span { color: var(--soft); font-size: .95rem; }
.card:hover { border-color: var(--accent); }
section { margin: .9rem 0 2.5rem; padding: 1.35rem 1.25rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: .8rem; }
h2 { font-size: 1.1rem; margin: 0 0 .75rem; } p { margin: 0 0 .5rem; text-wrap: pretty; } section > :last-child { margin-bottom: 0; }
pre { margin: 0 0 1.1rem; padding: .8rem 1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line);
  border-radius: .5rem; }
code { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, monospace; }
.soft, footer { color: var(--soft); font-size: .9rem; }
footer { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; padding-bottom: 2rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .3rem; }
@media (max-width: 40rem) { .hero { padding: 2.5rem 0 1.5rem; } }
`;
