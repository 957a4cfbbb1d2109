import { createResampler } from '../audio/resampler.ts';
import { ProviderError } from '../lib/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { Llm } from '../ports/llm.ts';
import type { ProviderFailure } from '../ports/provider-failure.ts';
import type { SpeechSample } from '../ports/speech-sample.ts';
import type { Stt } from '../ports/stt.ts';
import type { Tts } from '../ports/tts.ts';
import type { LlmChoice } from './llm-vendors.ts';
import { type CheckedName, DEFAULT_MODELS } from './vendor-defaults.ts';

export type CheckedPort = 'model' | 'voice' | 'recogniser';

export interface VendorCheck {
  readonly port: CheckedPort | 'embeddings';
  readonly vendor: string;
  readonly ok: boolean;
  /** Time to the first token or audio; for a recogniser, from the end of speech to its final text. */
  readonly firstMs?: number;
  readonly totalMs?: number;
  /** A short description of the result, or of the failure. */
  readonly note: string;
}

interface Measured {
  readonly firstMs: number;
  readonly note: string;
}

interface CheckOptions {
  readonly clock: Clock;
  /** Ends the check early. */
  readonly signal?: AbortSignal;
  /** @defaultValue 30000 */
  readonly deadlineMs?: number;
}

interface CheckedProviders {
  llm(choice: LlmChoice): Llm;
  stt(vendor: string): Stt;
  tts(vendor: string): Tts;
}

const DEADLINE_MS = 30_000;
const FRAME_MS = 20;
const SILENCE_MS = 3000;
const VAD_STOP_MS = 200;
const TEXT = 'One, two, three: this is a short test of a voice.';

/** Tests each named vendor once against its live service, one at a time. */
export async function checkVendors(
  providers: CheckedProviders & { readonly embedder: Embedder | undefined },
  vendors: {
    readonly llm: readonly string[];
    readonly tts: readonly string[];
    readonly stt: readonly string[];
  },
  sample: SpeechSample,
  clock: Clock,
): Promise<VendorCheck[]> {
  const rows: VendorCheck[] = [];
  const check = async (port: CheckedPort, names: readonly string[]): Promise<void> => {
    for (const vendor of names)
      rows.push(await checkVendor(providers, { port, vendor }, sample, { clock }));
  };
  await check('model', vendors.llm);
  await check('voice', vendors.tts);
  await check('recogniser', vendors.stt);
  const { embedder } = providers;
  if (!embedder) return rows;
  const embeddings = { port: 'embeddings', vendor: embedder.provider } as const;
  const row = await measureVendor(embeddings, { clock }, async (signal) => {
    const startedAt = clock.now();
    const [vector] = await embedder.embed([TEXT], signal);
    const firstMs = Math.round(clock.now() - startedAt);
    return { firstMs, note: `${embedder.model}, ${vector?.length} dimensions` };
  });
  return [...rows, row];
}

/** Tests one vendor once in one part. A failure is a result; so is the end of the signal. */
export function checkVendor(
  providers: CheckedProviders,
  { port, vendor }: { readonly port: CheckedPort; readonly vendor: string },
  sample: SpeechSample,
  options: CheckOptions,
): Promise<VendorCheck> {
  const { clock } = options;
  return measureVendor({ port, vendor }, options, (signal) => {
    if (port === 'model') return askModel(providers, vendor, clock, signal);
    if (port === 'voice') return speak(providers, vendor, clock, signal);
    return listen(providers, vendor, sample, clock, signal);
  });
}

async function measureVendor(
  { port, vendor }: Pick<VendorCheck, 'port' | 'vendor'>,
  { clock, signal, deadlineMs = DEADLINE_MS }: CheckOptions,
  measure: (signal: AbortSignal) => Promise<Measured>,
): Promise<VendorCheck> {
  const startedAt = clock.now();
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = clock.setTimeout(abort, deadlineMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const measured = await measure(controller.signal);
    return { port, vendor, ok: true, ...measured, totalMs: Math.round(clock.now() - startedAt) };
  } catch (error) {
    const late = `no answer within ${deadlineMs / 1000} s`;
    const note = controller.signal.aborted ? late : reasonOf(error, port, vendor);
    return { port, vendor, ok: false, note };
  } finally {
    clock.clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

const DEFAULTS_BY_PORT: Readonly<
  Record<VendorCheck['port'], Readonly<Record<string, CheckedName>>>
> = {
  model: DEFAULT_MODELS.llm,
  voice: DEFAULT_MODELS.tts,
  recogniser: DEFAULT_MODELS.stt,
  embeddings: DEFAULT_MODELS.embeddings,
};

/** The default model, if the error shows by name or by code that the vendor no longer knows it. */
function refusedModel(
  error: ProviderError,
  port: VendorCheck['port'],
  vendor: string,
): CheckedName | undefined {
  const model = DEFAULTS_BY_PORT[port][vendor];
  if (!model || error.class !== 'invalid') return undefined;
  return /model/i.test(error.code) || error.message.includes(model.name) ? model : undefined;
}

function reasonOf(error: unknown, port: VendorCheck['port'], vendor: string): string {
  if (error instanceof ProviderError) {
    const model = refusedModel(error, port, vendor);
    if (model)
      return `refuses ${model.name}, its default here since ${model.checkedOn}: name another one in the assistant (${error.message})`;
    return `${error.class}: ${error.message}`;
  }
  return error instanceof Error ? error.message : String(error);
}

async function askModel(
  providers: Pick<CheckedProviders, 'llm'>,
  vendor: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<Measured> {
  const llm = providers.llm({ provider: vendor, model: '', url: '' });
  const startedAt = clock.now();
  const messages = [{ role: 'user', content: 'Answer with the one word: ready' }] as const;
  let firstMs: number | undefined;
  let text = '';
  for await (const part of llm.stream({ messages, maxTokens: 200, signal })) {
    firstMs ??= Math.round(clock.now() - startedAt);
    if (part.type === 'text') text += part.text;
  }
  return { firstMs: firstMs ?? 0, note: JSON.stringify(text.slice(0, 40)) };
}

async function speak(
  providers: Pick<CheckedProviders, 'tts'>,
  vendor: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<Measured> {
  const startedAt = clock.now();
  let firstMs: number | undefined;
  let audioMs = 0;
  let words = 0;
  const request = { text: TEXT, language: 'en-US', sampleRateHz: 8000, signal };
  for await (const part of providers.tts(vendor).synthesize(request)) {
    if (part.type === 'words') words += part.words.length;
    else {
      firstMs ??= Math.round(clock.now() - startedAt);
      audioMs += (part.pcm.length * 1000) / part.sampleRateHz;
    }
  }
  const note = `${(audioMs / 1000).toFixed(1)} s of audio, ${words} words timed`;
  return { firstMs: firstMs ?? 0, note };
}

async function listen(
  providers: Pick<CheckedProviders, 'stt'>,
  vendor: string,
  sample: SpeechSample,
  clock: Clock,
  signal: AbortSignal,
): Promise<Measured> {
  const stt = providers.stt(vendor);
  const sampleRateHz = stt.inputRatesHz[0] as number;
  const finals: string[] = [];
  let lastFinalAt: number | undefined;
  let failure: ProviderFailure | undefined;
  const stream = await stt.open({
    sampleRateHz,
    languages: ['en-US'],
    hints: [],
    phrases: [],
    signal,
    onEvent: (event) => {
      if (event.type === 'error') failure = event.error;
      if (event.type !== 'final') return;
      finals.push(event.text);
      lastFinalAt = clock.now();
    },
  });
  const resampler = createResampler(sample.sampleRateHz, sampleRateHz);
  try {
    const frameSamples = (sample.sampleRateHz * FRAME_MS) / 1000;
    const speechMs = (sample.pcm.length * 1000) / sample.sampleRateHz;
    const startedAt = clock.now();
    stream.speechStarted();
    let ended = false;
    for (let at = 0; at < speechMs + SILENCE_MS; at += FRAME_MS) {
      if (failure) throw failure;
      const from = (at / FRAME_MS) * frameSamples;
      const frame = new Int16Array(frameSamples);
      frame.set(sample.pcm.subarray(from, from + frameSamples));
      stream.write(resampler.process(frame));
      if (!ended && at >= speechMs + VAD_STOP_MS) {
        stream.speechEnded();
        ended = true;
      }
      await pauseUntil(clock, startedAt + at + FRAME_MS);
      signal.throwIfAborted();
    }
    if (lastFinalAt === undefined) throw new Error('it heard nothing');
    const firstMs = Math.max(0, Math.round(lastFinalAt - startedAt - speechMs));
    return { firstMs, note: JSON.stringify(finals.join(' ').slice(0, 60)) };
  } finally {
    resampler.close();
    stream.close();
  }
}

function pauseUntil(clock: Clock, at: number): Promise<void> {
  return new Promise((resolve) => {
    clock.setTimeout(resolve, Math.max(0, at - clock.now()));
  });
}
