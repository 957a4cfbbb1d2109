import { systemClock } from '../../src/lib/system-clock.ts';
import type { SttEvent, SttStream } from '../../src/ports/stt.ts';
import type { TtsPart } from '../../src/ports/tts.ts';
import { createSttSocket } from '../../src/providers/stt-socket/adapter.ts';
import type { SttVendor } from '../../src/providers/stt-socket/stt-vendor.ts';
import { createTtsSocket } from '../../src/providers/tts-socket/adapter.ts';
import type { TtsVendor } from '../../src/providers/tts-socket/tts-vendor.ts';
import { collect } from '../support/collect.ts';

/** What both clients are set to. */
export const HEARING = {
  sampleRateHz: 16_000,
  languages: ['en-US'],
  hints: ['Anna', 'Parley'],
} as const;

export interface OurHearing extends Disposable {
  readonly stream: SttStream;
  readonly events: SttEvent[];
}

/** Our recogniser on a line of its own. */
export async function ourHearing(
  vendor: SttVendor,
  setup: Partial<{
    languages: readonly string[];
    hints: readonly string[];
    sampleRateHz: number;
  }> = {},
): Promise<OurHearing> {
  const events: SttEvent[] = [];
  const stt = createSttSocket(vendor, { clock: systemClock, random: () => 0.5 });
  const stream = await stt.open({
    ...HEARING,
    ...setup,
    phrases: [],
    onEvent: (event) => events.push(event),
    signal: new AbortController().signal,
  });
  return { stream, events, [Symbol.dispose]: () => stream.close() };
}

/** Our voice speaks one utterance; the parts that came, or the error. */
export async function ourSpeech(
  vendor: TtsVendor,
  request: {
    readonly text: string;
    readonly voice?: string;
    readonly settings?: Readonly<Record<string, string | number | boolean>>;
  },
): Promise<TtsPart[]> {
  let ids = 0;
  const voice = createTtsSocket(vendor, { clock: systemClock, createId: () => `ctx_${++ids}` });
  try {
    const { signal } = new AbortController();
    const language = 'en-US';
    return await collect(voice.synthesize({ language, ...request, sampleRateHz: 16_000, signal }));
  } finally {
    voice.close();
  }
}
