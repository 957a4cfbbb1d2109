import type { OutboundResponse } from './guarded-fetch.ts';

/** The first bytes of a body as text; the rest is cancelled. */
export async function readStart(response: OutboundResponse, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    received += chunk.length;
    if (received >= limitBytes) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, limitBytes);
}
