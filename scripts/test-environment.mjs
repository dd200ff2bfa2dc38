// What a test may see of its runner: where programs, time zone and temporary files are, and what we pass to tests on purpose.
// Nothing else: a person's data folder, database, login or proxy must not decide whether a test passes, and no test may touch
// them.
const passed = [
  "PATH",
  "TMPDIR",
  "TEMP",
  "TMP",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "LD_LIBRARY_PATH",
  "SystemRoot",
  "ComSpec",
  "PATHEXT",
  "NODE_COMPILE_CACHE",
  // How the runner's own processes find each other.
  "NODE_TEST_CONTEXT",
  "NODE_TEST_WORKER_ID",
  "NODE_CHANNEL_FD",
  "NODE_CHANNEL_SERIALIZATION_MODE",
];

export const isPassed = (name) => passed.includes(name) || /^ATELIER_(TEST|TORTURE)_/.test(name);

export const testEnvironment = (env) => Object.fromEntries(Object.entries(env).filter(([name]) => isPassed(name)));
