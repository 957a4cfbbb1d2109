import { describe, expect, test } from 'vitest';
import type { StampedCommand } from '../../src/engine/machine/commands.ts';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { LiveKit } from '../bench/turns/peers/livekit.ts';
import type { Peer } from '../bench/turns/peers/peer.ts';
import { PIPECAT_EARS, Pipecat } from '../bench/turns/peers/pipecat.ts';
import { Vapi } from '../bench/turns/peers/vapi.ts';
import { Random } from '../bench/turns/random.ts';
import { type Ears, Room } from '../bench/turns/room.ts';
import { callSettings } from '../support/call-settings.ts';

const english = callSettings();
const german = callSettings({ languages: ['de-DE'] });
const never = { meansToInterrupt: () => false };
const always = { meansToInterrupt: () => true };
const plain = { knowledge: 'sound', stretch: 1 } as const;

/** A room in which no time passes. */
const roomOf = (ears: Ears, emit: (event: CallEvent) => void) =>
  new Room({ ears, emit, random: new Random(1), now: () => 0, later: () => undefined });

/** Feeds a peer one event after the other, and keeps what it orders. */
class Rig {
  readonly commands: StampedCommand[] = [];
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  at(at: number, event: CallEvent): this {
    this.until(at);
    this.commands.push(...this.#peer.dispatch({ ...event, seq: 0, at }));
    return this;
  }

  until(at: number): this {
    for (let due = this.#peer.nextDueAt(); due !== undefined && due <= at; ) {
      this.commands.push(...this.#peer.advanceTo(due));
      due = this.#peer.nextDueAt();
    }
    this.commands.push(...this.#peer.advanceTo(at));
    return this;
  }

  says(from: number, to: number, text: string, p?: number): this {
    this.at(from + 80, { type: 'vad.start', onsetAt: from });
    this.at(to + 200, { type: 'vad.stop', speechEndAt: to });
    const rev = this.commands.findLast((command) => command.type === 'predict')?.rev;
    if (p !== undefined && rev !== undefined) this.at(to + 240, { type: 'predict.result', rev, p });
    if (text === '') return this;
    const words = { text, startAt: from, endAt: to, conf: 1 };
    return this.at(to + 260, { type: 'stt.final', segId: `s${from}`, ...words });
  }

  /** A reply to the last question, sounding from an instant on. */
  answers(at: number): this {
    const ask = this.commands.findLast((command) => command.type === 'llm.start');
    if (!ask) throw new Error('the model was not asked');
    this.at(at, { type: 'llm.text', genId: ask.genId, text: 'One two three four five six.' });
    this.at(at, { type: 'llm.done', genId: ask.genId, reason: 'stop' });
    const uttId = this.commands.findLast((command) => command.type === 'tts.start')?.uttId ?? 0;
    return this.at(at, { type: 'tts.audio', uttId });
  }

  welcomed(): this {
    this.at(0, { type: 'leg.answered' }).at(10, { type: 'tts.audio', uttId: 1 });
    return this.at(1000, { type: 'play.finished', uttId: 1 });
  }

  when(type: StampedCommand['type'], after = 0): number | undefined {
    return this.commands.find((command) => command.type === type && command.at >= after)?.at;
  }

  committedAt(after: number): number | undefined {
    return this.commands.find(
      (c) =>
        c.at >= after && (c.type === 'llm.adopt' || (c.type === 'llm.start' && !c.speculative)),
    )?.at;
  }
}

describe('LiveKit', () => {
  const cloud = (settings = english, senses = never) =>
    new Rig(new LiveKit(settings, senses, { ...plain, adaptive: true })).welcomed();
  const selfHosted = () =>
    new Rig(new LiveKit(english, never, { ...plain, adaptive: false })).welcomed();

  test.each([
    [english, 0.6, 300],
    [english, 0.7, 2500],
    [german, 0.7, 300],
    [german, 0.8, 2500],
  ])('waits 0.3 or 2.5 s by the threshold of the language', (settings, p, delayMs) => {
    const rig = cloud(settings).says(2000, 3000, 'Is it open', p).until(9000);
    expect(rig.committedAt(3000)).toBe(3000 + delayMs);
  });

  test('a reply that does not sound yet waits for the silence of the user', () => {
    const rig = selfHosted().says(2000, 3000, 'Is it open?', 0.1).until(3400);
    rig.at(3500, { type: 'vad.start', onsetAt: 3420 }).answers(3600).until(4400);
    expect(rig.when('play.start', 3000)).toBeUndefined();
    rig.at(4700, { type: 'vad.stop', speechEndAt: 4500 }).until(5000);
    expect(rig.when('play.start', 3000)).toBe(4750);
  });

  test('voice of half a second pauses what sounds, and two seconds without text resume it', () => {
    const rig = selfHosted().says(2000, 3000, 'Is it open?', 0.1).until(3400).answers(3500);
    rig.says(5000, 5800, '').until(9000);
    expect(rig.when('play.hold')).toBe(5500);
    expect(rig.when('play.release')).toBe(5800 + 250 + 2000);
  });

  test('while the echo canceller warms up nothing interrupts', () => {
    const rig = selfHosted().says(1200, 1400, 'Is it open?', 0.1).until(1800).answers(1900);
    rig.says(2000, 2900, '').until(4000);
    expect(rig.when('play.hold')).toBeUndefined();
  });

  test('adaptive interruption lets go by what its model calls a backchannel, words and all', () => {
    const rig = cloud(english, never)
      .says(2000, 3000, 'Is it open?', 0.1)
      .until(3400)
      .answers(3500);
    rig.says(5000, 5900, 'I see.', 0.1).until(12_000);
    expect(rig.when('play.hold')).toBeUndefined();
    expect(rig.committedAt(4000)).toBeUndefined();
    const cut = cloud(english, always)
      .says(2000, 3000, 'Is it open?', 0.1)
      .until(3400)
      .answers(3500);
    cut.says(5000, 5900, 'I see.', 0.1).until(12_000);
    expect(cut.when('play.hold')).toBe(5500);
    expect(cut.committedAt(4000)).toBe(6200);
  });
});

describe('Pipecat', () => {
  const rigOf = () =>
    new Rig(new Pipecat(english, { ...plain, strategy: 'turn analyzer' })).welcomed();

  test('a complete turn ends with its text, another three seconds after the stop of the voice', () => {
    expect(rigOf().says(2000, 3000, 'Is it open?', 0.4).until(9000).committedAt(3000)).toBe(3260);
    expect(rigOf().says(2000, 3000, 'Is it', 0.6).until(9000).committedAt(3000)).toBe(6200);
  });

  test('a voice of 0.2 s takes the floor for good, a shorter one does not', () => {
    const rig = rigOf().says(2000, 3000, 'Is it open?', 0.1).until(3400).answers(3500);
    rig
      .at(5080, { type: 'vad.start', onsetAt: 5000 })
      .at(5190, { type: 'vad.stop', speechEndAt: 5100 });
    expect(rig.until(5900).when('play.clear')).toBeUndefined();
    rig.at(6080, { type: 'vad.start', onsetAt: 6000 }).until(6300);
    expect(rig.when('play.clear')).toBe(6200);
  });

  test('hears neither what is too soft nor what is hardly a voice', () => {
    const heard: string[] = [];
    const room = roomOf(PIPECAT_EARS, ({ type }) => heard.push(type));
    room.take({ id: 'far', db: -51, confidence: 0.9 }, { type: 'vad.start', onsetAt: 0 });
    room.take({ id: 'cough', db: -20, confidence: 0.6 }, { type: 'vad.start', onsetAt: 0 });
    expect(heard).toEqual([]);
    room.take({ id: 'near', db: -20, confidence: 0.9 }, { type: 'vad.start', onsetAt: 0 });
    expect(heard).toEqual(['vad.start']);
  });
});

describe('Vapi', () => {
  const rigOf = (endpointing: 'rules' | 'wait function') =>
    new Rig(new Vapi(english, { ...plain, endpointing })).welcomed();

  test('waits by its default function of the probability', () => {
    const waitMs = 20 + 500 * Math.sqrt(0.5) + 2500 * 0.5 ** 3;
    const rig = rigOf('wait function').says(2000, 3000, 'Is it', 0.5).until(9000);
    expect(rig.committedAt(3000)).toBe(3200 + Math.round(waitMs));
  });

  test.each([
    ['Is it open?', 100],
    ['My number is 12', 500],
    ['Is it', 1500],
  ])('waits after "%s" by its rules', (text, waitMs) => {
    const rig = rigOf('rules').says(2000, 3000, text).until(9000);
    expect(rig.committedAt(3000)).toBe(3260 + waitMs);
  });

  test('says nothing for a second after an interruption', () => {
    const rig = rigOf('rules').says(2000, 3000, 'Is it open?').until(3400).answers(3500);
    expect(rig.until(4000).when('play.start', 3000)).toBe(3760);
    rig.says(5000, 5300, 'Stop.').until(5700);
    expect(rig.when('play.clear')).toBe(5200);
  });
});

test('a room is voiced from its first voice to its last', () => {
  const heard: string[] = [];
  const room = roomOf({ leastDb: -60, leastConfidence: 0.5 }, ({ type }) => heard.push(type));
  const [caller, television] = ['caller', 'television'].map((id) => ({
    id,
    db: -30,
    confidence: 1,
  }));
  if (!caller || !television) throw new Error('no sources');
  room.take(television, { type: 'vad.start', onsetAt: 0 });
  room.take(caller, { type: 'vad.start', onsetAt: 100 });
  room.take(caller, { type: 'vad.stop', speechEndAt: 900 });
  room.take(television, { type: 'vad.alive' });
  room.take(television, { type: 'vad.stop', speechEndAt: 2000 });
  expect(heard).toEqual(['vad.start', 'vad.alive', 'vad.stop']);
});
