import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedLlm } from '../support/scripted-llm.ts';
import { SessionRig } from '../support/session-rig.ts';

const listener = () => {
  const got: string[] = [];
  return {
    got,
    audio: () => void got.push('audio'),
    event: () => void got.push('event'),
    ended: (reason: string) => void got.push(`ended ${reason}`),
  };
};

test('a call that is over does nothing more, whoever asks', async () => {
  const rig = new SessionRig();
  const heard = listener();
  rig.session.answered();
  await rig.silence(2000);
  expect(rig.session.endReason).toBe('ended');
  expect(rig.session.listen(heard)).toMatchObject({ sampleRateHz: 16_000 });
  rig.session.hangup();
  await rig.session.finished;
  expect(heard.got.at(-1)).toBe('ended user-hung-up');
  expect(rig.session.endReason).toBe('user-hung-up');
  const before = { batches: rig.batches.length, warnings: rig.warnings.length };
  expect(await rig.session.control({ type: 'control.say', text: 'Hello?' })).toEqual({
    outcome: 'not-live',
  });
  expect(rig.session.listen(listener())).toBe('not-live');
  expect(rig.session.letGo()).toBe(false);
  rig.session.taken();
  rig.session.playback({ playedMs: 1 } as never);
  rig.session.dtmf('1');
  rig.session.typed('Hello?');
  rig.session.end('service-stopped');
  rig.session.audio(new Int16Array(320));
  await rig.session.handOver({ untilMs: 0, mayLeave: () => true }, async () => {
    expect.unreachable('the call is over');
  });
  await rig.clock.advance(20_000);
  expect(rig.session.endReason).toBe('user-hung-up');
  expect({ batches: rig.batches.length, warnings: rig.warnings.length }).toEqual(before);
  expect(rig.clock.nextDueAt()).toBeUndefined();
});

test('[D2] keys of the caller reach the model as they were pressed', async () => {
  const rig = new SessionRig({ settings: { dtmfInput: true }, replies: [{ text: ['Yes.'] }] });
  rig.session.answered();
  await rig.silence(2000);
  for (const digit of '42#') rig.session.dtmf(digit);
  await rig.silence(2000);
  expect(rig.llm.requests[0]?.messages.at(-1)?.content).toContain('42');
  rig.session.hangup();
  await rig.session.finished;
});

test('a line that the caller typed is answered', async () => {
  const rig = new SessionRig({ replies: [{ text: ['Yes.'] }] });
  rig.session.answered();
  await rig.silence(2000);
  rig.session.typed('Are you open?');
  await rig.silence(2000);
  expect(rig.transcript.slice(-2)).toEqual(['user: Are you open?', 'assistant: Yes.']);
  rig.session.hangup();
  await rig.session.finished;
});

test('how the far end played is on the record, and so is when the call was answered', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  await rig.silence(500);
  rig.session.playback({ gaps: 2 } as never);
  rig.session.hangup();
  await rig.session.finished;
  expect(rig.record).toMatchObject({
    playback: { gaps: 2 },
    answeredAt: 1_700_000_000_000,
    settled: true,
  });
});

test('the service may end a call for a reason of its own', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  await rig.silence(2000);
  rig.session.end('service-stopped');
  await rig.silence(10_000);
  await rig.session.finished;
  expect(rig.record).toMatchObject({ status: 'finished', endReason: 'service-stopped' });
});

test('a fault of the service ends the call at once, on the record too, and is logged once', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  await rig.silence(2000);
  let faults = 0;
  Object.assign(rig.leg, {
    notify: () => {
      if (faults++ === 0) throw new Error('a fault');
    },
  });
  await rig.voice(400);
  await rig.clock.advance(1000);
  await rig.session.finished;
  expect(rig.record).toMatchObject({ status: 'finished', endReason: 'internal-error' });
  expect(rig.session.endReason).toBe('internal-error');
  expect(rig.leg.endedWith).toBe('internal-error');
  expect(rig.lines.filter(({ type }) => type === 'failure')).toMatchObject([
    { data: { code: 'internal-error' } },
  ]);
  expect(rig.warnings).toMatchObject([
    { callId: 'WC-test', err: expect.objectContaining({ message: 'a fault' }) },
  ]);
});

test('a call that another process owns is silent here at once, and its record is left alone', async () => {
  const rig = new SessionRig({
    replies: [{ text: ['One two three four five six seven eight. '] }],
  });
  const heard = listener();
  rig.session.answered();
  rig.session.listen(heard);
  await rig.silence(300);
  expect(rig.leg.soundingMs).toBeGreaterThan(0);
  rig.session.taken();
  await rig.clock.advance(100);
  await rig.session.finished;
  expect(rig.session.endReason).toBe('service-restarted');
  expect(heard.got.at(-1)).toBe('ended service-restarted');
  expect(rig.record.endReason).toBeUndefined();
  expect(rig.leg.endedWith).toBe('service-restarted');
  expect(rig.warnings).toHaveLength(1);
});

test('a call that is let go of sends its caller elsewhere, and says nothing more', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  await rig.silence(300);
  expect(rig.session.letGo()).toBe(true);
  expect(rig.leg.hasMoved).toBe(true);
  expect(rig.session.letGo()).toBe(false);
  await rig.clock.advance(1000);
  await rig.session.finished;
  expect(rig.session.endReason).toBe('service-restarted');
  expect(rig.leg.endedWith).toBeUndefined();
});

test('a call that cannot be given up is closed even so, and that is logged', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  await rig.silence(3000);
  const leaving = { untilMs: rig.clock.now(), mayLeave: () => true };
  const left = rig.session.handOver(leaving, async () => {
    throw new Error('the store is away');
  });
  await rig.clock.advance(3000);
  await left;
  expect(rig.leg.hasMoved).toBe(true);
  expect(rig.warnings).toMatchObject([{ err: { message: 'the store is away' } }]);
});

test('a call of which nothing had been heard begins anew in the process that takes it over', async () => {
  const first = new SessionRig();
  await first.clock.advance(200);
  first.session.letGo();
  await first.clock.advance(1000);
  await first.session.finished;
  const rig = new SessionRig({ goesOnFrom: first.lines });
  if (rig.restored) rig.session.takenOver(rig.restored);
  await rig.silence(2000);
  expect(rig.transcript).toEqual(['assistant: Hello there.']);
  rig.session.hangup();
  await rig.session.finished;
});

test('what the recogniser hears after a take-over of the process is told apart from what it heard before', async () => {
  const first = new SessionRig({ replies: [{ text: ['Yes.'] }] });
  first.session.answered();
  await first.silence(2000);
  await first.speak('Are you open?');
  await first.silence(4000);
  first.session.letGo();
  await first.clock.advance(1000);
  await first.session.finished;
  const rig = new SessionRig({
    ...{ goesOnFrom: first.lines, startsAtMs: first.clock.now() },
    replies: [{ text: ['Until six.'] }],
  });
  if (rig.restored) rig.session.takenOver(rig.restored);
  await rig.silence(3000);
  await rig.speak('Until when?');
  await rig.silence(4000);
  rig.session.hangup();
  await rig.session.finished;
  const segments = [...first.lines, ...rig.lines].flatMap(({ kind, type, data }) =>
    kind === 'event' && type === 'stt.final' ? [data.segId] : [],
  );
  expect(segments).toHaveLength(2);
  expect(new Set(segments).size).toBe(2);
});

test('a take-over of the process finds the assistant as loud as it was', async () => {
  const louder = { id: 'v1', name: 'volumeControl', arguments: '{"change":"louder"}' };
  const first = new SessionRig({
    settings: { volumeControl: true },
    replies: [{ toolCalls: [louder] }, { text: ['Better?'] }],
  });
  first.session.answered();
  await first.silence(2000);
  await first.speak('Speak up please.');
  await first.silence(4000);
  const level = ({ leg }: SessionRig) => Math.max(...leg.sent.flatMap(({ pcm }) => [...pcm]));
  const loud = level(first);
  expect(loud).toBeGreaterThan(3000);
  first.session.letGo();
  await first.clock.advance(1000);
  await first.session.finished;
  const rig = new SessionRig({ goesOnFrom: first.lines, replies: [{ text: ['Yes.'] }] });
  await rig.clock.advance(20_000);
  if (rig.restored) rig.session.takenOver(rig.restored);
  await rig.silence(3000);
  await rig.speak('Are you there?');
  await rig.silence(3000);
  expect(level(rig)).toBeGreaterThan(3000);
  rig.session.hangup();
  await rig.session.finished;
});

test('a control request that this version does not know is refused, and changes nothing', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  await rig.silence(2000);
  expect(await rig.session.control({ type: 'control.dance' } as never)).toEqual({
    outcome: 'refused',
    reason: 'the call cannot do that',
  });
  rig.session.hangup();
  await rig.session.finished;
});

test('a control request is in the record before it is accepted, unless the store is away', async () => {
  const rig = new SessionRig();
  rig.session.answered();
  await rig.silence(2000);
  const say = (text: string) => rig.session.control({ type: 'control.say', text });
  const asked = () =>
    rig.lines.filter(({ type }) => type === 'control.say').map(({ data }) => data.text);
  expect(await say('One.')).toEqual({ outcome: 'accepted' });
  expect(asked()).toEqual(['One.']);
  rig.storeAway = true;
  const answer = say('Two.');
  await rig.clock.advance(2000);
  expect(await answer).toEqual({ outcome: 'accepted' });
  expect(asked()).toEqual(['One.']);
  rig.storeAway = false;
  await rig.clock.advance(5000);
  expect(asked()).toEqual(['One.', 'Two.']);
  // The next owner has never heard of this one, so nobody may be told that it was accepted.
  rig.taken = true;
  expect(await say('Three.')).toEqual({ outcome: 'not-live' });
  await rig.session.finished;
});

test('without a path a call leaves no recording, with one it does', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-session-'));
  try {
    const rig = new SessionRig({ recordingPath: join(folder, 'call.wav') });
    rig.session.answered();
    await rig.silence(500);
    rig.session.hangup();
    await rig.session.finished;
    expect(await readdir(folder)).toEqual(['call.wav']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('[C10] what may become a voice is told while an answer is awaited, and at no other time', async () => {
  const rig = new SessionRig({ llm: (clock) => new ScriptedLlm(clock, [{ hangs: true }]) });
  const isTold = () => rig.lines.some(({ type }) => type === 'vad.maybe');
  rig.session.answered();
  await rig.silence(2000);
  await rig.speak('Are you open?');
  expect(isTold()).toBe(false);
  await rig.silence(1000);
  await rig.voice(500);
  await rig.silence(500);
  expect(isTold()).toBe(true);
  rig.session.hangup();
  await rig.session.finished;
});

test('a line that broke and is back goes on with the call', async () => {
  const rig = new SessionRig({ replies: [{ text: ['Yes.'] }] });
  rig.session.answered();
  await rig.silence(2000);
  rig.session.lost();
  await rig.clock.advance(2000);
  rig.session.resumed();
  await rig.silence(1000);
  await rig.speak('Are you open?');
  await rig.silence(2000);
  expect(rig.transcript.at(-1)).toBe('assistant: Yes.');
  await rig.voice(60_000);
  expect(rig.leg.endedWith).toBeUndefined();
  rig.session.hangup();
  await rig.session.finished;
});

test('a far end that plays on is told to drop what nobody counts as heard, once the call goes elsewhere', async () => {
  const rig = new SessionRig();
  Object.assign(rig.leg, { playsOn: true });
  rig.session.answered();
  await rig.silence(300);
  expect(rig.leg.soundingMs).toBeGreaterThan(0);
  rig.session.letGo();
  expect(rig.leg.clears).toHaveLength(1);
  await rig.clock.advance(1000);
  await rig.session.finished;
});

test('a call that is taken over goes on in its journal, warms up its vendors, and was ended by its service before', async () => {
  const first = new SessionRig();
  first.session.answered();
  await first.silence(3000);
  const leaving = { untilMs: first.clock.now(), mayLeave: () => true };
  const left = first.session.handOver(leaving, async () => undefined);
  await first.clock.advance(3000);
  await left;
  expect(first.session.endReason).toBe('service-restarted');
  expect(first.record.settled).toBeUndefined();
  let warmed = 0;
  const rig = new SessionRig({ goesOnFrom: first.lines, warm: () => warmed++ });
  if (rig.restored) rig.session.takenOver(rig.restored);
  expect(warmed).toBe(1);
  await rig.silence(1000);
  expect(rig.lines[0]?.seq).toBe((first.lines.at(-1)?.seq ?? 0) + 1);
  rig.session.hangup();
  await rig.session.finished;
});

test('[H1] where a far end tells what it has played, that is believed at once', async () => {
  const rig = new SessionRig({
    replies: [{ text: ['One two three four five six seven eight nine ten.'] }],
  });
  rig.leg.onCleared = (playedMs) => rig.session.cleared(playedMs - 100);
  rig.session.answered();
  await rig.silence(2000);
  await rig.speak('Count.');
  await rig.silence(1200);
  await rig.speak('Stop it now please.', 1500);
  await rig.silence(1000);
  const told = (type: string) => rig.lines.filter((line) => line.type === type);
  // A hundred milliseconds less than the clock says.
  expect(told('play.held')).toMatchObject([{ data: { uttId: 2, playedMs: 1060 } }]);
  expect(told('play.cleared')).toMatchObject([{ data: { uttId: 2, playedMs: 960 } }]);
  rig.session.hangup();
  await rig.session.finished;
});
