import type { Llm } from '../../ports/llm.ts';
import type { Stt } from '../../ports/stt.ts';
import type { Tts } from '../../ports/tts.ts';

/** The model as one team asks it: each request says whose it is, so that teams take turns. */
export function llmOfTeam(llm: Llm, team: string | undefined): Llm {
  if (team === undefined) return llm;
  return { provider: llm.provider, stream: (request) => llm.stream({ ...request, team }) };
}

/** The recogniser as one team's callers are heard by it. */
export function sttOfTeam(stt: Stt, team: string | undefined): Stt {
  if (team === undefined) return stt;
  return {
    provider: stt.provider,
    inputRatesHz: stt.inputRatesHz,
    finalLatencyP99Ms: stt.finalLatencyP99Ms,
    turnAware: stt.turnAware ?? false,
    open: (options) => stt.open({ ...options, team }),
  };
}

/** The voice as one team's assistants speak with it. */
export function ttsOfTeam(tts: Tts, team: string | undefined): Tts {
  if (team === undefined) return tts;
  return { provider: tts.provider, synthesize: (request) => tts.synthesize({ ...request, team }) };
}
