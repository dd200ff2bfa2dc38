// When a test gives up. On a slow machine that does other work as well, a command may take twenty times as long as usual, and
// no test is about that. So these limits only end what hangs; the runner's own (scripts/test.mjs) is 15 minutes per test.

// For one program that a test runs: a command, a build, a page of commands.
export const programMsMax = 600_000;
// For one condition that a test waits for.
export const waitSecondsMax = 300;
