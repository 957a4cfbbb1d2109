import { type CallThread, ThreadUse } from '../lib/thread-use.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { AssistantVendors } from './assistant-vendors.ts';
import { createOfflineStt, type OfflineStt } from './offline/stt/adapter.ts';
import { createOfflineTts, type OfflineTts } from './offline/tts/adapter.ts';
import { createNeuralVad, type NeuralVad } from './vad/neural-vad.ts';

/** The recogniser, the voice and the VAD that every service has. Their threads run while calls need them. */
export interface BuiltInEngines {
  readonly recogniser: OfflineStt;
  readonly voice: OfflineTts;
  readonly vad: NeuralVad;
  /**
   * Starts those that a call of this assistant may use, fallbacks included. Resolves when its first words would not wait
   * for the voice nor be talked over unnoticed, and after a second at the latest: the call itself copes with the rest.
   */
  wake(assistant: AssistantVendors): Promise<void>;
  /** The threads that a call of this assistant may need. */
  threadsOf(assistant: AssistantVendors): readonly CallThread[];
  close(): Promise<void>;
}

export interface BuiltInEnginesOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The calls that need the engines' threads. @defaultValue none */
  readonly threadUse?: ThreadUse | undefined;
}

const WAKE_MS = 1000;

export function createBuiltInEngines({
  clock,
  log,
  threadUse = new ThreadUse(),
}: BuiltInEnginesOptions): BuiltInEngines {
  const recogniser = createOfflineStt({ clock, idle: threadUse.idleRuleOf('recogniser') });
  const voice = createOfflineTts({ clock, idle: threadUse.idleRuleOf('voice') });
  const vad = createNeuralVad({ clock, log, idle: threadUse.idleRuleOf('vad') });
  let closed = false;
  const report = (err: unknown) => {
    if (!closed) log.warn({ err }, 'a built-in engine did not start');
  };
  return {
    recogniser,
    voice,
    vad,
    async wake(assistant) {
      const voiceReady = usesVoice(assistant) ? voice.start().catch(report) : Promise.resolve();
      if (usesRecogniser(assistant)) {
        const { languages = '' } = assistant.config.speech.stt;
        const tags = languages.split(',').map((tag) => tag.trim());
        // The voice comes first: what callers say before the recogniser is ready waits for it.
        voiceReady
          .then(() => (closed ? undefined : recogniser.start(tags.filter(Boolean))))
          .catch(report);
      }
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = clock.setTimeout(resolve, WAKE_MS);
      await Promise.race([Promise.all([voiceReady, vad.start()]), late]);
      clock.clearTimeout(timer);
    },
    threadsOf: (assistant) => [
      'vad',
      ...(usesRecogniser(assistant) ? (['recogniser'] as const) : []),
      ...(usesVoice(assistant) ? (['voice'] as const) : []),
    ],
    async close() {
      closed = true;
      await Promise.all([recogniser.close(), voice.close(), vad.close()]);
    },
  };
}

function usesVoice({ config }: AssistantVendors): boolean {
  const enabled = config.speech.ttsData.filter((voice) => voice.enabled);
  return enabled.length === 0 || enabled.some(({ vendor }) => vendor === 'offline');
}

function usesRecogniser({ config }: AssistantVendors): boolean {
  const { stt, sttFallback } = config.speech;
  return (
    stt.vendor === 'offline' || (sttFallback?.enabled === true && sttFallback.vendor === 'offline')
  );
}
