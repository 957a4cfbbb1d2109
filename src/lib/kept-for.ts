/** Answers with what was made less than so long ago; those who ask meanwhile share it. */
export function keptFor<Value>(
  keptMs: number,
  steady: () => number,
  make: () => Promise<Value>,
): () => Promise<Value> {
  let made: { readonly atMs: number; readonly value: Promise<Value> } | undefined;
  return () => {
    const atMs = steady();
    if (made === undefined || atMs - made.atMs >= keptMs) made = { atMs, value: make() };
    return made.value;
  };
}
