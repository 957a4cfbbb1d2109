import { describe, expect, test } from 'vitest';
import { announcementIn, consentIn } from '../../src/calls/consent/consent-words.ts';
import { mustBeTold } from '../../src/calls/consent/recording-regions.ts';
import { ConsentWatch } from '../../src/calls/consent/watch-consent.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';

const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'nl', 'pt', 'pl', 'hi', 'sv'];

describe('the words of consent', () => {
  test.each(LANGUAGES)('%s: what the announcement tells to say is a refusal', (language) => {
    const announcement = announcementIn([language], false);
    const phrase = announcement.slice(announcement.lastIndexOf(':') + 1);
    expect(consentIn(phrase, [language], false)).toBe('refused');
    expect(announcementIn([language], true)).not.toBe(announcement);
  });

  test.each([
    ['en', 'Please do not record this call.', 'refused'],
    ['en', 'No, I have another question', undefined],
    ['es', 'No quiero que me graben', 'refused'],
    ['fr', "N'enregistrez pas, s'il vous plaît", 'refused'],
    ['de', 'Bitte nicht aufzeichnen', 'refused'],
    ['sv', 'Snälla, spela inte in det här', 'refused'],
    ['sv', 'Jag vill spela in ett meddelande', undefined],
    ['de', 'Ich möchte etwas aufnehmen lassen', undefined],
  ] as const)('%s: "%s" unasked: %s', (language, text, said) => {
    expect(consentIn(text, [language], false)).toBe(said);
  });

  test('each language of a call counts, and the first one is spoken', () => {
    expect(consentIn('Bitte nicht aufzeichnen', ['en-US', 'de-DE'], false)).toBe('refused');
    expect(consentIn('Ja, gerne', ['en-US', 'de-DE'], true)).toBe('accepted');
    expect(announcementIn(['en-US', 'de-DE'], false)).toBe(announcementIn(['en'], false));
  });

  test.each([
    ['en', 'Yes, sure', 'accepted'],
    ['en', 'No thank you', 'refused'],
    ['en', "No, that's fine", 'refused'],
    ['en', 'What is this about?', undefined],
    ['de', 'Ja, gerne', 'accepted'],
    ['pl', 'tak', 'accepted'],
    ['hi', 'नहीं', 'refused'],
    ['sv', 'Ja, det går bra', 'accepted'],
    ['sv', 'Nej tack', 'refused'],
    ['sv', 'Vad gäller det?', undefined],
  ] as const)('%s: "%s" when asked: %s', (language, text, said) => {
    expect(consentIn(text, [language], true)).toBe(said);
  });
});

test.each([
  ['+12125550123', false],
  ['+14155550123', true],
  ['+13055550123', true],
  ['+18005550123', true],
  ['+14165550123', true],
  ['+4930123456', true],
  [null, true],
])('whoever is at %s must be told: %s', (number, told) => {
  expect(mustBeTold(number)).toBe(told);
});

function watched(options: { ask?: boolean; onRefusal?: 'delete' | 'cut' } = {}) {
  const did: unknown[] = [];
  const announcement = announcementIn(['en'], options.ask ?? false);
  const watch = new ConsentWatch({
    ...{ announcement, languages: ['en-US'], ask: false, onRefusal: 'delete', ...options },
  });
  watch.attach({
    begin: () => did.push('begin'),
    end: (untilMs) => did.push({ untilMs }),
    tell: ({ state, atMs }) => did.push(`${state} ${atMs}`),
  });
  const store = watch.over({ write: async () => undefined });
  let seq = 0;
  const write = (batch: Partial<CallBatch>) =>
    store.write({ callId: 'WC-1', lines: [], messages: [], patch: {}, ...batch });
  const line = (type: string, at: number, data: object) =>
    write({ lines: [{ seq: seq++, at, kind: 'event', type, data: { ...data } }] });
  return {
    did,
    async speak(uttId: number, text: string, at: number, isHeard = true) {
      await line('tts.start', at - 1, { uttId, text });
      if (isHeard) await line('play.finished', at, { uttId });
    },
    async say(text: string, startAt: number) {
      await line('stt.final', startAt + 500, {
        segId: `s${startAt}`,
        text,
        startAt,
        endAt: startAt + 400,
      });
      await write({
        messages: [{ messageId: `m${startAt}`, role: 'user', text, at: startAt + 600 }],
      });
    },
    announce: async (at: number) => {
      const sentences = announcement.match(/[^.?]+[.?]/g) ?? [];
      for (const [i, sentence] of sentences.entries())
        await line('tts.start', at, { uttId: 100 + i, text: sentence.trim() });
      for (const i of sentences.keys()) await line('play.finished', at, { uttId: 100 + i });
    },
  };
}

describe('the recording of a call that has to be announced', () => {
  test('begins when the announcement was heard to its end', async () => {
    const call = watched();
    await call.speak(1, 'This call is recorded.', 900);
    expect(call.did).toEqual([]);
    await call.speak(2, 'If you do not want that, please say: do not record. Hello!', 2900);
    expect(call.did).toEqual(['announced 2900', 'begin']);
    await call.say('When are you open?', 4000);
    expect(call.did).toHaveLength(2);
  });

  test('does not begin if the voice failed before its end', async () => {
    const call = watched();
    await call.speak(1, 'This call is recorded.', 900);
    await call.speak(2, 'If you do not want that, please say: do not record.', 2900, false);
    expect(call.did).toEqual([]);
  });

  test('ends with the first word of a refusal, and stays ended', async () => {
    const call = watched({ onRefusal: 'cut' });
    await call.announce(2000);
    await call.say('Hello', 3000);
    await call.say('Please do not record this', 5000);
    await call.say('Yes, okay', 7000);
    expect(call.did).toEqual(['announced 2000', 'begin', 'refused 5000', { untilMs: 5000 }]);
  });

  test('is deleted after a refusal where that is wanted, also before the announcement is over', async () => {
    const call = watched();
    await call.say('Do not record me', 500);
    await call.announce(2000);
    expect(call.did).toEqual(['refused 500', { untilMs: 0 }]);
  });

  test('waits for a yes where somebody is asked', async () => {
    const call = watched({ ask: true });
    await call.announce(2000);
    expect(call.did).toEqual(['announced 2000']);
    await call.say('What for?', 3000);
    await call.say('Yes, okay', 5000);
    expect(call.did).toEqual(['announced 2000', 'accepted 5000', 'begin']);
  });
});
