import { parseWav } from '../../src/audio/parse-wav.ts';
import type { HearingScript } from './hearing-script.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';
import { ToneListener } from './tone-words.ts';

export interface TranscriptionsScript extends HearingScript {
  /** Never answers. */
  readonly hang?: boolean;
  /** Statuses of the first requests, before the others are answered. */
  readonly firstStatuses?: readonly number[];
  /** Text that whisper makes out of noise. */
  readonly hallucination?: string;
  readonly body?: string;
}

export interface TranscriptionsEmulator extends LocalServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly Readonly<Record<string, string>>[];
  readonly openRequests: () => number;
}

const MIN_AUDIO_MS = 100;

/** OpenAI's `/audio/transcriptions`. */
export async function startTranscriptionsEmulator(
  script: TranscriptionsScript,
): Promise<TranscriptionsEmulator> {
  const requests: Record<string, string>[] = [];
  let open = 0;
  const server = await startLocalServer(async (request, response) => {
    open++;
    response.once('close', () => open--);
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    const complain = (status: number, message: string): void =>
      answer(status, { error: { message, type: 'invalid_request_error' } });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url !== '/v1/audio/transcriptions') return complain(404, 'not found');
    if (script.refuse) return answer(script.refuse.status, script.refuse.body ?? {});
    const wanted = `Bearer ${script.apiKey}`;
    if (script.apiKey !== undefined && request.headers.authorization !== wanted)
      return complain(401, `Incorrect API key provided: ${request.headers.authorization}`);
    const form = await new Response(Buffer.concat(chunks), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const fields = Object.fromEntries(
      [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    requests.push(fields);
    const early = script.firstStatuses?.[requests.length - 1];
    if (early !== undefined) return complain(early, 'try again');
    const file = form.get('file');
    if (!(file instanceof File) || !/\.(?:wav|flac|mp3)$/.test(file.name))
      return complain(400, 'file is required');
    if (!fields.model) return complain(400, 'model is required');
    const verbose = fields.response_format === 'verbose_json';
    if (verbose && /^gpt-4o/.test(fields.model))
      return complain(400, 'response_format verbose_json is not compatible with this model');
    const { channels, sampleRateHz } = parseWav(new Uint8Array(await file.arrayBuffer()));
    const pcm = channels[0] as Int16Array;
    if ((pcm.length * 1000) / sampleRateHz < MIN_AUDIO_MS)
      return complain(400, 'Audio file is too short');
    if (script.hang) return;
    if (script.body !== undefined) return answer(200, script.body);
    const listener = new ToneListener(sampleRateHz);
    listener.push(pcm);
    listener.flush();
    const text = listener.words.map((word) => word.text).join(' ');
    const noise = text === '' ? (script.hallucination ?? '') : '';
    const segment = noise
      ? { id: 0, text: ` ${noise}`, avg_logprob: -1.4, no_speech_prob: 0.9 }
      : { id: 0, text: ` ${text}`, avg_logprob: -0.2, no_speech_prob: 0.01 };
    answer(200, verbose ? { text: text || noise, segments: [segment] } : { text: text || noise });
  });
  return { ...server, baseUrl: `${server.url}/v1`, requests, openRequests: () => open };
}
