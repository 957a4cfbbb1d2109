import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { ConsentWatch } from '../../src/calls/consent/watch-consent.ts';
import { RedactionSchema } from '../../src/contract/redaction.ts';
import { analyseTexts } from '../../src/redaction/analyse-texts.ts';
import { CallRedactor } from '../../src/redaction/call-redactor.ts';
import { Recorder, type RecordingFile } from '../../src/session/record/recorder.ts';
import { SealedRecording } from '../../src/session/record/sealed-recording.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { SessionRig } from '../support/session-rig.ts';

const RATE = 16_000;
const VOICE = 4000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-redacted-'));
});

afterEach(() => rm(folder, { recursive: true }));

function redactor() {
  return new CallRedactor({
    settings: RedactionSchema.parse({ kinds: ['card'] }),
    languages: ['en-US'],
    analyse: async (task) => analyseTexts(task),
    onWithheld: (error) => {
      throw error;
    },
  });
}

test('a recording has a tone where a card was dictated, and the rest of the voice as it was', async () => {
  const path = join(folder, 'call.wav');
  const rig = new SessionRig({
    recordingPath: path,
    redactor: redactor(),
    replies: [{ text: ['Thank you.'] }],
  });
  rig.session.answered();
  await rig.silence(2000);
  const spokenAt = 2000;
  await rig.voice(3000);
  await rig.silence(60);
  // Until the call is over nothing on the disk can be heard.
  const sealed = await readFile(`${path}.sealed`);
  const voiced = Buffer.from(new Int16Array([VOICE, 0, VOICE, 0, VOICE, 0, VOICE, 0]).buffer);
  expect(sealed.length).toBeGreaterThan(RATE);
  expect(sealed.includes(voiced)).toBe(false);
  expect(sealed.subarray(0, 4).toString()).not.toBe('RIFF');
  rig.stt.line.final('four one one one one one one one one one one one one one one one');
  await rig.silence(2000);
  await rig.voice(600);
  rig.stt.line.final('goodbye');
  await rig.silence(300);
  rig.session.hangup();
  await rig.clock.advance(3000);
  await rig.session.finished;

  expect(await readdir(folder)).toEqual(['call.wav']);
  const wav = parseWav(await readFile(path));
  const [user, assistant] = wav.channels as [Int16Array, Int16Array];
  const at = (ms: number) => Math.round((ms * RATE) / 1000);
  // The recogniser dates the last second of what it was given.
  const words = user.subarray(at(spokenAt + 2060), at(spokenAt + 3000));
  expect(words.includes(VOICE)).toBe(false);
  expect(Math.max(...words)).toBeGreaterThan(1000);
  expect(assistant.subarray(at(spokenAt + 2060), at(spokenAt + 3000))).toEqual(words);
  expect(user.subarray(0, at(spokenAt + 1500)).includes(VOICE)).toBe(true);
  expect(user.subarray(at(spokenAt + 5000)).includes(VOICE)).toBe(true);
  expect(rig.record.recording).toMatchObject({ path, bytes: 44 + 4 * user.length });
  expect(rig.transcript).toContain('user: [card]');
  expect(JSON.stringify(rig.batches)).not.toMatch(/four one/);
});

test('a caller who refuses the recording and hangs up has it deleted, the sealed original too', async () => {
  const announcement = 'This call is recorded.';
  const consent = new ConsentWatch({
    ...{ announcement, ask: false, onRefusal: 'delete', languages: ['en-US'] },
  });
  const rig = new SessionRig({
    ...{ recordingPath: join(folder, 'call.wav'), redactor: redactor(), consent },
    settings: {
      welcome: { message: announcement, mode: 'assistant-speaks-first', interruptible: false },
    },
  });
  rig.session.answered();
  await rig.silence(6000);
  expect(rig.record.consent).toMatchObject({ state: 'announced' });
  await rig.speak('Do not record me.');
  rig.session.hangup();
  await rig.clock.advance(3000);
  await rig.session.finished;
  expect(rig.record).toMatchObject({ consent: { state: 'refused' } });
  expect(rig.record.recording).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['is removed', false, ['removed']],
  ['is left alone where another process owns the call', true, []],
])(
  'of a caller who refuses the recording, what earlier processes have %s',
  async (_what, taken, expected) => {
    const announcement = 'This call is recorded.';
    const did: string[] = [];
    const rig = new SessionRig({
      recordingPath: join(folder, 'call.wav'),
      consent: new ConsentWatch({
        ...{ announcement, ask: false, onRefusal: 'delete', languages: ['en-US'] },
      }),
      earlierRecordings: {
        join: async () => void did.push('joined') as undefined,
        remove: async () => void did.push('removed'),
      },
      settings: {
        welcome: { message: announcement, mode: 'assistant-speaks-first', interruptible: false },
      },
    });
    rig.session.answered();
    await rig.silence(6000);
    await rig.speak('Do not record me.');
    rig.taken = taken;
    rig.session.hangup();
    await rig.clock.advance(3000);
    await rig.session.finished;
    expect(did).toEqual(expected);
  },
);

test('a process that takes over a call of which something may be taken out records none of it', async () => {
  const first = new SessionRig();
  first.session.answered();
  await first.silence(2000);
  first.session.letGo();
  await first.clock.advance(1000);
  await first.session.finished;
  const rig = new SessionRig({
    ...{ recordingPath: join(folder, 'call.wav'), redactor: redactor(), goesOnFrom: first.lines },
  });
  if (rig.restored) rig.session.takenOver(rig.restored);
  await rig.voice(1000);
  rig.session.hangup();
  await rig.clock.advance(3000);
  await rig.session.finished;
  expect(await readdir(folder)).toEqual([]);
});

test('a store that is away for some seconds at the end costs no recording', async () => {
  const path = join(folder, 'call.wav');
  const rig = new SessionRig({ recordingPath: path, redactor: redactor() });
  rig.session.answered();
  await rig.silence(1000);
  rig.storeAway = true;
  await rig.voice(1000);
  rig.session.hangup();
  // The disk takes its own time to close the file, which is not the clock's.
  for (let turn = 0; turn < 500; turn++) await setImmediate();
  await rig.clock.advance(2900);
  rig.storeAway = false;
  await rig.clock.advance(1500);
  await rig.session.finished;
  expect(await readdir(folder)).toEqual(['call.wav']);
  expect(rig.record.recording).toMatchObject({ path });
});

test('there is no recording where the record could not be stored, since nobody knows what is in it', async () => {
  const path = join(folder, 'call.wav');
  const rig = new SessionRig({ recordingPath: path, redactor: redactor() });
  rig.session.answered();
  await rig.silence(1000);
  rig.storeAway = true;
  await rig.voice(1000);
  rig.session.hangup();
  let isOver = false;
  void rig.session.finished.then(() => {
    isOver = true;
  });
  while (!isOver) await rig.clock.advance(200);
  // The disk takes its own time, which is not the clock's.
  await expect.poll(() => readdir(folder)).toEqual([]);
  expect(rig.record.recording).toBeUndefined();
});

describe('the sealed original', () => {
  const sound = { by: 'tone', parts: () => [], key: new Uint8Array(32).fill(7) } as const;
  const record = async (openTarget?: () => Promise<RecordingFile>) => {
    const clock = new ManualClock(0);
    const path = join(folder, 'call.wav');
    const sealed = new SealedRecording(path, sound, openTarget);
    const errors: unknown[] = [];
    const recorder = new Recorder({
      ...{ clock, path, legRateHz: RATE, onError: (error: unknown) => errors.push(error) },
      openFile: () => sealed.openFile(),
      finish: async (own, signal) => own && sealed.finish(own, signal),
    });
    for (let at = 0; at < 1000; at += 20) {
      await clock.advance(20);
      recorder.writeCaller(new Int16Array(320).fill(VOICE), clock.now());
    }
    return { recorder, path, errors };
  };

  test('ends where the recording was refused, as the redacted one does', async () => {
    const { recorder, path } = await record();
    expect(await recorder.close({ untilMs: 500 })).toMatchObject({ path, durationMs: 500 });
    expect((await stat(`${path}.sealed`)).size).toBe((await stat(path)).size);
    expect((await stat(path)).size).toBe(44 + 500 * 64);
  });

  test('is all that is left of a recording that could not be written out', async () => {
    const { recorder, path, errors } = await record(async () => {
      await writeFile(join(folder, 'call.wav'), 'half');
      throw new Error('the disk is full');
    });
    expect(await recorder.close()).toBeUndefined();
    expect(errors).toHaveLength(1);
    expect(await readdir(folder)).toEqual([basename(`${path}.sealed`)]);
  });
});
