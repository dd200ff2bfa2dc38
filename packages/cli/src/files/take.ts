// Takes the first few entries of a paged list, without requesting another page.
export async function take<T>(list: AsyncIterable<T>, most: number): Promise<T[]> {
  const taken: T[] = [];
  if (most === 0) return taken;
  for await (const each of list) {
    taken.push(each);
    if (taken.length >= most) break;
  }
  return taken;
}
