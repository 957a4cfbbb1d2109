/** Caches the results of a pure function for the last `most` different texts. */
export function boundedMemo<Result>(
  most: number,
  compute: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found as Result;
    const result = compute(text);
    if (known.size >= most) known.delete(known.keys().next().value as string);
    known.set(text, result);
    return result;
  };
}
