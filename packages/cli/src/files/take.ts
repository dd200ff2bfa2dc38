// The first few of a list that the server gives page by page; no further page is asked for.
export async function take<T>(list: AsyncIterable<T>, most: number): Promise<T[]> {
  const taken: T[] = [];
  if (most === 0) return taken;
  for await (const each of list) {
    taken.push(each);
    if (taken.length >= most) break;
  }
  return taken;
}
