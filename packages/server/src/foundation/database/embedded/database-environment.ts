// The environment for the database's programs: nothing from ours. Otherwise anyone able to read files or run programs as the
// database would find the providers' credentials there.
export const databaseEnvironment: NodeJS.ProcessEnv =
  process.platform === "win32"
    ? { SystemRoot: "C:\\Windows", PATH: "C:\\Windows\\System32" }
    : { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
