import type { Llm } from '../../ports/llm.ts';
import type { Stt } from '../../ports/stt.ts';
import type { Tts } from '../../ports/tts.ts';

/** Adds the team to each request of a model, so that teams take turns. */
export function llmOfTeam(llm: Llm, team: string | undefined): Llm {
  if (team === undefined) return llm;
  return { provider: llm.provider, stream: (request) => llm.stream({ ...request, team }) };
}

/** Adds the team to each stream of a recogniser. */
export function sttOfTeam(stt: Stt, team: string | undefined): Stt {
  if (team === undefined) return stt;
  return { ...stt, open: (options) => stt.open({ ...options, team }) };
}

/** Adds the team to each utterance of a voice. */
export function ttsOfTeam(tts: Tts, team: string | undefined): Tts {
  if (team === undefined) return tts;
  return { provider: tts.provider, synthesize: (request) => tts.synthesize({ ...request, team }) };
}
