import { expect, test } from 'vitest';
import type { CallListener, Listening } from '../../src/ports/call-monitor.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { SessionRig } from '../support/session-rig.ts';

/** Keeps what it hears, the sides apart. */
class Ear implements CallListener {
  readonly user: number[] = [];
  readonly assistant: number[] = [];
  readonly lines: JournalLine[] = [];
  endedWith: string | undefined;

  audio(pcm: Int16Array): void {
    for (let i = 0; i < pcm.length; i += 2) {
      this.user.push(pcm[i] as number);
      this.assistant.push(pcm[i + 1] as number);
    }
  }

  event(line: JournalLine): void {
    this.lines.push(line);
  }

  ended(reason: string): void {
    this.endedWith = reason;
  }

  get seconds(): number {
    return this.user.length / 16_000;
  }
}

const LISTENED_FROM_MS = 200;

const loud = (samples: readonly number[]) => samples.filter((sample) => sample !== 0).length;
const admitted = (listening: ReturnType<SessionRig['session']['listen']>): Listening => {
  if (typeof listening === 'string') throw new Error(listening);
  return listening;
};

test('a listener hears both sides apart, in their time, and reads the log as it is written', async () => {
  const rig = new SessionRig({ replies: [{ text: ['At nine.'] }] });
  rig.session.answered();
  await rig.silence(LISTENED_FROM_MS);
  const ear = new Ear();
  const { sampleRateHz } = admitted(rig.session.listen(ear));
  expect(sampleRateHz).toBe(16_000);
  await rig.speak('When do you open?');
  await rig.silence(4000);

  expect(ear.seconds).toBeGreaterThan(4.7);
  expect(ear.seconds).toBeLessThan(5.07);
  expect(loud(ear.user)).toBe(16_000);
  // The answer sounds where the log says that it started.
  const { at } = ear.lines.findLast(({ type }) => type === 'play.started') as JournalLine;
  const firstSpoken = ear.assistant.findIndex((sample, i) => sample !== 0 && i > 16_000);
  expect(Math.abs(firstSpoken / 16 - (at - LISTENED_FROM_MS))).toBeLessThan(40);
  const toldTypes = new Set(ear.lines.map(({ type }) => type));
  for (const type of ['vad.start', 'stt.final', 'tts.start', 'transcript.append'])
    expect([...toldTypes]).toContain(type);
});

test('what a barge-in cut off is not heard', async () => {
  const rig = new SessionRig({
    replies: [{ text: ['One two three four five six seven eight nine ten.'] }],
  });
  rig.session.answered();
  const ear = new Ear();
  admitted(rig.session.listen(ear));
  await rig.speak('Count.');
  await rig.silence(1200);
  await rig.speak('Stop it now please.', 1500);
  await rig.silence(3000);
  const sentSamples = rig.leg.sent.reduce((sum, { pcm }) => sum + pcm.length, 0);
  expect(rig.leg.clears.length).toBeGreaterThan(0);
  expect(loud(ear.assistant)).toBeLessThan(sentSamples);
});

test('listeners are told of the end, once; after it there is nothing to listen to', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  const [stays, leaves] = [new Ear(), new Ear()];
  admitted(rig.session.listen(stays));
  const { stop } = admitted(rig.session.listen(leaves));
  await rig.silence(1000);
  stop();
  stop();
  const heard = leaves.user.length;
  rig.session.hangup();
  await rig.silence(1000);
  await rig.session.finished;
  expect(stays.endedWith).toBe('user-hung-up');
  expect(leaves.endedWith).toBeUndefined();
  expect(leaves.user.length).toBe(heard);
  expect(rig.session.listen(new Ear())).toBe('not-live');
});

test('ten may listen at once', async () => {
  const rig = new SessionRig();
  const places = Array.from({ length: 10 }, () => admitted(rig.session.listen(new Ear())));
  expect(rig.session.listen(new Ear())).toBe('full');
  places[3]?.stop();
  admitted(rig.session.listen(new Ear()));
});

test('one who stops listening takes nothing from the others, and may listen again', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  const [stays, leaves] = [new Ear(), new Ear()];
  admitted(rig.session.listen(stays));
  const { stop } = admitted(rig.session.listen(leaves));
  stop();
  await rig.silence(2000);
  expect(stays.seconds).toBeGreaterThan(1.5);
  expect(leaves.seconds).toBe(0);

  const alone = new SessionRig();
  alone.session.answered();
  const again = new Ear();
  admitted(alone.session.listen(again)).stop();
  await alone.silence(5000);
  admitted(alone.session.listen(again));
  const before = again.seconds;
  await alone.silence(2000);
  expect(again.seconds - before).toBeGreaterThan(1.5);
  expect(again.seconds - before).toBeLessThan(2.1);
});
