import { afterEach, expect, test } from 'vitest';
import { gainFromDb } from '../../src/audio/mix.ts';
import { ScriptedTts } from '../support/scripted-tts.ts';
import { SessionRig } from '../support/session-rig.ts';

let rig: SessionRig;

afterEach(async () => {
  rig.session.hangup();
  await rig.clock.advance(20_000);
  await rig.session.finished;
  expect(rig.clock.nextDueAt()).toBeUndefined();
});

const STORY = 'Well I was on my way home last night and then there was a';
const settings = {
  backchanneling: true,
  welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
} as const;

async function tellStory(): Promise<number> {
  rig.session.answered();
  await rig.silence(500);
  await rig.speak(STORY, 6000);
  const endedAt = rig.clock.now() - 60;
  await rig.silence(800);
  return endedAt;
}

test('[B15] a backchannel is heard in the pause, softly, and the machine hears nothing of it', async () => {
  rig = new SessionRig({ settings });
  const endedAt = await tellStory();
  const [backchannel] = rig.leg.sent;
  expect((backchannel?.at ?? 0) - endedAt).toBeGreaterThanOrEqual(250);
  expect((backchannel?.at ?? 0) - endedAt).toBeLessThanOrEqual(700);
  expect(backchannel?.pcm[100]).toBeCloseTo(2000 * gainFromDb(-8), -1);
  await rig.silence(300);
  const played = rig.lines.filter(({ kind, type }) => kind === 'event' && type.startsWith('play.'));
  expect(played).toEqual([]);
  expect(rig.transcript.filter((line) => line.startsWith('assistant'))).toEqual([]);
});

test('one whose voice failed is left out', async () => {
  rig = new SessionRig({
    settings,
    tts: (clock) => new ScriptedTts(clock, { fails: () => 'before' }),
  });
  await tellStory();
  expect(rig.tts.texts).toHaveLength(2);
  expect(rig.leg.sent).toEqual([]);
});
