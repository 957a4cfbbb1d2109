import { afterEach, expect, test } from 'vitest';
import { rmsDb } from '../../src/audio/level.ts';
import type { SoundLoop } from '../../src/audio/sound-loop.ts';
import type { Sounds } from '../../src/ports/sounds.ts';
import { callSettings } from '../support/call-settings.ts';
import { SessionRig } from '../support/session-rig.ts';

const RATE = 16_000;
/** At the level of every loop: -24 dBFS. */
const loopOfTone = (divisor: number): SoundLoop => ({
  sampleRateHz: RATE,
  pcm: Int16Array.from({ length: RATE }, (_, i) => Math.round(2924 * Math.sin(i / divisor))),
});
const ambience = loopOfTone(3);
const music = loopOfTone(7);
const own = loopOfTone(11);

let rig: SessionRig;
let wanted: string[];

function soundsOf(fromUrl: Sounds['fromUrl']): Sounds {
  wanted = [];
  return {
    ambience: async (rateHz) => {
      wanted.push(`ambience ${rateHz}`);
      return ambience;
    },
    holdMusic: async (rateHz) => {
      wanted.push(`hold music ${rateHz}`);
      return music;
    },
    fromUrl: (url, rateHz) => {
      wanted.push(`${url} ${rateHz}`);
      return fromUrl(url, rateHz);
    },
  };
}

const nothing = async () => undefined;

/** What the caller's ear gets from an instant on. */
const heardDb = (from: number) =>
  rmsDb(Int16Array.from(rig.leg.sent.slice(from).flatMap(({ pcm }) => [...pcm])));

afterEach(async () => {
  rig.session.hangup();
  await rig.clock.advance(20_000);
  await rig.session.finished;
  expect(rig.clock.nextDueAt()).toBeUndefined();
  expect(rig.ticker.size).toBe(0);
});

test.each([
  { volume: 50, db: -45 },
  { volume: 1, db: -64.6 },
  { volume: 100, db: -25 },
])(
  'background sound at volume $volume lies under the whole call at $db dBFS',
  async ({ volume, db }) => {
    rig = new SessionRig({ sounds: soundsOf(nothing), background: { volume } });
    rig.session.answered();
    await rig.silence(4000);
    const from = rig.leg.sent.length;
    await rig.silence(3000);
    expect(wanted).toEqual([`ambience ${RATE}`]);
    expect(Math.abs(heardDb(from) - db)).toBeLessThan(1);
  },
);

test('a call with background sound is, to the machine, the call without', async () => {
  const talk = async (background?: { readonly volume: number }) => {
    rig = new SessionRig({
      replies: [{ text: ['It is open until five.'] }],
      sounds: soundsOf(nothing),
      ...(background ? { background } : {}),
    });
    rig.session.answered();
    await rig.silence(2000);
    await rig.speak('When do you close?', 800);
    await rig.silence(5000);
    rig.session.hangup();
    await rig.silence(500);
    const events = rig.lines.filter(
      ({ kind, type }) => kind === 'event' && type.startsWith('play.'),
    );
    return {
      transcript: rig.transcript,
      finished: events.filter(({ type }) => type === 'play.finished').length,
    };
  };
  const silent = await talk();
  expect(wanted).toEqual([]);
  expect(silent.transcript).toHaveLength(3);
  expect(await talk({ volume: 100 })).toEqual(silent);
});

test('a background sound that cannot be had, or not yet, delays nothing', async () => {
  const loading = Promise.withResolvers<SoundLoop | undefined>();
  const url = 'https://sounds.example/rain.wav';
  rig = new SessionRig({
    sounds: soundsOf(() => loading.promise),
    background: { url, volume: 50 },
  });
  rig.session.answered();
  await rig.silence(4000);
  expect(rig.transcript).toEqual(['assistant: Hello there.']);
  const from = rig.leg.sent.length;
  await rig.silence(500);
  expect(rig.leg.sent).toHaveLength(from);
  loading.resolve(own);
  await rig.silence(1000);
  expect(rig.leg.sent.length).toBeGreaterThan(from);
  expect(wanted).toEqual([`${url} ${RATE}`]);
});

async function onHold(fromUrl: Sounds['fromUrl'], holdMusicUrl = ''): Promise<number> {
  rig = new SessionRig({
    sounds: soundsOf(fromUrl),
    background: { volume: 1 },
    settings: {
      transfer: {
        ...callSettings().transfer,
        toolEnabled: true,
        mode: 'announced',
        phoneNumber: '+14155550123',
        holdMusicUrl,
      },
    },
  });
  rig.session.answered();
  await rig.silence(2000);
  expect(await rig.session.control({ type: 'control.forward' })).toEqual({ outcome: 'accepted' });
  await rig.silence(4000);
  const from = rig.leg.sent.length;
  await rig.silence(1000);
  return from;
}

test('[X3] whoever waits for an operator hears music, which ends when the assistant is back', async () => {
  const from = await onHold(nothing);
  expect(heardDb(from)).toBeCloseTo(-24, 0);
  rig.operators.last.events.failed('busy', 'the line is busy');
  await rig.silence(6000);
  const after = rig.leg.sent.length;
  await rig.silence(1000);
  expect(heardDb(after)).toBeCloseTo(-64.6, 0);
});

test('[X3] hold music of one’s own is fetched ahead; the built-in one stands in where it fails', async () => {
  const url = 'https://sounds.example/hold.wav';
  const from = await onHold(nothing, url);
  expect(wanted[1]).toBe(`${url} ${RATE}`);
  expect(wanted.at(-1)).toBe(`hold music ${RATE}`);
  expect(heardDb(from)).toBeCloseTo(-24, 0);
});

test('[Y5] no background sound lies under a person who speaks with the caller; it is back with the assistant', async () => {
  rig = new SessionRig({ sounds: soundsOf(nothing), background: { volume: 50 } });
  rig.session.answered();
  await rig.silence(4000);
  const microphone = { sampleRateHz: RATE, audio: () => undefined, over: () => undefined };
  const taken = await rig.session.takeOver(microphone, 'Ada');
  if ('refusal' in taken) throw new Error(taken.refusal);
  await rig.silence(500);
  const from = rig.leg.sent.length;
  await rig.silence(1000);
  expect(rig.leg.sent).toHaveLength(from);
  taken.giveBack();
  await rig.silence(1000);
  expect(heardDb(from)).toBeCloseTo(-45, 0);
});
