import { type LocalServer, startLocalServer } from './local-server.ts';

type Json = Record<string, unknown>;

export interface EmbeddingsScript {
  readonly apiKey?: string;
  /** Statuses of the first requests, before the others are answered. */
  readonly firstStatuses?: readonly number[];
  readonly retryAfterSeconds?: number;
  /** Knows no base64, as some compatible servers. */
  readonly numbersOnly?: boolean;
  readonly body?: string;
  readonly hang?: boolean;
}

export interface EmbeddingsEmulator extends LocalServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly Json[];
}

const MAX_INPUTS = 2048;
const MAX_ITEM_CHARS = 32_000;

/** OpenAI's `/embeddings`: vectors that follow from the text alone, in an order of their own. */
export async function startEmbeddingsEmulator(
  script: EmbeddingsScript = {},
): Promise<EmbeddingsEmulator> {
  const requests: Json[] = [];
  const server = await startLocalServer(async (request, response) => {
    const answer = (status: number, body: unknown): void => {
      const wait = script.retryAfterSeconds;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
      });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const complain = (status: number, message: string): void =>
      answer(status, { error: { message, type: 'invalid_request_error' } });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    requests.push(body);
    const wanted = `Bearer ${script.apiKey}`;
    if (script.apiKey !== undefined && request.headers.authorization !== wanted)
      return complain(401, `Incorrect API key provided: ${request.headers.authorization}`);
    if (request.url !== '/v1/embeddings') return complain(404, 'not found');
    const input = body.input as string[];
    if (!body.model || input.length === 0 || input.length > MAX_INPUTS)
      return complain(400, 'input is invalid');
    if (input.some((text) => text === '' || text.length > MAX_ITEM_CHARS))
      return complain(400, "'$.input' is invalid");
    const early = script.firstStatuses?.[requests.length - 1];
    if (early !== undefined) return complain(early, 'not now');
    if (script.hang) return;
    if (script.body !== undefined) return answer(200, script.body);
    const data = input.map((text, index) => {
      const vector = emulatedVector(text, Number(body.dimensions ?? 8));
      const isBase64 = body.encoding_format === 'base64' && !script.numbersOnly;
      const bytes = Buffer.from(Float32Array.from(vector).buffer);
      const embedding = isBase64 ? bytes.toString('base64') : vector;
      return { object: 'embedding', index, embedding };
    });
    answer(200, { object: 'list', model: body.model, data: data.reverse() });
  });
  return { ...server, baseUrl: `${server.url}/v1`, requests };
}

/** The vector that the emulator makes of a text, of length one. */
export function emulatedVector(text: string, dimensions: number): number[] {
  const raw = Array.from({ length: dimensions }, (_, i) =>
    [...text].reduce((sum, char) => Math.sin(sum + char.charCodeAt(0) * (i + 1)), i + 1),
  );
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}
