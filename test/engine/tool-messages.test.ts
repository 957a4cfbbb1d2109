import { describe, expect, test } from 'vitest';
import type { CallTool, ToolLine } from '../../src/engine/settings/settings.ts';
import { CallHarness, type ModelReply, type World } from '../support/call-harness.ts';

const line = (
  type: ToolLine['type'],
  content: string,
  rest: Partial<ToolLine> = {},
): CallTool['lines'][number] => ({ type, content, role: 'assistant', endCall: false, ...rest });

const tool = (lines: readonly ToolLine[] = [], rest: Partial<CallTool> = {}): CallTool => ({
  definition: { name: 'book', description: 'Books.', parameters: { type: 'object' } },
  async: false,
  readOnly: false,
  timeoutMs: 20_000,
  lines,
  ...rest,
});

const named = (name: string, lines: readonly ToolLine[] = []): CallTool =>
  tool(lines, { definition: { name, description: '', parameters: { type: 'object' } } });

const once: ModelReply = { calls: [{ id: 't1', name: 'book', args: '{"day":"Friday"}' }] };
const QUESTION = 'Book Friday, would you?';

function calling(tools: readonly CallTool[], world: World = {}): CallHarness {
  return new CallHarness({
    model: (_text, n) => (n === 0 ? once : 'It is booked.'),
    ...world,
    settings: {
      tools,
      welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
      ...world.settings,
    },
  }).answer();
}

const told = (call: CallHarness) => JSON.stringify(call.context);

describe('what is said when a tool starts', () => {
  const blocking = line('request-start', 'This may cost you a fee.', { blocking: true });

  test('[T1] a blocking line is heard to its end before the tool is invoked', () => {
    const call = calling([tool([blocking])]);
    call.says(1000, QUESTION);
    call.runTo(12_000);
    const heard = call.farEnd.heard[0];
    expect(call.spoken[0]).toBe('This may cost you a fee.');
    expect(call.of('tool.invoke')[0]?.at).toBeGreaterThanOrEqual(heard?.to ?? Infinity);
    expect(call.spoken).toEqual(['This may cost you a fee.', 'It is booked.']);
  });

  test('[T1] a blocking line is said even after words of the model', () => {
    const call = calling([tool([blocking])], {
      model: (_t, n) => (n === 0 ? { ...once, pieces: ['Of course.'] } : 'It is booked.'),
    });
    call.says(1000, QUESTION);
    call.runTo(14_000);
    expect(call.spoken).toEqual(['Of course.', 'This may cost you a fee.', 'It is booked.']);
  });

  test('[T1] any other line is left out when the reply has said something', () => {
    const call = calling([tool([line('request-start', 'One moment.')])], {
      model: (_t, n) => (n === 0 ? { ...once, pieces: ['Of course.'] } : 'It is booked.'),
    });
    call.says(1000, QUESTION);
    call.runTo(12_000);
    expect(call.spoken).toEqual(['Of course.', 'It is booked.']);
  });

  test('[T1] who interrupts a blocking line has stopped the tool, and the model is told', () => {
    const call = calling([
      tool([
        line('request-start', 'I will now charge your card for the whole amount.', {
          blocking: true,
        }),
      ]),
    ]);
    const end = call.says(1000, QUESTION);
    call.says(end + 1800, 'No, stop, do not do that.');
    call.runTo(14_000);
    expect(call.of('tool.invoke')).toEqual([]);
    expect(told(call)).toContain('not started');
  });

  test('[T1] a blocking line that no voice can say does not block for ever', () => {
    const call = calling([tool([blocking])], { voiceFails: (text) => text.includes('fee') });
    call.says(1000, QUESTION);
    call.runTo(12_000);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(call.spoken).toEqual(['It is booked.']);
  });

  test('[T1] a turn that goes on takes back what was not invoked yet', () => {
    const call = calling([tool()], {
      modelMs: 20,
      model: (_t, n) => (n === 1 ? 'For two, all right.' : once),
    });
    const end = call.says(1000, 'Book Friday.', { finalMs: 100 });
    const commit = call.of('llm.start').length;
    call.says(end + 350, 'or rather Saturday.', { ms: 900 });
    call.runTo(12_000);
    expect(commit).toBe(0);
    expect(call.of('tool.invoke')).toEqual([]);
  });

  test('[T1] several lines of a kind are variants, of which one is said', () => {
    const lines = ['Let me see.', 'One moment.', 'I will look.'].map((text) =>
      line('request-start', text),
    );
    const spoken = [1, 2, 3, 4, 5, 6].map((seed) => {
      const call = calling([tool(lines)], { settings: { seed } });
      call.says(1000, QUESTION);
      call.runTo(12_000);
      expect(call.spoken).toHaveLength(2);
      return call.spoken[0];
    });
    expect(new Set(spoken)).toEqual(new Set(['Let me see.', 'One moment.', 'I will look.']));
  });
});

describe('what is said when a tool has answered', () => {
  test('[T3] the answer brings its own words, before the line of the tool', () => {
    const call = calling([tool([line('request-complete', 'All set.')])], {
      tool: () => ({ afterMs: 300, result: 'ok', message: 'You have table nine.' }),
    });
    call.says(1000, QUESTION);
    call.runTo(9000);
    expect(call.spoken).toEqual(['You have table nine.']);
    expect(call.of('llm.start')).toHaveLength(1);
  });

  test('[T3] an answer whose own words are empty leaves the word to the caller', () => {
    const call = calling([tool()], { tool: () => ({ afterMs: 300, result: 'ok', message: '' }) });
    call.says(1000, QUESTION);
    call.runTo(6000);
    expect(call.call.view.assistant).toBe('idle');
    call.says(7000, 'And what now?');
    call.runTo(12_000);
    expect(call.spoken).toEqual(['It is booked.']);
  });

  test('[T3] a line for the model is a hint, and the model speaks', () => {
    const call = calling([tool([line('request-complete', 'Offer a drink.', { role: 'system' })])]);
    call.says(1000, QUESTION);
    call.runTo(9000);
    expect(call.spoken).toEqual(['It is booked.']);
    expect(call.context.at(-1)).toEqual({ role: 'system', content: 'Offer a drink.' });
  });

  test('[T3] of two tools with one line, the model speaks for the other, whichever is first', () => {
    const both: ModelReply = {
      calls: [
        { id: 't1', name: 'book' },
        { id: 't2', name: 'price' },
      ],
    };
    for (const [bookMs, priceMs] of [
      [300, 900],
      [900, 300],
    ] as const) {
      const call = calling([tool([line('request-complete', 'All set.')]), named('price')], {
        model: (_t, n) => (n === 0 ? both : 'That makes ten.'),
        tool: (name) => ({ afterMs: name === 'book' ? bookMs : priceMs, result: 'ok' }),
      });
      call.says(1000, QUESTION);
      call.runTo(12_000);
      expect(call.spoken).toEqual(['All set.', 'That makes ten.']);
    }
  });

  test('[T3] a line that ends the call does so once it was heard', () => {
    const call = calling([
      tool([line('request-complete', 'All set, goodbye.', { endCall: true })]),
    ]);
    call.says(1000, QUESTION);
    call.runTo(12_000);
    expect(call.of('finish')[0]).toMatchObject({
      endReason: 'tool-ended-call',
      trigger: 'assistant',
    });
    expect(call.transcript.at(-1)).toBe('assistant: All set, goodbye.');
  });

  test('[T3] a line that was to end the call and is cut short does not', () => {
    const words = 'All is set for Friday at nine in the evening, thank you very much and goodbye.';
    const call = calling([tool([line('request-complete', words, { endCall: true })])]);
    const end = call.says(1000, QUESTION);
    call.says(end + 2500, 'Wait, I meant Saturday.');
    call.runTo(9000);
    expect(call.of('finish')).toEqual([]);
    expect(call.spoken.at(-1)).toBe('It is booked.');
  });

  test('[T4] a hint for a failure that ends the call lets the model say goodbye', () => {
    const sorry = line('request-failed', 'Apologise.', { role: 'system', endCall: true });
    const call = calling([tool([sorry])], { tool: () => ({ afterMs: 200 }) });
    call.says(1000, QUESTION);
    call.runTo(12_000);
    expect(call.spoken).toEqual(['It is booked.']);
    expect(call.of('finish')[0]?.endReason).toBe('tool-ended-call');
  });

  test('[T4] a failure brings its own words', () => {
    const call = calling([tool([line('request-failed', 'That failed.')])], {
      tool: () => ({ afterMs: 200, message: 'We are full on Friday.' }),
    });
    call.says(1000, QUESTION);
    call.runTo(9000);
    expect(call.spoken).toEqual(['We are full on Friday.']);
  });
});

describe('a result whose reply was interrupted', () => {
  const filler = line(
    'request-start',
    'I am going to look that up for you, this may take a good while.',
  );

  test('[T5] is told as soon as the floor is free', () => {
    const call = calling([tool([filler])], {
      model: (_t, n) => (n === 0 ? once : n === 1 ? 'Sure.' : 'It is booked.'),
      tool: () => ({ afterMs: 8000, result: '{"seat":12}' }),
    });
    const end = call.says(1000, QUESTION);
    call.says(end + 1800, 'And please by the window.');
    call.runTo(17_000);
    expect(call.spoken.slice(-2)).toEqual(['Sure.', 'It is booked.']);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(told(call)).toContain('seat');
    // It belongs to the turn that the caller has taken last.
    expect(call.of('llm.start').map(({ turn }) => turn)).toEqual([1, 2, 2]);
  });

  test('[T5] is said in its own words, where it has some', () => {
    const call = calling([tool([filler, line('request-complete', 'All set.')])], {
      model: (_t, n) => (n === 0 ? once : 'Sure.'),
      tool: () => ({ afterMs: 8000, result: 'ok' }),
    });
    const end = call.says(1000, QUESTION);
    call.says(end + 1800, 'And please by the window.');
    call.runTo(17_000);
    expect(call.spoken.slice(-2)).toEqual(['Sure.', 'All set.']);
    expect(call.of('llm.start')).toHaveLength(2);
  });

  test('[T5] is told once: by the answer to the next turn, if that comes first', () => {
    const call = calling([tool([filler])], { tool: () => ({ afterMs: 3000, result: 'ok' }) });
    const end = call.says(1000, QUESTION);
    call.says(end + 1800, 'And please by the window, near the door, if that is at all possible.');
    call.runTo(25_000);
    expect(call.of('llm.start')).toHaveLength(2);
  });
});

describe('a tool call as the model makes it', () => {
  test('[T7] the same arguments written another way are the same call', () => {
    const twice: ModelReply = {
      calls: [
        { id: 't1', name: 'book', args: '{"day":"Friday","seats":2}' },
        { id: 't2', name: 'book', args: '{ "seats": 2, "day": "Friday" }' },
      ],
    };
    const call = calling([tool()], { model: (_t, n) => (n === 0 ? twice : 'Done.') });
    call.says(1000, QUESTION);
    call.runTo(9000);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(told(call)).toContain('already running');
  });

  test('[T7] other arguments are another call', () => {
    const twice: ModelReply = {
      calls: [
        { id: 't1', name: 'book', args: '{"day":"Friday"}' },
        { id: 't2', name: 'book', args: '{"day":"Saturday"}' },
      ],
    };
    const call = calling([tool()], { model: (_t, n) => (n === 0 ? twice : 'Done.') });
    call.says(1000, QUESTION);
    call.runTo(9000);
    expect(call.of('tool.invoke')).toHaveLength(2);
  });

  test('ids that a model uses again stay apart', () => {
    const call = calling([tool()], {
      model: (_t, n) =>
        n % 2 === 0 ? { calls: [{ id: 'same', name: 'book', args: `{"n":${n}}` }] } : 'Done.',
    });
    const end = call.says(1000, QUESTION);
    call.says(end + 6000, 'And another one, would you?');
    call.runTo(20_000);
    const ids = call.of('tool.invoke').map(({ toolCallId }) => toolCallId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });

  test('wrong arguments go back to the model: no line, no server', () => {
    const call = calling(
      [tool([line('request-start', 'Let me look.'), line('request-failed', 'No.')])],
      {
        model: (_t, n) =>
          n === 0
            ? { calls: [{ id: 't1', name: 'book', problem: 'wrong arguments: day is missing' }] }
            : 'Which day?',
      },
    );
    call.says(1000, QUESTION);
    call.runTo(9000);
    expect(call.of('tool.invoke')).toEqual([]);
    expect(call.spoken).toEqual(['Which day?']);
    expect(told(call)).toContain('day is missing');
  });

  test('[E1] another tool asked for along with the end of the call is not lost', () => {
    const call = calling([tool()], {
      settings: { endCall: { enabled: true, message: 'Bye.', phrases: [], toolDescription: '' } },
      model: (_t, n) =>
        n === 0
          ? { calls: [...(once.calls ?? []), { id: 'e1', name: 'endCall' }] }
          : { pieces: ['It is booked.'], calls: [{ id: 'e2', name: 'endCall' }] },
    });
    call.says(1000, QUESTION);
    call.runTo(15_000);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(call.spoken).toEqual(['It is booked.', 'Bye.']);
    expect(call.of('finish')[0]?.endReason).toBe('assistant-ended-call');
  });
});

describe('an async tool', () => {
  const complete = line('request-complete', 'By the way, it is done.');

  test('[T8] its line is said once the floor is free', () => {
    const call = calling([tool([complete], { async: true })], {
      tool: () => ({ afterMs: 2500, result: 'ok' }),
    });
    call.says(1000, QUESTION);
    call.runTo(12_000);
    expect(call.spoken).toEqual(['It is booked.', 'By the way, it is done.']);
  });

  test('[T8] start and failed lines are never said, nor a hint', () => {
    const lines = [
      line('request-start', 'Starting.'),
      line('request-failed', 'Failed.'),
      line('request-complete', 'Mention it.', { role: 'system' }),
    ];
    for (const result of [undefined, 'ok']) {
      const call = calling([tool(lines, { async: true })], {
        tool: () => ({ afterMs: 1500, ...(result ? { result } : {}) }),
      });
      call.says(1000, QUESTION);
      call.runTo(9000);
      expect(call.spoken).toEqual(['It is booked.']);
    }
  });

  test('[T8] a hint for the model is told with the answer', () => {
    const hint = line('request-complete', 'Mention it.', { role: 'system' });
    const call = calling([tool([hint], { async: true })], {
      tool: () => ({ afterMs: 1500, result: 'ok' }),
    });
    call.says(1000, QUESTION);
    call.says(8000, 'And what now?');
    call.runTo(12_000);
    expect(call.context.slice(-3, -1)).toEqual([
      { role: 'system', content: 'The tool book has answered: ok' },
      { role: 'system', content: 'Mention it.' },
    ]);
  });

  test('[T8] a line that ends the call is the last that is said', () => {
    const last = line('request-complete', 'It is done.', { endCall: true });
    const call = calling([tool([last], { async: true })], {
      tool: () => ({ afterMs: 2500, result: 'ok' }),
      settings: { endCall: { enabled: true, message: 'Bye.', phrases: [], toolDescription: '' } },
    });
    call.says(1000, QUESTION);
    call.runTo(20_000);
    expect(call.spoken).toEqual(['It is booked.', 'It is done.']);
    expect(call.of('finish')).toMatchObject([{ endReason: 'tool-ended-call' }]);
  });

  test('[T4] [T8] each has its own time, whichever of them answers', () => {
    const both: ModelReply = {
      calls: [
        { id: 't1', name: 'book' },
        { id: 't2', name: 'price' },
      ],
    };
    const slow = { ...named('price'), async: true, timeoutMs: 4000 };
    const call = calling([tool([], { async: true, timeoutMs: 2000 }), slow], {
      model: (_t, n) => (n === 0 ? both : 'It is booked.'),
      tool: (name) => ({ afterMs: name === 'book' ? 500 : 60_000, result: 'ok' }),
    });
    call.says(1000, QUESTION);
    call.runTo(12_000);
    const invoked = call.of('tool.invoke').at(-1)?.at ?? 0;
    expect(call.of('tool.cancel')).toMatchObject([{ toolCallId: 't2', at: invoked + 4000 }]);
  });

  test('[T8] one that runs is not broken off by the end of the call', () => {
    const call = calling([tool([], { async: true })], { tool: () => ({ afterMs: 60_000 }) });
    call.says(1000, QUESTION);
    call.at(6000, { type: 'remote.hangup' });
    call.runTo(7000);
    expect(call.of('tool.invoke')).toHaveLength(1);
    expect(call.of('tool.cancel')).toEqual([]);
  });
});

describe('what the model sees of words around its tool calls', () => {
  const steps = (n: number): ModelReply | string =>
    n === 0
      ? { pieces: ['Let me look.'], calls: [{ id: 't1', name: 'book', args: '{"n":1}' }] }
      : n === 1
        ? { pieces: ['One more thing.'], calls: [{ id: 't2', name: 'book', args: '{"n":2}' }] }
        : 'It is booked.';
  const said = (call: CallHarness) =>
    call.context.filter(({ role }) => role === 'assistant').map(({ content }) => content);

  test('each step has its own, none twice', () => {
    const call = calling([tool()], { model: (_t, n) => steps(n) });
    const end = call.says(1000, QUESTION);
    call.runTo(9500);
    expect(said(call)).toEqual(['Let me look.', 'One more thing.']);
    call.says(Math.max(end, 9500), 'Thank you very much.');
    call.runTo(14_000);
    expect(said(call)).toEqual(['Let me look.', 'One more thing.', 'It is booked.']);
  });

  test('[H4] what was cut off is not there', () => {
    const pieces = ['Let me look that up for you in the big book of all bookings.'];
    const call = calling([tool()], {
      model: (_t, n) => (n === 0 ? { ...once, pieces } : 'Sure.'),
      tool: () => ({ afterMs: 4000, result: 'ok' }),
    });
    const end = call.says(1000, QUESTION);
    call.says(end + 1900, 'By the window, please.');
    call.runTo(12_000);
    expect(said(call)[0]).toMatch(/^Let me look/);
    expect(said(call).join(' ')).not.toContain('bookings');
  });
});

test('[T5] a line that is lost while a tool runs loses neither the tool nor its result', () => {
  const call = calling([tool([line('request-start', 'One moment, I will look.')])], {
    tool: () => ({ afterMs: 4000, result: '{"seat":12}' }),
  });
  const end = call.says(1000, QUESTION);
  call.at(end + 2000, { type: 'media.lost' }).at(end + 7000, { type: 'media.resumed' });
  call.runTo(end + 14_000);
  expect(call.of('tool.invoke')).toHaveLength(1);
  expect(call.of('llm.start')).toHaveLength(2);
  expect(told(call)).toContain('seat');
});
