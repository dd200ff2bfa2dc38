// What the programs of the database see of the environment: nothing of ours. One who may read files or run programs as the
// database would find providers' credentials there.
export const databaseEnvironment: NodeJS.ProcessEnv =
  process.platform === "win32"
    ? { SystemRoot: "C:\\Windows", PATH: "C:\\Windows\\System32" }
    : { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
