import { describe, expect, test } from 'vitest';
import { RedactionSchema } from '../../src/contract/redaction.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { analyseTexts } from '../../src/redaction/analyse-texts.ts';
import { CallRedactor } from '../../src/redaction/call-redactor.ts';

type Options = Partial<ConstructorParameters<typeof CallRedactor>[0]>;

/** A call whose record is redacted as it grows, and what is stored of it. */
class Redacted {
  readonly messages = new Map<string, string>();
  readonly lines: JournalLine[] = [];
  readonly errors: unknown[] = [];
  readonly redactor: CallRedactor;
  #seq = 0;

  constructor(options: Options = {}, settings: object = { kinds: ['card', 'name', 'phone'] }) {
    this.redactor = new CallRedactor({
      settings: RedactionSchema.parse(settings),
      languages: ['en-US'],
      analyse: async (task) => analyseTexts(task),
      onWithheld: (error) => this.errors.push(error),
      ...options,
    });
  }

  async store(batch: Partial<CallBatch>): Promise<CallBatch> {
    const redacted = await this.redactor.redact({
      callId: 'WC-1',
      lines: [],
      messages: [],
      patch: {},
      ...batch,
    });
    for (const { messageId, text } of redacted.messages) this.messages.set(messageId, text);
    this.lines.push(...redacted.lines);
    this.redactor.stored();
    return redacted;
  }

  say(role: 'user' | 'assistant', text: string) {
    const messageId = `m${++this.#seq}`;
    return this.store({ messages: [{ messageId, role, text, at: this.#seq }] });
  }

  line(type: string, data: Record<string, unknown>, kind: JournalLine['kind'] = 'event') {
    return this.store({ lines: [{ seq: ++this.#seq, at: this.#seq * 1000, kind, type, data }] });
  }

  get texts() {
    return [...this.messages.values()];
  }
}

describe('a call whose record is redacted', () => {
  test('a card that is dictated in four turns is never stored, not even its beginning', async () => {
    const call = new Redacted();
    const seen: string[] = [];
    await call.say('assistant', 'What is the number of your card?');
    for (const piece of [
      'four one one one',
      'one one one one',
      'one one one one',
      'one one one one',
    ]) {
      await call.say('user', piece);
      seen.push(...call.texts);
      await call.say('assistant', 'Go on.');
    }
    await call.say('user', 'that is all, my name is Ana Ruiz');
    expect(seen.join()).not.toMatch(/four|one/);
    expect(call.texts.filter((text) => text === '[card]')).toHaveLength(4);
    expect(call.texts.at(-1)).toBe('that is all, my name is [name]');
  });

  test('a card that was begun before another process took the call over is found, in both halves', async () => {
    const call = new Redacted();
    await call.redactor.recall([
      { messageId: 'a', role: 'user', text: 'my name is Ana Ruiz, it is 4111 1111', at: 1 },
      { messageId: 'b', role: 'assistant', text: 'Go on.', at: 2 },
    ]);
    await call.say('user', '1111 1111');
    await call.say('assistant', 'Thank you, Ana.');
    expect(Object.fromEntries(call.messages)).toEqual({
      a: 'my name is [name], it is [card]',
      m1: '[card]',
      m2: 'Thank you, [name].',
    });
  });

  test("a tool's arguments hold none of it either, as numbers or under whatever names", async () => {
    const call = new Redacted();
    const given = {
      card: 4111111111111111,
      note: 'my name is Ana Ruiz',
      amount: 25,
      ids: ['4111 1111 1111 1111'],
    };
    await call.line('tool.invoke', { toolCallId: 't', name: 'pay', arguments: given }, 'command');
    expect(call.lines.at(-1)?.data).toEqual({
      toolCallId: 't',
      name: 'pay',
      arguments: { card: '[card]', note: 'my name is [name]', amount: 25, ids: ['[card]'] },
    });
  });

  test('a number that turns out to be nothing is given back', async () => {
    const call = new Redacted();
    await call.say('user', 'my order is 738 22');
    expect(call.texts).toEqual(['my order is [number]']);
    await call.say('user', 'when does it come?');
    expect(call.texts).toEqual(['my order is 738 22', 'when does it come?']);
  });

  test('what the assistant reads back in pieces is taken out as well, and a name that it repeats', async () => {
    const call = new Redacted();
    await call.say('user', 'I am Ana Ruiz, my card is 4111 1111 1111 1111');
    await call.say('assistant', 'Thank you, Ana. It ends in 1111, right?');
    expect(call.texts).toEqual([
      'I am [name], my card is [card]',
      'Thank you, [name]. It ends in [card], right?',
    ]);
  });

  test('its journal holds none of it: speech, tools, the model and keys', async () => {
    const call = new Redacted();
    await call.line('stt.interim', { segId: 's1', text: 'four one one', startAt: 0, endAt: 500 });
    await call.line('stt.final', {
      segId: 's1',
      text: 'four one one one one one',
      startAt: 0,
      endAt: 900,
    });
    await call.say('user', 'my card is 4111 1111 1111 1111');
    await call.line('llm.toolCall', {
      genId: 1,
      toolCallId: 't',
      name: 'pay',
      arguments: '{"card":"4111111111111111"}',
    });
    await call.line(
      'tool.invoke',
      { toolCallId: 't', name: 'pay', arguments: { card: '4111 1111 1111 1111' } },
      'command',
    );
    await call.line(
      'llm.start',
      {
        genId: 2,
        messages: [{ role: 'user', content: 'my card is 4111 1111 1111 1111' }],
        digest: 'abc',
      },
      'command',
    );
    await call.line('dtmf', { digit: '7' });
    expect(call.lines.map(({ data }) => data)).toEqual([
      { segId: 's1', text: '[number]', startAt: 0, endAt: 500 },
      { segId: 's1', text: '[number]', startAt: 0, endAt: 900 },
      { genId: 1, toolCallId: 't', name: 'pay', arguments: '{"card":"[card]"}' },
      { toolCallId: 't', name: 'pay', arguments: { card: '[card]' } },
      { genId: 2, messages: [{ role: 'user', content: 'my card is [card]' }] },
      { digit: '*' },
    ]);
  });

  test('webhooks carry the text as it is kept', async () => {
    const call = new Redacted();
    const message = {
      messageId: 'm1',
      role: 'user',
      text: 'call me on 415 555 2671',
      at: 1,
    } as const;
    const { webhookUpdates } = await call.store({
      messages: [message],
      webhookUpdates: [{ seq: 1, at: 1, message }],
    });
    expect(webhookUpdates?.[0]?.message).toMatchObject({ text: 'call me on [phone]' });
  });

  describe('what a person says who has taken it over', () => {
    const prefix = 'Bo said to the caller: ';
    const says = (call: Redacted, words: string) =>
      call.store({
        messages: [
          {
            messageId: `s${words}`,
            role: 'system',
            text: `${prefix}${words}`,
            at: 1,
            spokenFrom: prefix.length,
          },
        ],
      });
    const card = 'four one one one';

    test('a card that they repeat in four pieces, with the caller between, is never stored', async () => {
      const call = new Redacted();
      const seen: string[] = [];
      const pieces = [card, 'one one one one', ' one one one one', 'one one one one '];
      for (const piece of pieces) {
        await says(call, piece);
        seen.push(...call.texts);
        await call.say('user', 'Yes.');
      }
      await says(call, 'Thank you.');
      expect(seen.join()).not.toMatch(/four|one/);
      expect(call.texts.filter((text) => text.includes('[card]'))).toHaveLength(4);
      expect(call.texts.at(-1)).toBe(`${prefix}Thank you.`);
    });

    test('a number that turns out to be nothing is given back, and the caller’s are judged apart', async () => {
      const call = new Redacted();
      await call.say('user', 'my order is 738 22');
      await says(call, 'Is it 738 22?');
      await call.say('user', 'when does it come?');
      await says(call, 'On Monday.');
      expect(call.texts).toEqual([
        'my order is 738 22',
        `${prefix}Is it 738 22?`,
        'when does it come?',
        `${prefix}On Monday.`,
      ]);
    });

    test('the journal holds none of it, nor webhooks', async () => {
      const call = new Redacted();
      await call.line('supervisor.said', { by: 'Bo', text: card, startAt: 0, endAt: 900 });
      const message = {
        messageId: 's1',
        role: 'system',
        text: `${prefix}${card}`,
        at: 0,
        spokenFrom: prefix.length,
      } as const;
      const { webhookUpdates } = await call.store({
        messages: [message],
        lines: [{ seq: 9, at: 9, kind: 'command', type: 'transcript.append', data: { message } }],
        webhookUpdates: [{ seq: 9, at: 9, message }],
      });
      await call.line(
        'llm.start',
        { genId: 1, messages: [{ role: 'system', content: message.text, isSpoken: true }] },
        'command',
      );
      expect(call.lines.map(({ data }) => data)).toEqual([
        { by: 'Bo', text: '[number]', startAt: 0, endAt: 900 },
        { message: { ...message, text: `${prefix}[number]` } },
        {
          genId: 1,
          messages: [{ role: 'system', content: `${prefix}[number]`, isSpoken: true }],
        },
      ]);
      expect(webhookUpdates?.[0]?.message).toMatchObject({ text: `${prefix}[number]` });
    });
  });

  test('where nothing can judge a text, nothing of it is kept', async () => {
    const call = new Redacted({ analyse: () => Promise.reject(new Error('busy')) });
    await call.say('user', 'hello');
    expect(call.texts).toEqual(['[withheld]']);
    expect(call.errors).toHaveLength(1);
  });

  test('a batch that the store refused comes again whole, and listeners see its lines once', async () => {
    const call = new Redacted();
    const shown: JournalLine[] = [];
    call.redactor.onLine((line) => shown.push(line));
    const batch: CallBatch = {
      callId: 'WC-1',
      lines: [{ seq: 1, at: 1, kind: 'event', type: 'typed', data: { text: 'I am Ana Ruiz' } }],
      messages: [{ messageId: 'm1', role: 'user', text: 'I am Ana Ruiz', at: 1 }],
      patch: {},
    };
    const first = await call.redactor.redact(batch);
    expect(await call.redactor.redact(batch)).toEqual(first);
    expect(first.messages).toMatchObject([{ text: 'I am [name]' }]);
    expect(shown).toHaveLength(1);
  });

  test('a service is asked about what the rules leave, and its places are those of the original', async () => {
    const asked: string[] = [];
    const call = new Redacted({
      askService: async (texts) => {
        asked.push(...texts);
        return texts.map((text) => {
          const start = text.indexOf('Wonderland');
          return start < 0 ? [] : [{ start, end: start + 10, label: 'address' as const }];
        });
      },
    });
    await call.say('user', 'card 4111 1111 1111 1111 from Wonderland, thanks');
    expect(call.texts).toEqual(['card [card] from [address], thanks']);
    expect(asked.join()).not.toContain('4111');
  });

  test('without an answer of the service a text is withheld, or the rules are trusted', async () => {
    const askService = () => Promise.reject(new Error('away'));
    const strict = new Redacted(
      { askService },
      { kinds: ['card'], service: { url: 'https://pii.test' } },
    );
    await strict.say('user', 'hello');
    expect(strict.texts).toEqual(['[withheld]']);
    const lenient = new Redacted(
      { askService },
      { kinds: ['card'], service: { url: 'https://pii.test', onFailure: 'rules' } },
    );
    await lenient.say('user', 'hello 4111 1111 1111 1111');
    expect(lenient.texts).toEqual(['hello [card]']);
  });
});

describe('the parts of the sound that are taken out', () => {
  test('the words of the caller by their place in the segment, and a voice that nobody wrote down', async () => {
    const call = new Redacted();
    await call.line('vad.start', { onsetAt: 1000 });
    await call.line('vad.stop', { speechEndAt: 6000 });
    await call.line('stt.final', {
      segId: 's1',
      text: 'hello my card is 4111 1111 1111 1111',
      startAt: 1000,
      endAt: 6000,
    });
    await call.say('user', 'hello my card is 4111 1111 1111 1111');
    await call.line('vad.start', { onsetAt: 9000 });
    await call.line('vad.stop', { speechEndAt: 9800 });
    const [words, unwritten] = call.redactor.soundParts();
    expect(words?.fromMs).toBeGreaterThan(2000);
    expect(words?.fromMs).toBeLessThan(3361);
    expect(words?.toMs).toBeGreaterThanOrEqual(6000);
    expect(unwritten).toEqual({ fromMs: 9000, toMs: 9800 });
  });

  test('the words of the assistant by their times, after a hold at their later instant', async () => {
    const call = new Redacted();
    await call.say('user', 'my card is 4111 1111 1111 1111');
    const text = 'You said 4111 1111 1111 1111.';
    await call.line('tts.start', { uttId: 1, text, cache: false }, 'command');
    const words = text
      .split(' ')
      .map((word, i) => ({ word, startMs: i * 500, endMs: i * 500 + 500 }));
    await call.line('tts.words', { uttId: 1, words });
    await call.store({
      lines: [{ seq: 50, at: 10_000, kind: 'event', type: 'play.started', data: { uttId: 1 } }],
    });
    await call.store({
      lines: [
        {
          seq: 51,
          at: 10_800,
          kind: 'event',
          type: 'play.held',
          data: { uttId: 1, playedMs: 800 },
        },
      ],
    });
    await call.store({
      lines: [{ seq: 52, at: 14_800, kind: 'command', type: 'play.release', data: {} }],
    });
    expect(call.redactor.soundParts()).toEqual([{ fromMs: 14_800, toMs: 17_200 }]);
    expect(JSON.stringify(call.lines)).not.toContain('1111');
  });

  test('a number that turned out to be nothing stays in the sound', async () => {
    const call = new Redacted();
    await call.line('stt.final', {
      segId: 's1',
      text: 'my order is 738 22',
      startAt: 0,
      endAt: 2000,
    });
    await call.say('user', 'my order is 738 22');
    expect(call.redactor.soundParts()).toHaveLength(1);
    await call.say('user', 'when does it come');
    expect(call.redactor.soundParts()).toEqual([]);
  });
});
