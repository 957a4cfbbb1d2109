import { afterEach, describe, expect, test } from 'vitest';
import { SessionRig } from '../support/session-rig.ts';

let rig: SessionRig;

afterEach(async () => {
  rig.session.hangup();
  await rig.clock.advance(20_000);
  await rig.session.finished;
  expect(rig.clock.nextDueAt()).toBeUndefined();
});

const notes = (type: string) =>
  rig.lines.filter((line) => line.kind === 'note' && line.type === type).map(({ data }) => data);

const listening = (replies: ConstructorParameters<typeof SessionRig>[0]) =>
  new SessionRig({
    ...replies,
    settings: {
      drafts: true,
      sttP99Ms: 350,
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
    },
  });

describe('a draft in a live call', () => {
  test('[S2] [S3] is one request, heard no sooner than the turn allows, and counted when adopted', async () => {
    const usage = { inputTokens: 9, outputTokens: 3 };
    rig = listening({ replies: [{ text: ['It is free. '], usage }] });
    rig.session.answered();
    await rig.speak('How much is it?');
    const endedAt = rig.clock.now() - 60;
    await rig.silence(100);
    expect(rig.llm.requests).toHaveLength(1);
    expect(rig.tts.texts).toEqual(['It is free.']);
    expect(notes('llm.usage')).toEqual([]);
    await rig.silence(3000);
    expect(rig.llm.requests).toHaveLength(1);
    expect(notes('llm.usage')).toEqual([{ genId: 1, ...usage }]);
    expect(notes('llm.wasted')).toEqual([]);
    expect((rig.leg.sent[0]?.at ?? 0) - endedAt).toBeGreaterThanOrEqual(390);
    expect(rig.transcript).toEqual(['user: How much is it?', 'assistant: It is free.']);
  });

  test('[S4] [S5] dropped, its stream ends at once and nothing of it was heard, written or counted', async () => {
    rig = listening({
      replies: [{ text: ['Wrong answer. '], hangs: true }, { text: ['Right answer. '] }],
    });
    rig.session.answered();
    await rig.speak('How much is it?');
    await rig.silence(80);
    await rig.voice(300);
    rig.stt.line.interim('for two');
    await rig.silence(20);
    expect(rig.llm.aborted).toBe(1);
    await rig.silence(60);
    rig.stt.line.final('For two?');
    await rig.silence(4000);
    expect(rig.transcript).toEqual(['user: How much is it? For two?', 'assistant: Right answer.']);
    expect(notes('llm.wasted')).toHaveLength(1);
  });
});
