/** All parts of a stream. Rejects as it does. */
export async function allOf<Part>(parts: AsyncIterable<Part>): Promise<readonly Part[]> {
  const all: Part[] = [];
  for await (const part of parts) all.push(part);
  return all;
}
