import { describe, expect, test } from 'vitest';
import { findDifferences, ReplayError, replayJournal } from '../../src/engine/machine/replay.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { compareCalls } from '../../src/simulation/what-if/compare.ts';
import {
  type Change,
  replayChanged,
  replayChangedNow,
} from '../../src/simulation/what-if/replay-changed.ts';
import { type GeneratedClass, generate } from '../bench/turns/corpus.ts';
import { drive } from '../bench/turns/driver.ts';
import { parleyByWords } from '../bench/turns/engines/parley.ts';
import type { Script } from '../bench/turns/script.ts';
import { CallHarness } from '../support/call-harness.ts';
import { readJournals } from '../support/journal-fixtures.ts';
import { recordedConversation } from '../support/recorded-conversation.ts';

const settingsOf = (lines: readonly JournalLine[]) => lines[0]?.data.settings as CallSettings;

const waiting = (settings: CallSettings, waitMs: number): CallSettings => ({
  ...settings,
  startSpeaking: { ...settings.startSpeaking, waitMs },
});

const whatIf = (lines: readonly JournalLine[], change: Omit<Change, 'askModel'>) =>
  compareCalls(lines, replayChangedNow(lines, change));

describe('with no change a call is what it was', () => {
  test.each(readJournals())('%s', (_, lines) => {
    const { divergence, journal } = replayChangedNow(lines, {});
    expect(divergence).toBeUndefined();
    const commands = (all: readonly JournalLine[]) => all.filter(({ kind }) => kind === 'command');
    expect(commands(journal).map(({ at, type, data }) => ({ at, type, data }))).toEqual(
      commands(lines).map(({ at, type, data }) => ({ at, type, data })),
    );
  });

  test('every turn is exact, and the figures are the same', () => {
    const { turns, recorded, replayed } = whatIf(recordedConversation(), {});
    expect(turns.map(({ certainty }) => certainty)).toEqual(Array(4).fill('exact'));
    expect(replayed).toEqual(recorded);
  });
});

/** What must be the same of two calls: every word and every latency, when it was. */
const course = (lines: readonly JournalLine[]) =>
  lines
    .filter(({ type }) => /^(turn\.metrics|transcript\.(append|patch))$/.test(type))
    .map(({ at, type, data }) => ({ at, type, data }));

/** A script whose caller does what the replay takes for granted: whoever is cut in on says the rest all the same. */
const insistent = (script: Script): Script => ({
  ...script,
  acts: script.acts.map((act) => ({ ...act, whenCutIn: 'insist' })),
});

describe('with another wait a call goes as the same call made anew with it', () => {
  // Generated callers on virtual time: what each does follows from what they hear.
  test.each<[GeneratedClass, number, number]>([
    ['clean', 1500, 1],
    ['clean', 100, 1],
    ['numbers', 1500, 1],
    ['numbers', 100, 1],
    // Some of these were cut in on when they were recorded, and nobody knows what they would have said otherwise.
    ['pauses', 1500, 0.9],
    ['pauses', 100, 0.9],
    ['barge-ins', 1500, 0.7],
  ])('%s at %i ms', (name, waitMs, share) => {
    let [calls, diverged, same] = [0, 0, 0];
    for (const script of generate(1, name, 0.15).map(insistent)) {
      const recorded = drive(script, parleyByWords, { journal: true }).journal ?? [];
      const settings = waiting(settingsOf(recorded), waitMs);
      const { startSpeaking } = settings;
      const anew = drive(
        { ...script, settings: { ...script.settings, startSpeaking } },
        parleyByWords,
        {
          journal: true,
        },
      );
      const replayed = replayChangedNow(recorded, { settings });
      calls++;
      if (replayed.divergence) diverged++;
      const expected = course(anew.journal ?? []);
      if (share === 1) expect(course(replayed.journal), script.id).toEqual(expected);
      if (JSON.stringify(course(replayed.journal)) === JSON.stringify(expected)) same++;
    }
    expect(diverged).toBeGreaterThan(0);
    expect(same / calls).toBeGreaterThanOrEqual(share);
  });

  test('what it says it would have done is a call that replays', () => {
    const recorded = recordedConversation();
    const { journal } = replayChangedNow(recorded, {
      settings: waiting(settingsOf(recorded), 2000),
    });
    expect(findDifferences(replayJournal(journal))).toEqual([]);
  });
});

describe('whatever a change leads to is a call that the engine would decide so', () => {
  test.each(readJournals())('%s', (_, lines) => {
    const settings = settingsOf(lines);
    const { startSpeaking, welcome } = settings;
    const eager = { ...startSpeaking, onNoPunctuationMs: 50, engineBaseMs: 0, engineScaleMs: 0 };
    const longer = { ...welcome, message: 'A much longer welcome than it ever was.' };
    const changes: Omit<Change, 'askModel'>[] = [
      { settings: { ...settings, startSpeaking: eager }, caller: 'repeats' },
      { settings: { ...settings, welcome: longer, drafts: !settings.drafts }, caller: 'waits' },
    ];
    for (const change of changes) {
      const { journal, unfinished } = replayChangedNow(lines, change);
      expect(findDifferences(replayJournal(journal))).toEqual([]);
      expect(unfinished).toBe(false);
    }
  });
});

describe('with another prompt', () => {
  const recorded = recordedConversation();
  const settings = { ...settingsOf(recorded), systemPrompt: 'You are brief.' };

  test('the call differs from the first request on, and what the model would say is unknown', () => {
    const { divergence, turns } = whatIf(recorded, { settings });
    expect(divergence).toMatchObject({ what: 'llm.start' });
    expect(turns.map(({ certainty }) => certainty)).toEqual([
      'exact',
      'unknown',
      'unknown',
      'unknown',
    ]);
    expect(turns[1]?.replayed?.fromMs).toBeLessThanOrEqual(divergence?.atMs ?? 0);
    expect(divergence?.atMs).toBeLessThan(turns[1]?.replayed?.toMs ?? 0);
  });

  test('a model that is asked answers with its own words, at the usual times', async () => {
    const asked: string[] = [];
    const changed = await replayChanged(recorded, {
      settings,
      askModel: async ({ messages }) => {
        asked.push(messages.findLast(({ role }) => role === 'user')?.content ?? '');
        return [
          { afterMs: 0, type: 'text', text: 'Nine.' },
          { afterMs: 0, type: 'done', reason: 'stop' },
        ];
      },
    });
    const { turns } = compareCalls(recorded, changed);
    expect(asked[0]).toBe('When do you open?');
    expect(turns[1]).toMatchObject({
      certainty: 'simulated',
      recorded: { assistant: 'We open at nine.', answerMs: turns[1]?.recorded?.answerMs },
      replayed: { assistant: 'Nine.', answerMs: turns[1]?.recorded?.answerMs },
    });
  });

  test('a welcome that differs does so from the first turn on', () => {
    const welcome = { ...settings.welcome, message: 'Good morning to you, caller.' };
    const { divergence, turns } = whatIf(recorded, { settings: { ...settings, welcome } });
    expect(divergence).toMatchObject({ what: 'tts.start', atMs: 0 });
    expect(turns[0]).toMatchObject({
      certainty: 'simulated',
      replayed: { assistant: welcome.message },
    });
  });
});

describe('with a tool that answers otherwise', () => {
  test('the call is exact until the answer, and the model is told of the failure', () => {
    const recorded = recordedConversation();
    const { divergence, turns, replayed } = whatIf(recorded, {
      tools: { look_up: { error: 'the book is closed' } },
    });
    expect(divergence?.what).toBe('tool');
    expect(turns.map(({ certainty }) => certainty)).toEqual([
      'exact',
      'exact',
      'unknown',
      'unknown',
    ]);
    expect(turns[2]?.recorded?.tools).toMatchObject([
      { outcome: 'result', text: 'a table for two' },
    ]);
    expect(turns[2]?.replayed?.tools).toMatchObject([
      { outcome: 'error', text: 'the book is closed' },
    ]);
    expect(replayed.toolsFailed).toBe(1);
  });

  test('the same failure as before changes nothing but is followed all the same', () => {
    const recorded = recordedConversation({ tool: () => ({ afterMs: 900 }) });
    const { turns } = whatIf(recorded, { tools: { look_up: { error: 'it failed' } } });
    expect(
      turns.map(({ recorded: was, replayed: is }) => is?.assistant === was?.assistant),
    ).toEqual(Array(4).fill(true));
  });
});

describe('a caller who is answered while they think', () => {
  /** Two halves of a sentence, 1.8 s apart, which the recorded call waits for and a quicker one does not. */
  const recorded = () => {
    const call = new CallHarness({
      model: () => 'Let me look that up in the book for you, one moment.',
      settings: {
        startSpeaking: {
          ...waiting(settingsOf(recordedConversation()), 400).startSpeaking,
          onNoPunctuationMs: 2500,
          smartEndpointing: 'off',
        },
      },
    });
    call.answer();
    call.says(2500, 'I would like to book');
    call.says(5800, 'a table on Friday.');
    call.at(14_000, { type: 'remote.hangup' });
    return call.runTo(20_000).journal;
  };
  const quick = (lines: readonly JournalLine[]): CallSettings => {
    const settings = settingsOf(lines);
    return { ...settings, startSpeaking: { ...settings.startSpeaking, onNoPunctuationMs: 300 } };
  };

  test.each([
    ['speaks-on', ['I would like to book', 'a table on Friday.']],
    ['waits', ['I would like to book', 'a table on Friday.']],
    ['repeats', ['I would like to book', 'I would like to book', 'a table on Friday.']],
  ] as const)('%s', (caller, words) => {
    const lines = recorded();
    const changed = replayChangedNow(lines, { settings: quick(lines), caller });
    const said = changed.journal
      .filter(({ type }) => type === 'stt.final')
      .map(({ data }) => data.text);
    expect(said).toEqual(words);
    const { recorded: before, replayed: after } = compareCalls(lines, changed);
    expect(before.cutIns).toBe(0);
    // Whoever repeats pauses at the same place again.
    expect(after.cutIns).toBe(caller === 'repeats' ? 2 : 1);
    const second = changed.journal.filter(({ type }) => type === 'vad.start').at(1)?.at ?? 0;
    const firstReplyEnds = changed.journal.find(
      ({ type, at }) => /^play\.(finished|cleared)$/.test(type) && at > 3500,
    )?.at;
    if (caller === 'speaks-on') expect(second).toBeLessThan(firstReplyEnds ?? 0);
    else expect(second).toBeGreaterThan(firstReplyEnds ?? Number.POSITIVE_INFINITY);
  });
});

test('two replays of one change are equal byte for byte', () => {
  let diverged = 0;
  for (const script of generate(2, 'barge-ins', 0.05)) {
    const lines = drive(script, parleyByWords, { journal: true }).journal ?? [];
    const change = { settings: waiting(settingsOf(lines), 900) };
    const once = replayChangedNow(lines, change);
    const again = replayChangedNow(lines, change);
    if (once.divergence) diverged++;
    expect(JSON.stringify(compareCalls(lines, again))).toBe(
      JSON.stringify(compareCalls(lines, once)),
    );
    expect(JSON.stringify(again.journal)).toBe(JSON.stringify(once.journal));
  }
  expect(diverged).toBeGreaterThan(0);
});

test.each([
  ['sealed', 'the journal is redacted: replay its originals, which an admin can read'],
  ['removed', 'originals were not kept'],
])('a redacted journal (%s) is refused with the way out', (redacted, sentence) => {
  const [head, ...rest] = recordedConversation();
  const lines = [{ ...(head as JournalLine), data: { ...head?.data, redacted } }, ...rest];
  expect(() => replayChangedNow(lines, {})).toThrow(ReplayError);
  expect(() => replayChangedNow(lines, {})).toThrow(sentence);
});
