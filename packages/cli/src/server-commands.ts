// The server package, if it is installed next to this one.
type ServerCommands = typeof import("@atelier/server/commands");

export async function loadServerCommands(): Promise<ServerCommands | null> {
  try {
    return await import("@atelier/server/commands");
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (isAbsent && error.message.includes("@atelier/server")) return null;
    throw error;
  }
}
