import { describe, expect, test } from 'vitest';
import { CallTimeline } from '../../src/console/calls/call-timeline.ts';
import { type JournalLine, readJournal } from '../../src/console/calls/journal.ts';

type Row = readonly [at: number, type: string, data?: object];

/** A log of these lines, in their order. */
function journal(rows: readonly Row[]): JournalLine[] {
  return rows.map(
    ([at, type, data = {}], seq) => ({ seq, at, kind: 'event', type, data }) as JournalLine,
  );
}

const append = (messageId: string, role: string, text: string, at: number) =>
  ['transcript.append', { message: { messageId, role, text, at } }] as const;
const patch = (messageId: string, text: string, frozen: boolean) =>
  ['transcript.patch', { messageId, text, frozen }] as const;
const words = (...list: readonly string[]) =>
  list.map((word, i) => ({ word, startMs: i * 100, endMs: i * 100 + 90 }));

/** The assistant is cut off in the first of two pieces, with a third still in the model's mouth. */
const CUT: readonly Row[] = [
  [1000, 'llm.text', { genId: 1, text: 'One two three four.' }],
  [1000, 'tts.start', { uttId: 1, text: 'One two three four.', cache: false }],
  [1050, 'llm.text', { genId: 1, text: 'Five six.' }],
  [1050, 'tts.start', { uttId: 2, text: 'Five six.', cache: false }],
  [1060, 'llm.text', { genId: 1, text: 'Seven.' }],
  [1100, 'tts.words', { uttId: 1, words: words('One', 'two', 'three', 'four.') }],
  [1200, 'play.started', { uttId: 1 }],
  [1300, ...append('a1', 'assistant', 'One', 1200)],
  [1350, 'transcript.live', { role: 'assistant', text: 'One two', final: false }],
  [1400, 'vad.start', { onsetAt: 1380 }],
  [1420, 'play.clear'],
  [1420, 'tts.cancel', { uttId: 2 }],
  [1425, 'play.cleared', { uttId: 1, playedMs: 225 }],
  [1425, ...patch('a1', 'One two', true)],
];

describe('the transcript of a log', () => {
  test('an interrupted reply shows what was not heard: the rest of the utterance, the next ones, and the model’s text', () => {
    const [line] = CallTimeline.of(journal(CUT)).lines;
    expect(line).toMatchObject({
      role: 'assistant',
      text: 'One two',
      unheard: 'three four. Five six. Seven.',
      fromMs: 1200,
      toMs: 1425,
      open: false,
    });
  });

  test('what a person says who has taken the call over has their name, and the length of their words', () => {
    const timeline = CallTimeline.of(
      journal([
        [1000, 'supervisor.join', { by: 'Ada' }],
        [3500, 'supervisor.said', { by: 'Ada', text: 'Hello.', startAt: 2000, endAt: 3200 }],
        [3500, ...append('s1', 'system', 'Ada said to the caller: Hello.', 2000)],
        [4000, ...append('s2', 'system', 'Ada has given the call back.', 4000)],
      ]),
    );
    expect(timeline.lines).toMatchObject([
      { speaker: 'Ada', text: 'Hello.', fromMs: 2000, toMs: 3200 },
      { text: 'Ada has given the call back.' },
    ]);
    expect(timeline.events.filter(({ title }) => title === 'Note')).toMatchObject([
      { detail: 'Ada said to the caller: Hello.', atMs: 2000 },
      { detail: 'Ada has given the call back.' },
    ]);
  });

  test('a reply interrupted at its first word has its unheard rest, too', () => {
    const [line] = CallTimeline.of(
      journal([
        [0, 'tts.start', { uttId: 1, text: 'Hello there.', cache: false }],
        [10, 'play.started', { uttId: 1 }],
        [200, 'play.clear'],
        [205, 'play.cleared', { uttId: 1, playedMs: 190 }],
        [205, ...append('a1', 'assistant', 'Hello', 10)],
        [205, ...patch('a1', 'Hello', true)],
      ]),
    ).lines;
    expect(line).toMatchObject({ text: 'Hello', unheard: 'there.', open: false });
  });

  test('a late clear acknowledgement is not mixed up with the next reply', () => {
    const late: readonly Row[] = [
      ...CUT.slice(0, 12),
      [1500, 'tts.start', { uttId: 3, text: 'Yes?', cache: false }],
      [1700, 'play.cleared', { uttId: 1, playedMs: 225 }],
      [1700, ...patch('a1', 'One two', true)],
      [1800, 'play.started', { uttId: 3 }],
      [1900, ...append('a2', 'assistant', 'Yes?', 1800)],
      [2000, ...patch('a2', 'Yes?', true)],
    ];
    expect(CallTimeline.of(journal(late)).lines.map(({ unheard }) => unheard)).toEqual([
      'three four. Five six. Seven.',
      '',
    ]);
  });

  test('cancelled drafts do not appear', () => {
    const draft: readonly Row[] = [
      [0, 'llm.text', { genId: 1, text: 'A draft.' }],
      [0, 'tts.start', { uttId: 1, text: 'A draft.', cache: false }],
      [100, 'tts.cancel', { uttId: 1 }],
      [100, 'llm.cancel', { genId: 1 }],
      [200, 'llm.text', { genId: 2, text: 'The answer is long.' }],
      [200, 'tts.start', { uttId: 2, text: 'The answer is long.', cache: false }],
      [300, 'play.started', { uttId: 2 }],
      [400, ...append('a1', 'assistant', 'The', 300)],
      [500, 'play.clear'],
      [505, 'play.cleared', { uttId: 2, playedMs: 200 }],
      [505, ...patch('a1', 'The answer', true)],
    ];
    expect(CallTimeline.of(journal(draft)).lines[0]?.unheard).toBe('is long.');
  });

  test('words stand where they sounded, later by as long as the reply was held', () => {
    const held: readonly Row[] = [
      [0, 'tts.start', { uttId: 1, text: 'One two three four.', cache: false }],
      [10, 'tts.words', { uttId: 1, words: words('One', 'two', 'three', 'four.') }],
      [1000, 'play.started', { uttId: 1 }],
      [1050, ...append('a1', 'assistant', 'One', 1000)],
      [1200, 'play.hold'],
      [1210, 'play.held', { uttId: 1, playedMs: 200 }],
      [1710, 'play.release'],
      [2000, 'play.finished', { uttId: 1 }],
      [2000, ...patch('a1', 'One two three four.', true)],
    ];
    const timeline = CallTimeline.of(
      journal([
        ...held.slice(0, 7),
        [1720, 'tts.words', { uttId: 1, words: [] }],
        ...held.slice(7),
      ]),
    );
    expect(timeline.lines[0]?.words.map(({ fromMs }) => fromMs)).toEqual([1000, 1100, 1700, 1800]);
    expect(timeline.lines[0]?.unheard).toBe('');
  });

  test('a caller’s line is there while it is spoken, and once when it is over', () => {
    const timeline = CallTimeline.of(
      journal([
        [500, 'vad.start', { onsetAt: 430 }],
        [700, 'transcript.live', { role: 'user', text: 'What', final: false }],
      ]),
    );
    expect(timeline.lines).toMatchObject([{ role: 'user', text: 'What', fromMs: 430, open: true }]);
    const rest: readonly Row[] = [
      [1000, 'vad.stop', { speechEndAt: 900 }],
      [1000, ...append('u1', 'user', 'What now', 430)],
      [1000, 'transcript.live', { role: 'user', text: 'What now', final: true }],
      [1100, ...patch('u1', 'What now?', true)],
    ];
    for (const line of journal(rest)) timeline.add({ ...line, seq: line.seq + 2 });
    expect(timeline.lines).toMatchObject([
      { id: 'u1', text: 'What now?', fromMs: 430, toMs: 900, open: false },
    ]);
    expect(timeline.events).toMatchObject([{ title: 'Caller', detail: 'What now?', atMs: 430 }]);
  });

  test('changed lines get a new identity, unchanged ones keep theirs', () => {
    const lines = journal(CUT);
    const timeline = CallTimeline.of(lines.slice(0, 8));
    const before = timeline.lines;
    timeline.add(lines[8] as JournalLine);
    expect(before[0]?.text).toBe('One');
    expect(timeline.lines[0]?.text).toBe('One two');
    expect(timeline.lines).not.toBe(before);
  });
});

describe('what happened in a call', () => {
  test('tool calls with arguments, result and times', () => {
    const timeline = CallTimeline.of(
      journal([
        [100, 'tool.invoke', { toolCallId: 'c1', name: 'book', arguments: { slot: 'ten' } }],
        [120, 'tool.invoke', { toolCallId: 'c2', name: 'book', arguments: {} }],
        [900, 'tool.result', { toolCallId: 'c1', result: '{"ok":true}' }],
        [950, 'tool.error', { toolCallId: 'c2', error: 'refused' }],
        [999, 'tool.result', { toolCallId: 'c2', result: 'too late' }],
      ]),
    );
    expect(timeline.tools).toEqual([
      {
        id: 'c1',
        name: 'book',
        arguments: { slot: 'ten' },
        atMs: 100,
        doneMs: 900,
        result: '{"ok":true}',
      },
      { id: 'c2', name: 'book', arguments: {}, atMs: 120, doneMs: 950, error: 'refused' },
    ]);
  });

  test('a refused tool call shows the reason, though nothing was executed', () => {
    const asked = { toolCallId: 'c1', genId: 1, name: 'book', arguments: '{"slto":1}' };
    const timeline = CallTimeline.of(
      journal([
        [70, 'llm.toolCall', { ...asked, problem: 'slto is not known' }],
        [80, 'llm.toolCall', { ...asked, toolCallId: 'c2', arguments: '{"sl', problem: 'no JSON' }],
        [90, 'llm.toolCall', { ...asked, toolCallId: 'c3' }],
      ]),
    );
    expect(timeline.tools).toMatchObject([
      { id: 'c1', arguments: { slto: 1 }, error: 'slto is not known' },
      { id: 'c2', arguments: { text: '{"sl' }, error: 'no JSON' },
    ]);
    expect(timeline.events).toHaveLength(2);
  });

  test('states last until the next, and the call’s end closes them', () => {
    const timeline = CallTimeline.of(
      journal([
        [0, 'state', { user: 'silent', assistant: 'thinking' }],
        [100, 'state', { user: 'silent', assistant: 'speaking' }],
        [400, 'state', { user: 'speaking', assistant: 'held' }],
        [500, 'finish', { status: 'finished', endReason: 'voice-failed' }],
      ]),
    );
    expect(timeline.states).toEqual({
      user: [
        { state: 'silent', fromMs: 0, toMs: 400 },
        { state: 'speaking', fromMs: 400, toMs: 500 },
      ],
      assistant: [
        { state: 'thinking', fromMs: 0, toMs: 100 },
        { state: 'speaking', fromMs: 100, toMs: 400 },
        { state: 'held', fromMs: 400, toMs: 500 },
      ],
    });
    expect(timeline.ended).toBe(true);
    expect(timeline.events.at(-1)).toMatchObject({ title: 'Ended: Voice failed', tone: 'bad' });
  });

  test('events are in the order in which they happened, not in which they were written', () => {
    const timeline = CallTimeline.of(
      journal([
        [100, 'leg.answered'],
        [900, 'dtmf', { digit: '1' }],
        [1000, ...append('u1', 'user', 'Hello', 300)],
      ]),
    );
    expect(timeline.events.map(({ title }) => title)).toEqual(['Answered', 'Caller', 'Key 1']);
  });

  test('a line that comes twice, and one of a type that is not known, change nothing', () => {
    const lines = journal([...CUT, [2000, 'what.is.this', { of: 'a later version' }]]);
    const once = CallTimeline.of(lines);
    const twice = CallTimeline.of([...lines, ...lines]);
    expect(twice.lines).toEqual(once.lines);
    expect(twice.events).toEqual(once.events);
    expect(once.durationMs).toBe(2000);
  });

  test('mute requests show which side is muted', () => {
    const timeline = CallTimeline.of(
      journal([
        [1, 'control.mute', { who: 'user', on: true }],
        [2, 'control.mute', { who: 'assistant', on: true }],
        [3, 'control.mute', { who: 'user', on: false }],
      ]),
    );
    expect(timeline.muted).toEqual({ user: false, assistant: true });
  });
});

describe('a journal as it arrives', () => {
  const stream = (...pieces: readonly Uint8Array<ArrayBuffer>[]) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });

  test('is read in pieces of any size, letters cut in two included', async () => {
    const lines = journal([...CUT, [3000, 'control.say', { text: 'Grüße – 你好' }]]);
    const bytes = new TextEncoder().encode(
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    for (const size of [1, 7, 1000, bytes.length]) {
      const pieces = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.slice(at, at + size));
      expect(await readJournal(stream(...pieces))).toEqual(lines);
    }
  });

  test('an incomplete last line, and anything that is not a journal line, is left out', async () => {
    const [line] = journal([[5, 'leg.answered']]);
    const text = `${JSON.stringify(line)}\n{"seq":"x"}\nnull\n\n{"seq":1,"at":9,"ki`;
    expect(await readJournal(stream(new TextEncoder().encode(text)))).toEqual([line]);
    expect(await readJournal(null)).toEqual([]);
  });
});
