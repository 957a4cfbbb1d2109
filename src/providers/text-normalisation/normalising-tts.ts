import { throwIfAborted } from '../../lib/abort.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import { normaliseText } from './protocol.ts';
import { SpokenTimings } from './spoken-timings.ts';

/** Passes a voice the normalised text; word times still refer to the written text. */
export function createNormalisingTts(tts: Tts): Tts {
  return { provider: tts.provider, synthesize: (request) => synthesize(tts, request) };
}

async function* synthesize(
  tts: Tts,
  request: TtsRequest,
): AsyncGenerator<TtsPart, void, undefined> {
  throwIfAborted(request.signal);
  if (request.settings?.applyTextNormalization === false) {
    yield* tts.synthesize(request);
    return;
  }
  const words = normaliseText(request.text, request.language);
  if (words.every(({ written, spoken }) => written === spoken)) {
    yield* tts.synthesize(request);
    return;
  }
  const text = words.flatMap(({ spoken }) => spoken || []).join(' ');
  if (!/[\p{L}\p{N}]/u.test(text)) return;
  const timings = new SpokenTimings(words);
  for await (const part of tts.synthesize({ ...request, text })) {
    if (part.type === 'audio') {
      yield part;
      continue;
    }
    const written = timings.take(part.words);
    if (written.length > 0) yield { type: 'words', words: written };
  }
}
