import { describe, expect, test } from 'vitest';
import { assistantConfigSchema } from '../../src/contract/assistant.ts';
import { vendors } from './vendors.ts';

const schema = assistantConfigSchema(vendors);

/** Expands `{'a.b': 1}` to an assistant `{name, a: {b: 1}}`; numbers address items of arrays. */
function withField(path: string, value: unknown): Record<string, unknown> {
  const nested = path
    .split('.')
    .reduceRight<unknown>((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value);
  return { name: 'Ada', ...(nested as object) };
}

function faults(input: unknown): string[] {
  const result = schema.safeParse(input);
  return (result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('an assistant with a name alone', () => {
  test('has every default of the contract', () => {
    expect(schema.parse({ name: 'Ada' })).toEqual({
      name: 'Ada',
      welcomeMessage: '',
      welcomeMessageMode: 'assistant-speaks-first',
      welcomeMessageInterruptionsEnabled: true,
      assistantProvider: 'offline',
      assistantModel: '',
      assistantLLMUrl: '',
      assistantSystemPrompt: '',
      assistantTemperature: 0.7,
      assistantMaxTokens: 250,
      assistantResponseSplitter: '',
      config: {
        speech: {
          stt: { vendor: 'offline', languages: 'en-US' },
          sttFallback: { enabled: false, vendor: 'offline', languages: 'en-US' },
          ttsData: [
            {
              enabled: true,
              vendor: 'offline',
              language: 'en-US',
              voice: '',
              config: {
                modelId: '',
                stability: 0.5,
                similarityBoost: 0.75,
                speakerBoost: true,
                styleExaggeration: 0,
                seed: 0,
                speed: 1,
                applyTextNormalization: true,
              },
            },
          ],
        },
      },
      hints: [],
      backgroundSound: 'disable',
      backgroundSoundVolume: 50,
      ttsCacheEnabled: true,
      ttsAudioCacheScope: 'assistant',
      maxConsecutiveTtsFailures: 3,
      recordingEnabled: true,
      recordAfterTransfer: false,
      postCallTranscriptsEnabled: true,
      assistantBackchannelingEnabled: false,
      dtmfInputEnabled: false,
      maxCallDuration: 10,
      idleTimeout: 10,
      maxIdleMessagesInSequence: 3,
      startSpeakingOptions: {
        waitSeconds: 0.4,
        smartEndpointing: 'parley',
        onPunctuationSeconds: 0.1,
        onNoPunctuationSeconds: 1.5,
        onNumberSeconds: 0.5,
        EngineBaseValue: 100,
        EngineScaleValue: 1800,
      },
      stopSpeakingOptions: { numberOfWords: 0, voiceSeconds: 0.2 },
      userInterruptionAckPlan: { enabled: false, count: 3, words: 5, phrases: [] },
      assistantToolIds: [],
      assistantPredefinedTools: {
        knowledgeBase: false,
        endCall: false,
        appointment: false,
        volumeControl: false,
        waitList: false,
        callForward: false,
        sendSms: false,
        doNotCall: false,
      },
      assistantType: 'single_prompt',
      assistantKnowledgeBaseIds: [],
      endCallMessage: '',
      endCallToolDescription: '',
      endCallPhrases: [],
      callForwardData: { phoneNumber: '', extension: '', name: '' },
      warmTransferEnabled: false,
      warmTransferConversational: false,
      holdMusicUrl: '',
      warmTransferTimeout: 30,
      assistantAnalysis: {
        summary: { enabled: false, prompt: '', timeoutSeconds: 10 },
        successEvaluation: { enabled: false, prompt: '', timeoutSeconds: 10, rubric: 'PassFail' },
        structuredData: { enabled: false, prompt: '', timeoutSeconds: 10, schema: {} },
      },
      assistantOverrides: {},
      assistantServer: {
        url: '',
        timeoutSeconds: 20,
        secret: '',
        headers: {},
        enabled: false,
        messages: ['status-update', 'conversation-update', 'hang', 'end-of-call-report', 'error'],
      },
      assistantOutcome: [],
      smsConfiguration: { enabled: false, sameAsAssistant: true, smsPrompt: '' },
      persistHistory: { enabled: false, call: true, sms: false, retentionPeriod: 30 },
      retentionDays: {},
      callingHours: {
        enabled: false,
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        from: '08:00',
        to: '21:00',
        timeZone: '',
      },
      recordingConsent: { announce: 'never', text: '', ask: false, onRefusal: 'delete' },
      redaction: {
        kinds: [],
        words: [],
        sound: 'tone',
        originals: 'discard',
        model: false,
        service: { url: '', minScore: 0.5, timeoutSeconds: 1.5, onFailure: 'withhold' },
      },
    });
  });

  test('comes back unchanged when what was read is sent again', () => {
    const stored = schema.parse({ name: 'Ada' });
    expect(schema.parse(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
  });
});

describe('bounds', () => {
  test.each([
    ['backgroundSoundVolume', [1, 100], [0, 101, 0.5]],
    ['maxCallDuration', [1, 120], [0, 121, 900, 1.5]],
    ['idleTimeout', [5, 600], [4, 601]],
    ['maxIdleMessagesInSequence', [1, 5], [0, 6]],
    ['maxConsecutiveTtsFailures', [0, 1], [-1, 0.5]],
    ['assistantTemperature', [0, 2], [-0.1, 2.1, '1']],
    ['assistantMaxTokens', [1], [0, 1.5]],
    [
      'backgroundSound',
      ['enable', 'disable', 'https://a.example/s.mp3'],
      ['on', 'http://a.example/s.mp3', 'https://', `https://a.example/${'x'.repeat(1000)}`],
    ],
    ['ttsAudioCacheScope', ['assistant', 'team', 'global'], ['all']],
    ['welcomeMessageMode', ['automatic'], ['sometimes']],
    [
      'config.speech.stt.languages',
      ['en-US', 'en', 'en-US, fr-FR'],
      ['english', 'en_US', '', 'xx-YY', 'en-US, xx-YY'],
    ],
    ['config.speech.ttsData.0.config.stability', [0, 1], [-0.1, 1.1]],
    ['config.speech.ttsData', [[{ voice: 'slt' }]], [[], [{ enabled: false }]]],
    ['startSpeakingOptions.waitSeconds', [0, 10], [-1, 11]],
    ['startSpeakingOptions.smartEndpointing', ['parley', 'off', 'deepgram'], ['vapi']],
    ['callForwardData.phoneNumber', ['', '+14155550123'], ['0815', '+0123']],
    ['assistantServer.messages', [[], ['hang']], [['hello']]],
    ['assistantServer.secret', ['', 'any text', 'whsec_c2VjcmV0'], ['whsec_', 'whsec_not base64']],
    ['assistantToolIds', [['a', 'b']], [['a', 'a'], ['']]],
    ['assistantOverrides.recordingPath', ['a/b-c.d'], ['../etc', '/root', 'a//b', 'a/../b']],
    ['name', ['A'], ['', ' ', 'x'.repeat(201)]],
  ])('%s', (path, good, bad) => {
    for (const value of good) expect(faults(withField(path, value)), String(value)).toEqual([]);
    for (const value of bad) {
      const found = faults(withField(path, value));
      expect(found, JSON.stringify(value)).not.toEqual([]);
      for (const fault of found) expect(fault.startsWith(path)).toBe(true);
    }
  });
});

describe('what a vendor is known not to have', () => {
  const speech = (more: object) => ({ name: 'Ada', config: { speech: more } });
  test.each([
    [{ ttsData: [{ vendor: 'offline', voice: 'nobody' }] }, 'ttsData.0.voice', 'slt, rms'],
    [{ ttsData: [{ vendor: 'offline', language: 'de-DE' }] }, 'ttsData.0.language', 'en'],
    [{ stt: { vendor: 'offline', languages: 'pl-PL' } }, 'stt.languages', 'en, fr'],
    [{ stt: { vendor: 'offline', languages: 'hi-IN' } }, 'stt.languages', 'en, fr'],
    [{ stt: { vendor: 'offline', languages: 'en-US, es-ES' } }, 'stt.languages', 'en, fr'],
    [
      { sttFallback: { enabled: true, vendor: 'offline', languages: 'de' } },
      'sttFallback.languages',
      'en, fr',
    ],
  ])('%j is refused with what there is', (more, path, known) => {
    const found = faults(speech(more));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^config\\.speech\\.${path}: offline has no `));
    expect(found[0]?.endsWith(`; it has ${known}`)).toBe(true);
  });

  test.each([
    { ttsData: [{ vendor: 'elevenlabs', voice: 'anybody', language: 'de-DE' }] },
    { ttsData: [{ vendor: 'offline' }, { enabled: false, vendor: 'offline', voice: 'nobody' }] },
    { stt: { vendor: 'offline', languages: 'fr-CA, en-GB' } },
    { stt: { vendor: 'deepgram', languages: 'pl-PL' } },
    { sttFallback: { enabled: false, vendor: 'offline', languages: 'de' } },
  ])('%j is taken', (more) => {
    expect(faults(speech(more))).toEqual([]);
  });
});

describe('a field that needs another', () => {
  const endCall = { assistantPredefinedTools: { endCall: true } };
  test.each([
    ['assistantLLMUrl', 'assistantProvider', { assistantLLMUrl: 'https://m.example/v1' }],
    ['assistantLLMUrl', 'assistantProvider', { assistantProvider: 'custom-llm' }],
    ['endCallMessage', 'assistantPredefinedTools.endCall', { endCallMessage: 'Bye.' }],
    ['endCallPhrases', 'assistantPredefinedTools.endCall', { endCallPhrases: ['bye'] }],
    ['endCallToolDescription', 'assistantPredefinedTools.endCall', { endCallToolDescription: 'x' }],
    [
      'assistantKnowledgeBaseIds',
      'assistantPredefinedTools.knowledgeBase',
      { assistantKnowledgeBaseIds: ['k'] },
    ],
    ['assistantServer.url', 'enabled', { assistantServer: { enabled: true } }],
  ])('%s is refused without %s, and both are named', (field, needed, input) => {
    const found = faults({ name: 'Ada', ...input });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${field}: `));
    expect(found[0]).toContain(needed);
  });

  test('is taken with it', () => {
    expect(faults({ name: 'Ada', ...endCall, endCallPhrases: ['bye'] })).toEqual([]);
    expect(
      faults({
        name: 'Ada',
        assistantProvider: 'custom-llm',
        assistantLLMUrl: 'http://127.0.0.1:9/v1',
      }),
    ).toEqual([]);
  });
});

test('a sound of a type that is never played is refused, with what is played', () => {
  const told = 'must be the address of a WAV, MP3, Ogg Vorbis or Ogg Opus file';
  const url = (type: string) => `https://sounds.example/rain.${type}`;
  for (const type of ['flac', 'M4A?x=1', 'wma', 'aac#t']) {
    expect(faults({ name: 'Ada', backgroundSound: url(type) })).toEqual([
      `backgroundSound: ${told}`,
    ]);
    expect(faults({ name: 'Ada', holdMusicUrl: url(type) })).toEqual([`holdMusicUrl: ${told}`]);
  }
  for (const type of ['wav', 'mp3', 'ogg', 'opus', 'php?file=a.flac', 'd/stream'])
    expect(faults({ name: 'Ada', backgroundSound: url(type), holdMusicUrl: url(type) })).toEqual(
      [],
    );
});

describe('refusals', () => {
  test('name an unknown field at any depth', () => {
    expect(faults({ name: 'Ada', assistantSystemPromt: 'x' })[0]).toContain('assistantSystemPromt');
    const [fault] = faults(withField('config.speech.stt.language', 'en-US'));
    expect(fault).toMatch(/^config\.speech\.stt: .*"language"/);
  });

  test('list the known vendors', () => {
    expect(faults({ name: 'Ada', assistantProvider: 'opnai' })).toEqual([
      'assistantProvider: unknown vendor "opnai"; known: openai, azure-openai, google, deepseek, anthropic, custom-llm, offline',
    ]);
  });

  test('point at what is wrong with a workflow', () => {
    const node = (id: string, end = false) => ({ id, end });
    const workflow = (start: string, nodes: unknown[], edges: unknown[]) =>
      faults({
        name: 'Ada',
        assistantType: 'workflow_based',
        assistantWorkflow: { start, nodes, edges },
      });
    const edge = (from: string, to: string) => ({
      from,
      to,
      condition: { type: 'model', description: 'always' },
    });
    expect(workflow('a', [node('a'), node('b', true)], [edge('a', 'b')])).toEqual([]);
    expect(workflow('a', [node('a'), node('b', true)], [])).toEqual([
      'assistantWorkflow.nodes.0: has neither an edge nor end: a',
      'assistantWorkflow.nodes.1: cannot be reached: b',
    ]);
    expect(
      workflow('a', [node('a'), node('b'), node('c', true)], [edge('a', 'b'), edge('b', 'a')]),
    ).toEqual([
      'assistantWorkflow.nodes.0: leads to no end: a',
      'assistantWorkflow.nodes.1: leads to no end: b',
      'assistantWorkflow.nodes.2: cannot be reached: c',
    ]);
    expect(workflow('a', [node('a', true)], [edge('a', 'a')])).toEqual([
      'assistantWorkflow.nodes.0: ends the call and has an edge: a',
    ]);
    expect(workflow('x', [node('a', true), node('a', true)], [edge('a', 'q')])).toEqual(
      expect.arrayContaining([
        'assistantWorkflow.start: names no node: x',
        'assistantWorkflow.nodes.1.id: is used twice: a',
        'assistantWorkflow.edges.0.to: names no node: q',
      ]),
    );
  });
});
