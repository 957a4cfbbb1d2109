import type { IncomingMessage, ServerResponse } from 'node:http';
import { type LocalServer, startLocalServer } from './local-server.ts';

/** What the emulated analyzer finds: a text, wherever it stands. */
interface Known {
  readonly text: string;
  readonly entity: string;
  readonly score: number;
}

/** A way in which a service fails, for the next requests. */
export type PresidioFault =
  | 'none'
  /** It takes the request and never answers. */
  | 'hangs'
  /** It sends the headers and half of the answer. */
  | 'half'
  | 'error'
  | 'html'
  /** JSON of another shape, as of a gateway in front of it. */
  | 'other-json'
  /** It counts beyond the end of the text. */
  | 'wrong-places'
  /** More than anybody reads. */
  | 'endless';

export interface PresidioEmulator extends AsyncDisposable {
  readonly url: string;
  /** The texts it was asked about. */
  readonly asked: string[];
  fault: PresidioFault;
}

const LANGUAGES = ['en', 'es', 'sv'];
const DEFAULT_SCORE = 0;

/**
 * The REST API of Presidio's analyzer, as its `app.py` and `api-docs.yml` have it: `POST /analyze` with `text` (one or
 * several) and `language`, both required; places count code points, entities below `score_threshold` are left out, keys
 * are sorted. Every error of a request is 500 with its sentence in `error`.
 */
export async function startPresidio(known: readonly Known[]): Promise<PresidioEmulator> {
  const emulator: { fault: PresidioFault; readonly asked: string[] } = { fault: 'none', asked: [] };
  const server: LocalServer = await startLocalServer((request, response) => {
    void serve(request, response, known, emulator);
  });
  return Object.assign(emulator, {
    url: server.url,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  known: readonly Known[],
  emulator: Pick<PresidioEmulator, 'fault' | 'asked'>,
): Promise<void> {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.url === '/health') return void response.end('Presidio Analyzer service is up');
  if (request.url !== '/analyze')
    return void send(404, { error: 'The requested URL was not found on the server.' });
  if (request.method !== 'POST')
    return void send(405, { error: 'The method is not allowed for the requested URL.' });
  if (!request.headers['content-type']?.startsWith('application/json'))
    return void send(500, { error: '415 Unsupported Media Type' });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  let asked: { text?: string | string[]; language?: string; score_threshold?: number };
  try {
    asked = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return void send(500, { error: '400 Bad Request' });
  }
  const { text, language, score_threshold: threshold = DEFAULT_SCORE } = asked;
  if (!text || text.length === 0) return void send(500, { error: 'No text provided' });
  if (!language) return void send(500, { error: 'No language provided' });
  if (!LANGUAGES.includes(language))
    return void send(500, { error: 'No matching recognizers were found to serve the request.' });
  const texts = Array.isArray(text) ? text : [text];
  emulator.asked.push(...texts);
  const found = texts.map((one) =>
    analyse(one, known, threshold, emulator.fault === 'wrong-places'),
  );
  const answer = Array.isArray(text) ? found : found[0];
  switch (emulator.fault) {
    case 'hangs':
      return;
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('[{"entity_type": "PERS');
      return void setImmediate(() => response.destroy());
    case 'error':
      return void send(500, { error: "name 'x' is not defined" });
    case 'html':
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html>Sign in</html>');
    case 'other-json':
      return void send(200, { results: answer });
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('[');
      for (let n = 0; n < 40 && !response.destroyed; n++) response.write(' '.repeat(64 * 1024));
      return void response.end(']');
    default:
      return void send(200, answer);
  }
}

function analyse(text: string, known: readonly Known[], threshold: number, isWrong: boolean) {
  const beyond = isWrong ? [...text].length : 0;
  return known
    .filter(({ score }) => score >= threshold)
    .flatMap(({ text: wanted, entity, score }) =>
      Array.from(text.matchAll(new RegExp(wanted, 'g')), ({ index }) => {
        const start = beyond + [...text.slice(0, index)].length;
        const end = start + [...wanted].length;
        return { analysis_explanation: null, end, entity_type: entity, score, start };
      }),
    );
}
