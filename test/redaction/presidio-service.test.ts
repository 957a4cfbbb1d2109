import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RedactionSchema } from '../../src/contract/redaction.ts';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import type { CallBatch } from '../../src/ports/call-store.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { analyseTexts } from '../../src/redaction/analyse-texts.ts';
import { CallRedactor } from '../../src/redaction/call-redactor.ts';
import { createPresidio } from '../../src/redaction/presidio/ask-presidio.ts';
import {
  type PresidioEmulator,
  type PresidioFault,
  startPresidio,
} from '../support/presidio-emulator.ts';

/** Nothing introduces this name, so that the rules cannot find it. */
const NAME = 'Wren Abernathy';
const CARD = '4111 1111 1111 1111';
const SAID = `Put ${NAME} down, card ${CARD}.`;

let presidio: PresidioEmulator;
let outbound: GuardedFetch;
beforeAll(async () => {
  outbound = createGuardedFetch({ allowPrivate: true, clock: systemClock });
  presidio = await startPresidio([
    { text: NAME, entity: 'PERSON', score: 0.85 },
    { text: 'Put', entity: 'PERSON', score: 0.3 },
    { text: 'member', entity: 'MEMBER_NO', score: 1 },
  ]);
});
afterAll(async () => {
  await presidio[Symbol.asyncDispose]();
  await outbound.close();
});
beforeEach(() => {
  presidio.fault = 'none';
  presidio.asked.length = 0;
});

/** A call whose record is redacted with the help of a service. */
function callWith(service: object = {}, languages: readonly string[] = ['en-US']) {
  const settings = RedactionSchema.parse({
    kinds: ['card', 'name'],
    service: { url: presidio.url, timeoutSeconds: 1, ...service },
  });
  const problems: unknown[] = [];
  const redactor = new CallRedactor({
    settings,
    languages,
    analyse: async (task) => analyseTexts(task),
    askService: createPresidio(settings, { fetch: outbound.fetch, team: 'team' }),
    onWithheld: (problem) => problems.push(problem),
  });
  let seq = 0;
  const store = async (batch: Partial<CallBatch>) => {
    const empty = { callId: 'WC-1', lines: [], messages: [], patch: {} };
    const redacted = await redactor.redact({ ...empty, ...batch });
    redactor.stored();
    return redacted;
  };
  return {
    problems,
    async say(text: string) {
      const message = { messageId: `m${++seq}`, role: 'user', text, at: seq } as const;
      const data = { text };
      const line: JournalLine = { seq, at: seq, kind: 'event', type: 'stt.final', data };
      const { messages, lines } = await store({ messages: [message], lines: [line] });
      return { said: messages.at(-1)?.text, journal: JSON.stringify(lines) };
    },
  };
}

describe('a service with the API of Presidio', () => {
  test('is asked without what the rules found, and finds what they cannot', async () => {
    const { say, problems } = callWith();
    const { said, journal } = await say(SAID);
    expect(said).toBe('Put [name] down, card [card].');
    expect(journal).not.toMatch(/Wren|4111/);
    expect(presidio.asked.join()).toContain(NAME);
    expect(presidio.asked.join()).not.toContain('4111');
    // One's own recogniser.
    expect((await say('my member card')).said).toBe('my [word] card');
    expect(problems).toEqual([]);
  });

  test('sees characters beyond the first plane as one each, as it counts them', async () => {
    expect((await callWith().say(`😀😀 ${NAME} 😀`)).said).toBe('😀😀 [name] 😀');
  });

  test.each<[PresidioFault, string]>([
    ['hangs', 'does not answer in time'],
    ['half', 'breaks off'],
    ['error', 'refuses'],
    ['html', 'is something else'],
    ['other-json', 'has another shape'],
    ['wrong-places', 'names places that are not in the text'],
    ['endless', 'does not come to an end'],
  ])(
    'withholds what it could not judge: %s (it %s), and the next words are judged again',
    async (fault) => {
      const { say, problems } = callWith();
      presidio.fault = fault;
      const { said, journal } = await say(SAID);
      expect(said).toBe('[withheld]');
      expect(journal).not.toMatch(/Wren|4111/);
      expect(journal).toContain('[withheld]');
      expect(problems.length).toBeGreaterThan(0);
      // A problem is logged: it must hold nothing of what was said.
      for (const problem of problems) expect(String(problem)).not.toMatch(/Wren|4111/);
      presidio.fault = 'none';
      expect((await say(`And ${NAME} too.`)).said).toBe('And [name] too.');
    },
  );

  test.each<PresidioFault>(['hangs', 'error', 'wrong-places'])(
    'leaves it to the rules where the owner has said so: %s',
    async (fault) => {
      presidio.fault = fault;
      const { say, problems } = callWith({ onFailure: 'rules' });
      const { said } = await say(SAID);
      expect(said).toBe(`Put ${NAME} down, card [card].`);
      expect(problems.length).toBeGreaterThan(0);
    },
  );

  test('that is not there, or does not know the language, withholds as well', async () => {
    await using gone = await startPresidio([]);
    const { url } = gone;
    await gone[Symbol.asyncDispose]();
    expect((await callWith({ url }).say(SAID)).said).toBe('[withheld]');
    expect((await callWith({}, ['pl-PL']).say(SAID)).said).toBe('[withheld]');
  });

  test('what it is less sure of than the owner wants stays', async () => {
    expect((await callWith({ minScore: 0.2 }).say(SAID)).said).toBe(
      '[name] [name] down, card [card].',
    );
    expect((await callWith({ minScore: 0.9 }).say(SAID)).said).toBe(
      `Put ${NAME} down, card [card].`,
    );
  });
});
