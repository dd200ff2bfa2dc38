// Leaves out what is undefined: an option that was not given.
export function given<Values extends object>(values: Values): Given<Values>;
export function given(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

type Given<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & { [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined> };
