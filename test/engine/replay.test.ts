import { describe, expect, test } from 'vitest';
import {
  findDifferences,
  ReplayError,
  replayJournal,
  restoreCall,
} from '../../src/engine/machine/replay.ts';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { finish } from '../../src/lib/steps.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { CallHarness } from '../support/call-harness.ts';

/** A call with a barge-in, a noise, a silence and an end. */
function recorded(): JournalLine[] {
  const call = new CallHarness({
    settings: {
      callType: 'phone',
      idle: { timeoutMs: 5000, maxMessages: 1, messages: ['Still there?'] },
    },
    model: () => 'We are open from nine to six on every day but Sunday.',
  });
  const end = call.answer().says(1500, 'When are you open?');
  call.says(end + 1800, 'And where are you?');
  call.voice(end + 12_000, 300);
  call.runTo(60_000);
  expect(call.of('finish')).toHaveLength(1);
  return call.journal;
}

/** As a store may give it back: through JSON, keys in another order. */
const stored = (lines: readonly JournalLine[]): JournalLine[] =>
  lines.map((line) => {
    const copy = JSON.parse(JSON.stringify(line)) as JournalLine;
    return { ...copy, data: Object.fromEntries(Object.entries(copy.data).reverse()) };
  });

describe('replay', () => {
  test('takes every decision again, byte for byte', () => {
    const replay = replayJournal(stored(recorded()));
    expect(replay.recorded.length).toBeGreaterThan(30);
    expect(replay.replayed).toEqual(replay.recorded);
    expect(findDifferences(replay)).toEqual([]);
  });

  test('does not depend on the order in which lines are read', () => {
    const replay = replayJournal(stored(recorded()).reverse());
    expect(replay.replayed).toEqual(replay.recorded);
  });

  test('shows where another history would have gone another way', () => {
    const lines = stored(recorded()).map((line) =>
      line.type === 'stt.final' && line.data.text === 'When are you open?'
        ? { ...line, data: { ...line.data, text: 'When were you open?' } }
        : line,
    );
    const [first] = findDifferences(replayJournal(lines));
    expect(first?.recorded?.canonical).toContain('When are you open?');
    expect(first?.replayed?.canonical).toContain('When were you open?');
  });

  test('tells whose journal it is, and which engines have decided', () => {
    const [head, ...lines] = recorded();
    const data = { ...head?.data, engineVersion: '5' };
    const replay = replayJournal([{ ...(head as JournalLine), data }, ...lines]);
    expect(replay).toMatchObject({ callId: head?.data.callId, recordedVersion: '5' });
    expect(replay.callId).not.toBe('');
  });

  test('tells when the call was created, from which its times count', () => {
    const [head, ...lines] = recorded();
    const data = { ...head?.data, startedAt: 1_790_000_000_000 };
    const restored = finish(restoreCall([{ ...(head as JournalLine), data }, ...lines]));
    restored.call.stop();
    expect(restored.startedAtMs).toBe(1_790_000_000_000);
  });

  test('shows ten differences, where nobody asks for more or fewer', () => {
    const { replayed } = replayJournal(recorded());
    const none = { recorded: [], replayed };
    expect(findDifferences(none)).toHaveLength(10);
    expect(findDifferences(none, 3).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(findDifferences(none, 1000)).toHaveLength(replayed.length);
  });

  test('shows a decision that is missing', () => {
    const lines = stored(recorded());
    const at = lines.findIndex(({ type }) => type === 'llm.start');
    const [first] = findDifferences(replayJournal(lines.toSpliced(at, 1)));
    expect(first?.replayed?.type).toBe('llm.start');
  });

  test('a journal grows with what is said, and still holds every context to the word', () => {
    const call = new CallHarness({ model: () => 'We are open from nine to six.' }).answer();
    const turns = 12;
    for (let n = 0; n < turns; n++) call.says(2000 + n * 6000, `Is it open on day ${n}?`);
    call.runTo(2000 + turns * 6000);
    const contexts = call.of('llm.start').map(({ messages }) => messages);
    const written = call.journal.filter(({ type }) => type === 'llm.start');
    expect(written).toHaveLength(turns);
    // What each adds is the last answer and the next question, whatever came before.
    const added = written.map(({ data }) => (data.messages as unknown[]).length);
    expect(added.slice(1).every((count) => count === 2)).toBe(true);
    let context: unknown[] = [];
    for (const [i, { data }] of written.entries()) {
      context = [...context.slice(0, data.keptMessages as number), ...(data.messages as unknown[])];
      expect(context).toEqual(contexts[i]);
    }
    expect(findDifferences(replayJournal(stored(call.journal)))).toEqual([]);
  });

  test('a context that differs where nothing was written again is noticed by its digest', () => {
    const lines = stored(recorded());
    const index = lines.findLastIndex(({ type }) => type === 'llm.start');
    const line = lines[index] as JournalLine;
    const other = { ...line, data: { ...line.data, digest: '0' } };
    expect(findDifferences(replayJournal(lines.with(index, other)))).toHaveLength(1);
  });

  test('of another engine says why it can not be replayed, when it can not', () => {
    const lines = recorded();
    const { transfer: _, ...older } = (lines[0] as JournalLine).data.settings as CallSettings;
    const head = { ...(lines[0] as JournalLine) };
    const data = { ...head.data, engineVersion: '5', settings: older };
    const again = () => replayJournal([{ ...head, data }, ...lines.slice(1)]);
    expect(again).toThrow(ReplayError);
    expect(again).toThrow('engine 5 recorded this call');
    expect(again).toThrow('transfer: ');
  });

  test('names a setting that this engine needs and the journal lacks, whatever its version', () => {
    const lines = recorded();
    const head = lines[0] as JournalLine;
    const { voiceMs: _, ...older } = (head.data.settings as CallSettings).stopSpeaking;
    const settings = { ...(head.data.settings as CallSettings), stopSpeaking: older };
    const again = () =>
      replayJournal([{ ...head, data: { ...head.data, settings } }, ...lines.slice(1)]);
    expect(again).toThrow(ReplayError);
    expect(again).toThrow('stopSpeaking.voiceMs');
  });

  test('refuses an event that the engine does not know, instead of passing it over', () => {
    const lines = recorded();
    const index = lines.findIndex(({ type }) => type === 'vad.start');
    const odd = { ...(lines[index] as JournalLine), type: 'vad.begin' };
    expect(() => replayJournal(lines.with(index, odd))).toThrow('vad.begin');
  });

  describe.each([
    ['its own', undefined],
    ['another', '5'],
  ])('of %s engine', (_whose, engineVersion) => {
    const withVersion = ([head, ...lines]: JournalLine[]) => {
      const { data, ...rest } = head as JournalLine;
      return [{ ...rest, data: { ...data, ...(engineVersion && { engineVersion }) } }, ...lines];
    };

    test('an event that the engine does not know is said to be none', () => {
      const lines = withVersion(recorded());
      const index = lines.findIndex(({ type }) => type === 'vad.start');
      const odd = { ...(lines[index] as JournalLine), type: 'vad.begin' };
      expect(() => replayJournal(lines.with(index, odd))).toThrow(
        /^line \d+ is no event: vad\.begin$/,
      );
    });

    test('an event that the engine fails at is its own fault, or that of the version', () => {
      const lines = withVersion(recorded());
      const index = lines.findIndex(({ type }) => type === 'stt.final');
      const odd = { ...(lines[index] as JournalLine), data: {} };
      const again = () => replayJournal(lines.with(index, odd));
      if (engineVersion) {
        expect(again).toThrow(ReplayError);
        expect(again).toThrow(/does not understand \(Cannot read/);
      } else expect(again).toThrow(TypeError);
    });
  });

  test.each([
    ['sealed', 'which an admin can read'],
    ['dropped', 'were not kept'],
  ])(
    'refuses a journal that is redacted (%s) and says what became of the originals',
    (redacted, reason) => {
      const [head, ...lines] = recorded();
      const data = { ...head?.data, redacted };
      const again = () => replayJournal([{ ...(head as JournalLine), data }, ...lines]);
      expect(again).toThrow(ReplayError);
      expect(again).toThrow(reason);
    },
  );

  test('of a call that broke off stops where the record does', () => {
    const lines = stored(recorded());
    const replay = replayJournal(
      lines.slice(0, lines.findIndex(({ type }) => type === 'play.clear') + 1),
    );
    expect(replay.replayed.slice(0, replay.recorded.length)).toEqual(replay.recorded);
    expect(replay.replayed.at(-1)?.at).toBe(replay.recorded.at(-1)?.at);
  });

  test.each([
    ['without its first line', (lines: JournalLine[]) => lines.slice(1), 'call.created'],
    [
      'without settings',
      (lines: JournalLine[]) => [{ ...(lines[0] as JournalLine), data: {} }, ...lines.slice(1)],
      'settings',
    ],
  ])('refuses a journal %s', (_what, change, reason) => {
    expect(() => replayJournal(change(recorded()))).toThrow(ReplayError);
    expect(() => replayJournal(change(recorded()))).toThrow(reason);
  });
});
