import { throwIfAborted } from '../../lib/abort.ts';
import type { Tts, TtsPart, TtsRequest } from '../../ports/tts.ts';
import { bytesOf, type VoiceCache } from './voice-cache.ts';

/** Who shares cached audio: the scope's name and its owner within it. */
export interface CacheScope {
  readonly scope: 'assistant' | 'team' | 'global';
  /** Absent: an assistant of a single call, whose audio is not shared. */
  readonly owner?: string;
  /** Whose share of the cache it takes. Absent: that of all without a team. */
  readonly teamId?: string | undefined;
}

/** Replays utterances spoken before with the same voice and settings. */
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
      // Copied, because the reader may modify it.
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
  // Only complete utterances are cached.
  if (bytes <= cache.maxUtteranceBytes) cache.keep(key, kept, scope.teamId ?? '');
}

function copyOf(part: TtsPart): TtsPart {
  return part.type === 'audio' ? { ...part, pcm: part.pcm.slice() } : part;
}
