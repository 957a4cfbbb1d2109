import { describe, expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { resolveCallSettings } from '../../src/engine/settings/resolve-settings.ts';
import { vendors } from '../contract/vendors.ts';

const resolve = (fields: object, more: Partial<Parameters<typeof resolveCallSettings>[0]> = {}) =>
  resolveCallSettings({
    assistant: assistantConfigSchema(vendors).parse({ name: 'Ada', ...fields }),
    ...{ variables: { city: 'Oslo' }, callType: 'phone', direction: 'outbound', tools: [] },
    ...{ stt: { finalLatencyP99Ms: 321, turnAware: false }, seed: 7 },
    ...more,
  });

describe('what judges the end of a turn', () => {
  const judged = (smartEndpointing: string | undefined, turnAware: boolean) =>
    resolve(smartEndpointing === undefined ? {} : { startSpeakingOptions: { smartEndpointing } }, {
      stt: { finalLatencyP99Ms: 321, turnAware },
    }).startSpeaking.smartEndpointing;

  test.each([
    ['off', false, 'off'],
    ['off', true, 'off'],
    ['parley', false, 'predictor'],
    ['parley', true, 'predictor'],
    [undefined, true, 'predictor'],
  ] as const)('%s with a recogniser that knows turns (%s): %s', (named, turnAware, judge) => {
    expect(judged(named, turnAware)).toBe(judge);
  });

  test('a recogniser that is named judges if the one of the call knows turns', () => {
    const named = 'deepgram';
    expect(judged(named, true)).toBe('recogniser');
    expect(judged(named, false)).toBe('predictor');
  });
});

describe('a field of the assistant governs calls', () => {
  test.each<[string, object, object]>([
    [
      'assistantSystemPrompt',
      { assistantSystemPrompt: 'In {{city}}.' },
      { systemPrompt: 'In Oslo.' },
    ],
    [
      'welcome',
      {
        ...{ welcomeMessage: 'Hi {{city}}', welcomeMessageMode: 'automatic' },
        welcomeMessageInterruptionsEnabled: false,
      },
      { welcome: { message: 'Hi Oslo', mode: 'automatic', interruptible: false } },
    ],
    [
      'startSpeakingOptions',
      {
        startSpeakingOptions: {
          ...{ waitSeconds: 0.9, onPunctuationSeconds: 0.3, onNoPunctuationSeconds: 2.5 },
          ...{ onNumberSeconds: 1.25, EngineBaseValue: 250, EngineScaleValue: 3333 },
        },
      },
      {
        startSpeaking: {
          ...{ waitMs: 900, onPunctuationMs: 300, onNoPunctuationMs: 2500 },
          ...{ onNumberMs: 1250, engineBaseMs: 250, engineScaleMs: 3333 },
        },
      },
    ],
    [
      'EngineScaleValue in seconds',
      { startSpeakingOptions: { EngineScaleValue: 8 } },
      { startSpeaking: { engineScaleMs: 8000 } },
    ],
    [
      'the greatest EngineScaleValue in seconds',
      { startSpeakingOptions: { EngineScaleValue: 20 } },
      { startSpeaking: { engineScaleMs: 20_000 } },
    ],
    [
      'stopSpeakingOptions',
      { stopSpeakingOptions: { numberOfWords: 3, voiceSeconds: 0.4 } },
      { stopSpeaking: { numberOfWords: 3, voiceMs: 400 } },
    ],
    [
      'userInterruptionAckPlan',
      { userInterruptionAckPlan: { enabled: true, count: 2, words: 4, phrases: ['Mm.'] } },
      { interruptionAck: { enabled: true, count: 2, words: 4, phrases: ['Mm.'] } },
    ],
    [
      'assistantBackchannelingEnabled',
      { assistantBackchannelingEnabled: true },
      { backchanneling: true },
    ],
    ['dtmfInputEnabled', { dtmfInputEnabled: true }, { dtmfInput: true }],
    [
      'idleTimeout, maxIdleMessagesInSequence',
      { idleTimeout: 44, maxIdleMessagesInSequence: 5 },
      { idle: { timeoutMs: 44_000, maxMessages: 5 } },
    ],
    ['maxCallDuration', { maxCallDuration: 3 }, { maxDurationMs: 180_000 }],
    ['assistantResponseSplitter', { assistantResponseSplitter: '|' }, { responseSplitter: '|' }],
    [
      'endCall',
      {
        ...{ assistantPredefinedTools: { endCall: true }, endCallMessage: 'Bye, {{city}}.' },
        ...{ endCallPhrases: ['so long'], endCallToolDescription: 'Ends it in {{city}}.' },
      },
      {
        endCall: {
          ...{ enabled: true, message: 'Bye, Oslo.', phrases: ['so long'] },
          toolDescription: 'Ends it in Oslo.',
        },
      },
    ],
    [
      'maxConsecutiveTtsFailures',
      { maxConsecutiveTtsFailures: 9 },
      { maxConsecutiveTtsFailures: 9 },
    ],
    [
      'volumeControl',
      { assistantPredefinedTools: { volumeControl: true } },
      { volumeControl: true },
    ],
    [
      'callForwardData, recordAfterTransfer',
      {
        ...{ assistantPredefinedTools: { callForward: true }, recordAfterTransfer: true },
        callForwardData: { phoneNumber: '+4712345678', extension: '12', name: 'Desk' },
      },
      {
        transfer: {
          ...{ toolEnabled: true, mode: 'blind', phoneNumber: '+4712345678', extension: '12' },
          ...{ name: 'Desk', recordAfter: true },
        },
      },
    ],
    [
      'warm transfer',
      {
        ...{ warmTransferEnabled: true, warmTransferTimeout: 44 },
        holdMusicUrl: 'https://sounds.example/hold.ogg',
      },
      {
        transfer: {
          ...{ mode: 'announced', timeoutMs: 44_000 },
          holdMusicUrl: 'https://sounds.example/hold.ogg',
        },
      },
    ],
    [
      'warmTransferConversational',
      { warmTransferEnabled: true, warmTransferConversational: true },
      { transfer: { mode: 'conversational' } },
    ],
    ['hints', { hints: ['Ålesund'] }, { hints: ['Ålesund'] }],
    [
      'languages',
      { config: { speech: { stt: { languages: 'fr-FR, en-US' } } } },
      { languages: ['fr-FR', 'en-US'] },
    ],
  ])('%s: governs calls', (_name, fields, settings) => {
    expect(resolve(fields)).toMatchObject(settings);
    expect(resolve({})).not.toMatchObject(settings);
  });
});

test('what callers are expected to say is compared by its words alone', () => {
  expect(resolve({}, { expected: ['When do you open?'] }).expected).toEqual(['when do you open']);
});

describe('what the service knows besides the assistant', () => {
  const stt = { finalLatencyP99Ms: 321 };

  test('decides how the call is led', () => {
    expect(resolve({}).drafts).toBe(true);
    expect(resolve({}, { drafts: false }).drafts).toBe(false);
    expect(resolve({}).predictor).toBe('text');
    expect(resolve({}, { outsidePredictor: true }).predictor).toBe('outside');
    expect(resolve({}, { stt }).sttTurnAware).toBe(false);
    expect(resolve({}, { stt: { ...stt, turnAware: true } }).sttTurnAware).toBe(true);
    const named = { startSpeakingOptions: { smartEndpointing: 'deepgram' } };
    expect(resolve(named, { stt }).startSpeaking.smartEndpointing).toBe('predictor');
    expect(resolve({}, { stt })).not.toHaveProperty('sttSparseInterims');
    expect(resolve({}, { stt: { ...stt, sparseInterims: true } }).sttSparseInterims).toBe(true);
    expect(resolve({}, { expected: ['When do you open?'] }).expected).toEqual(['when do you open']);
  });

  test('acknowledgements are those of the assistant, or those of its language', () => {
    const plan = { enabled: true, count: 1, words: 3 };
    const own = resolve({ userInterruptionAckPlan: { ...plan, phrases: ['Right.'] } });
    expect(own.interruptionAck.phrases).toEqual(['Right.']);
    const none = resolve({ userInterruptionAckPlan: { ...plan, phrases: [] } });
    expect(none.interruptionAck.phrases.length).toBeGreaterThan(1);
  });
});

test('the owner learns which variables of the texts are unknown', () => {
  const unknown: string[] = [];
  const { systemPrompt } = resolve(
    { assistantSystemPrompt: 'In {{city}}, for {{ who }}.', welcomeMessage: 'Hi {{who}}' },
    { onUnknownVariable: (name) => unknown.push(name) },
  );
  expect(systemPrompt).toBe('In Oslo, for .');
  expect(unknown).toEqual(['who', 'who']);
});
