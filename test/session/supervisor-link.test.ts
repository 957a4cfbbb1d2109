import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Microphone, TakenOver } from '../../src/ports/call-take-over.ts';
import { SessionRig, testSettings } from '../support/session-rig.ts';

const loudest = (chunks: readonly Int16Array[]) =>
  chunks.flatMap((pcm) => [...pcm]).reduce((most, sample) => Math.max(most, sample), 0);

class Person implements Microphone {
  readonly sampleRateHz = 8000;
  readonly heard: Int16Array[] = [];
  overBecause: string | undefined;
  audio(pcm: Int16Array): void {
    this.heard.push(pcm.slice());
  }
  over(reason: string): void {
    this.overBecause = reason;
  }
}

describe('a person at the microphone', () => {
  let rig: SessionRig;
  let person: Person;

  beforeEach(async () => {
    rig = new SessionRig({
      settings: {
        welcome: { ...testSettings.welcome, message: '', mode: 'assistant-waits-for-user' },
        idle: { ...testSettings.idle, timeoutMs: 60_000 },
      },
    });
    person = new Person();
    rig.session.answered();
    await rig.silence(1000);
  });
  afterEach(async () => {
    rig.session.hangup();
    await rig.clock.advance(20_000);
    await rig.session.finished;
    expect(rig.ticker.size).toBe(0);
    expect(rig.clock.nextDueAt()).toBeUndefined();
  });

  const join = async (): Promise<TakenOver> => {
    const answer = await rig.session.takeOver(person, 'Ada');
    if ('refusal' in answer) throw new Error(answer.refusal);
    return answer;
  };
  /** Both say something; each at its own rate. */
  const both = async (taken: TakenOver, ms: number) => {
    for (let elapsed = 0; elapsed < ms; elapsed += 20) {
      await rig.clock.advance(20);
      rig.session.audio(new Int16Array(320).fill(1000));
      taken.write(new Int16Array(160).fill(3000));
    }
  };

  test('[Y5] is heard by the caller, hears the caller at once, and is in the log', async () => {
    const taken = await join();
    const from = rig.leg.sent.length;
    await both(taken, 1000);
    expect(loudest(rig.leg.sent.slice(from).map(({ pcm }) => pcm))).toBeGreaterThan(2900);
    expect(rig.leg.maxLeadMs).toBeLessThanOrEqual(200);
    expect(loudest(person.heard)).toBeGreaterThan(950);
    const heardMs = person.heard.reduce((sum, pcm) => sum + pcm.length, 0) / 8;
    expect(heardMs).toBeGreaterThan(950);
    await rig.silence(200);
    expect(rig.commands('supervisor.join')).toMatchObject([{ data: { by: 'Ada' } }]);
  });

  test('[Y6] is heard no more once the call is given back, and the assistant speaks again', async () => {
    const taken = await join();
    await both(taken, 500);
    taken.giveBack();
    await rig.silence(200);
    expect(person.overBecause).toBe('given-back');
    const from = rig.leg.sent.length;
    await both(taken, 200);
    expect(loudest(rig.leg.sent.slice(from).map(({ pcm }) => pcm))).toBeLessThan(100);
    const heard = person.heard.length;
    await rig.session.control({ type: 'control.say', text: 'I am back.' });
    await rig.silence(2000);
    expect(person.heard).toHaveLength(heard);
    expect(rig.tts.texts).toContain('I am back.');
    expect(rig.leg.sent.length).toBeGreaterThan(from);
  });

  test('[Y5] what the person says is written down by a recogniser of their own, to the last word', async () => {
    const taken = await join();
    await both(taken, 1000);
    const [ofCaller, ofPerson] = rig.stt.streams;
    expect(rig.stt.streams).toHaveLength(2);
    expect(ofPerson?.writtenMs).toBeGreaterThan(900);
    expect(ofPerson?.edges).toEqual(['started']);
    ofPerson?.interim('From ten');
    ofPerson?.final('From ten to four.');
    ofCaller?.final('And on Mondays?');
    taken.giveBack();
    await rig.silence(200);
    expect(ofPerson?.edges.at(-1)).toBe('ended');
    ofPerson?.final('Goodbye.');
    await rig.silence(500);
    expect(rig.lines.filter(({ type }) => type === 'supervisor.said')).toMatchObject([
      { data: { by: 'Ada', text: 'From ten to four.' } },
      { data: { by: 'Ada', text: 'Goodbye.' } },
    ]);
    const ofPeople = rig.batches
      .flatMap(({ messages }) => messages)
      .filter(({ role, text }) => role === 'system' && text.includes(' said to the caller: '));
    expect(ofPeople.map(({ text }) => text)).toEqual([
      'Ada said to the caller: From ten to four.',
      'Ada said to the caller: Goodbye.',
    ]);
    expect(ofPerson?.closed).toBe(false);
    await rig.silence(4000);
    expect(ofPerson?.closed).toBe(true);
    expect(ofCaller?.closed).toBe(false);
  });

  test('the person’s recogniser is closed with the call, and one that fails ends nothing', async () => {
    const taken = await join();
    rig.stt.streams[1]?.options.onEvent({
      type: 'error',
      error: new ProviderError({
        ...{ class: 'auth', provider: 'scripted', code: 'no_key', message: 'no key' },
      }),
    });
    await both(taken, 500);
    expect(rig.commands('webhook')).toEqual([]);
    expect(rig.commands('finish')).toEqual([]);
    taken.giveBack();
    await rig.silence(100);
    await join();
    await rig.silence(100);
    const last = rig.stt.line;
    expect(last.closed).toBe(false);
    rig.session.hangup();
    await rig.silence(100);
    expect(last.closed).toBe(true);
  });

  test('[Y5] whoever listens in hears the person as well, in place of the assistant', async () => {
    const heard: number[] = [];
    rig.session.listen({
      audio: (pcm) => void heard.push(...pcm.filter((_, i) => i % 2 === 1)),
      event: () => undefined,
      ended: () => undefined,
    });
    const taken = await join();
    await both(taken, 1000);
    expect(Math.max(...heard)).toBeGreaterThan(2900);
  });

  test('a second person is refused, and told who speaks', async () => {
    await join();
    const second = new Person();
    expect(await rig.session.takeOver(second, 'Grace')).toEqual({
      refusal: 'somebody else speaks with the caller',
    });
    await rig.silence(100);
    expect(second.heard).toEqual([]);
  });

  test('it is over for the person when the caller hangs up', async () => {
    await join();
    rig.session.hangup();
    await rig.silence(200);
    expect(person.overBecause).toBeDefined();
    expect(await rig.session.takeOver(new Person(), 'Ada')).toEqual({
      refusal: 'the call is not live',
    });
  });
});
