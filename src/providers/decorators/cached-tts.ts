import { throwIfAborted } from '../../lib/abort.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import { bytesOf, type VoiceCache } from './voice-cache.ts';

/** Who may hear what was spoken for whom: the scope's name and, within it, its owner. */
export interface CacheScope {
  readonly scope: 'assistant' | 'team' | 'global';
  /** Absent: an assistant of one call, whose utterances nobody shares. */
  readonly owner?: string;
}

/** A voice that says again what it said before in the same voice with the same settings. */
export function createCachedTts(tts: Tts, cache: VoiceCache, scope: CacheScope): Tts {
  if (scope.scope !== 'global' && scope.owner === undefined) return tts;
  return {
    provider: tts.provider,
    synthesize: (request) => synthesize(tts, cache, scope, request),
  };
}

function keyOf(provider: string, scope: CacheScope, request: TtsRequest): string {
  const { text, voice = '', language = '', sampleRateHz, settings = {} } = request;
  const owner = scope.scope === 'global' ? '' : scope.owner;
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    ...[scope.scope, owner, provider, voice, language, sampleRateHz, sorted, text],
  ]);
}

async function* synthesize(
  tts: Tts,
  cache: VoiceCache,
  scope: CacheScope,
  request: TtsRequest,
): AsyncGenerator<TtsPart, void, undefined> {
  throwIfAborted(request.signal);
  const key = keyOf(tts.provider, scope, request);
  const known = cache.find(key);
  if (known) {
    for (const part of known) {
      throwIfAborted(request.signal);
      // The reader may do with it as it likes.
      yield copyOf(part);
    }
    return;
  }
  const kept: TtsPart[] = [];
  let bytes = 0;
  for await (const part of tts.synthesize(request)) {
    bytes += bytesOf(part);
    if (bytes <= cache.maxUtteranceBytes) kept.push(copyOf(part));
    yield part;
  }
  // Only what was spoken to its end.
  if (bytes <= cache.maxUtteranceBytes) cache.keep(key, kept);
}

function copyOf(part: TtsPart): TtsPart {
  return part.type === 'audio' ? { ...part, pcm: part.pcm.slice() } : part;
}
