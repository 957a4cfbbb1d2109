import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { ConsentWatch } from '../../src/calls/consent/watch-consent.ts';
import { callSettings } from '../support/call-settings.ts';
import { SessionRig } from '../support/session-rig.ts';
import { tone } from '../support/tones.ts';

const RATE = 16_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-parts-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function end(rig: SessionRig): Promise<void> {
  rig.session.hangup();
  // No longer than a call waits for its disk, which takes its own time.
  await rig.clock.advance(3000);
  await rig.session.finished;
}

test.each([
  ['phone', 'outbound', true],
  ['phone', 'inbound', false],
  ['web', 'outbound', false],
] as const)(
  '[V2] in a %s call that is %s a mailbox may answer: %s',
  async (callType, direction, isHeard) => {
    const rig = new SessionRig({ settings: { callType, direction } });
    rig.session.answered();
    await rig.silence(500);
    const beep = tone(1000, 400, RATE);
    for (let from = 0; from + 320 <= beep.length; from += 320) {
      await rig.clock.advance(20);
      rig.session.audio(beep.slice(from, from + 320));
    }
    await rig.silence(500);
    await end(rig);
    expect(rig.lines.some(({ type }) => type === 'beep')).toBe(isHeard);
  },
);

test.each([
  ['outside', true],
  ['text', false],
] as const)(
  'a turn predictor beside a call that predicts by %s is asked: %s',
  async (predictor, isAsked) => {
    let asked = 0;
    const rig = new SessionRig({
      settings: { predictor },
      predictor: {
        provider: 'p',
        sampleRateHz: RATE,
        audioMs: 1000,
        predict: async () => void asked++ as undefined,
      },
      replies: [{ text: ['Yes.'] }],
    });
    rig.session.answered();
    await rig.silence(2000);
    await rig.speak('Are you open today');
    await rig.silence(3000);
    await end(rig);
    expect(asked > 0).toBe(isAsked);
  },
);

test('a call whose settings ask for a predictor that is not there goes on without', async () => {
  const rig = new SessionRig({ settings: { predictor: 'outside' }, replies: [{ text: ['Yes.'] }] });
  rig.session.answered();
  await rig.silence(2000);
  await rig.speak('Are you open today?');
  await rig.silence(4000);
  expect(rig.transcript.at(-1)).toBe('assistant: Yes.');
  await end(rig);
});

test.each([
  ['https://example.com/hold.mp3', '+14155550123', ['https://example.com/hold.mp3']],
  ['https://example.com/hold.mp3', '', []],
  ['', '+14155550123', []],
])(
  'hold music %j of a call that may be put through to %j is loaded ahead',
  async (holdMusicUrl, phoneNumber, loaded) => {
    const urls: string[] = [];
    const rig = new SessionRig({
      settings: { transfer: { ...callSettings().transfer, holdMusicUrl, phoneNumber } },
      sounds: {
        ambience: async () => undefined,
        holdMusic: async () => undefined,
        fromUrl: async (url) => void urls.push(url) as undefined,
      },
    });
    rig.session.answered();
    await rig.silence(500);
    await end(rig);
    expect(urls).toEqual(loaded);
  },
);

describe('a recording', () => {
  const failing = (code: string) => async () => {
    throw Object.assign(new Error('no file'), { code });
  };

  test.each([
    ['ENOSPC', 'disk-full'],
    ['EIO', 'disk-failed'],
  ])(
    'that the disk refuses with %s is noted as %s, and logged; the call goes on',
    async (code, reason) => {
      const rig = new SessionRig({
        ...{ recordingPath: join(folder, 'call.wav'), openRecording: failing(code) },
        replies: [{ text: ['Yes.'] }],
      });
      rig.session.answered();
      await rig.silence(2000);
      await rig.speak('Are you open?');
      await rig.silence(3000);
      await end(rig);
      expect(rig.transcript.at(-1)).toBe('assistant: Yes.');
      const noted = rig.lines.filter(({ type }) => type === 'recording.stopped');
      expect(noted.map(({ data }) => data)).toEqual([{ reason }]);
      expect(rig.warnings).toMatchObject([{ err: { code } }]);
    },
  );

  test('has a person who speaks with the caller in place of the assistant', async () => {
    const path = join(folder, 'call.wav');
    const rig = new SessionRig({ recordingPath: path });
    rig.session.answered();
    await rig.silence(2000);
    const microphone = { sampleRateHz: 8000, audio: () => undefined, over: () => undefined };
    const taken = await rig.session.takeOver(microphone, 'Ada');
    if ('refusal' in taken) throw new Error(taken.refusal);
    for (let elapsed = 0; elapsed < 1000; elapsed += 20) {
      await rig.silence(20);
      taken.write(new Int16Array(160).fill(6000));
    }
    await rig.silence(500);
    await end(rig);
    const assistant = parseWav(await readFile(path)).channels[1] as Int16Array;
    expect(Math.max(...assistant)).toBeGreaterThan(5900);
  });

  test('that has to be announced begins when that was said', async () => {
    const announcement = 'This call is recorded.';
    const path = join(folder, 'call.wav');
    const rig = new SessionRig({
      recordingPath: path,
      consent: new ConsentWatch({
        ...{ announcement, ask: false, onRefusal: 'cut', languages: ['en-US'] },
      }),
      settings: {
        welcome: { message: announcement, mode: 'assistant-speaks-first', interruptible: false },
      },
    });
    rig.session.answered();
    await rig.voice(500);
    await rig.silence(6000);
    await rig.voice(500);
    await rig.silence(500);
    await end(rig);
    const user = parseWav(await readFile(path)).channels[0] as Int16Array;
    expect(user.indexOf(4000)).toBeGreaterThan(6 * RATE);
  });
});

test('what a call begins without is noted and logged', async () => {
  const rig = new SessionRig({ missing: [{ type: 'tool', code: 'mcp', message: 'not there' }] });
  rig.session.answered();
  await rig.silence(500);
  await end(rig);
  expect(rig.lines.find(({ type }) => type === 'failure')).toBeDefined();
  expect(rig.warnings).toHaveLength(1);
});
