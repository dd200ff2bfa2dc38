// A browser asks for pages explicitly; a client that accepts anything is a program.
export function wantsPage(accept: string | undefined): boolean {
  return (accept ?? "").split(",").some((each) => {
    const [type = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    return type === "text/html" && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
