import { stockLinesOf } from '../../src/engine/language/language.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';

/** The contract's defaults, with a welcome message and a recogniser of ordinary speed. */
export function callSettings(overrides: Partial<CallSettings> = {}): CallSettings {
  const { idle, acknowledgements, ...lines } = stockLinesOf(overrides.languages ?? ['en-US']);
  return {
    callType: 'web',
    direction: 'inbound',
    systemPrompt: 'You are helpful.',
    languages: ['en-US'],
    hints: [],
    expected: [],
    welcome: { message: 'Hello there.', mode: 'assistant-speaks-first', interruptible: true },
    startSpeaking: {
      waitMs: 400,
      smartEndpointing: 'predictor',
      onPunctuationMs: 100,
      onNoPunctuationMs: 1500,
      onNumberMs: 500,
      engineBaseMs: 100,
      engineScaleMs: 1800,
    },
    stopSpeaking: { numberOfWords: 0, voiceMs: 200 },
    interruptionAck: { enabled: false, count: 3, words: 5, phrases: acknowledgements },
    backchanneling: false,
    drafts: false,
    predictor: 'text',
    dtmfInput: false,
    idle: { timeoutMs: 10_000, maxMessages: 3, messages: idle },
    maxDurationMs: 600_000,
    responseSplitter: '',
    endCall: { enabled: false, message: '', phrases: [], toolDescription: '' },
    maxConsecutiveTtsFailures: 3,
    tools: [],
    volumeControl: false,
    transfer: {
      toolEnabled: false,
      mode: 'blind',
      phoneNumber: '',
      extension: '',
      name: '',
      timeoutMs: 30_000,
      holdMusicUrl: '',
      recordAfter: false,
    },
    sttP99Ms: 350,
    sttTurnAware: false,
    lines,
    seed: 1,
    ...overrides,
  };
}
