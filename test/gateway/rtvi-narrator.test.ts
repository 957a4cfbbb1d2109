import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { RtviNarrator } from '../../src/gateway/rtvi-narrator.ts';
import type { WebCommand } from '../../src/gateway/web-protocol.ts';

// Its own types would bring those of the browser into all that is checked.
const require = createRequire(import.meta.url);
const { RTVIMessageType } = require('@pipecat-ai/client-js') as {
  readonly RTVIMessageType: Readonly<Record<string, string>>;
};
const NOW = '2027-01-15T08:00:00.000Z';
const line = (kind: 'event' | 'command', type: string, data: object): WebCommand => ({
  type: 'line',
  line: { seq: 1, at: 0, kind, type, data: { ...data } },
});
const state = (user: string, assistant: string): WebCommand => ({ type: 'state', user, assistant });
const said = (text: string, final = false): WebCommand => ({
  ...{ type: 'transcript', role: 'assistant', text, final },
});

/** The types of what is told, one after the other. */
function told(commands: readonly WebCommand[], isSecond = true): readonly string[] {
  const narrator = new RtviNarrator(isSecond);
  const types = commands.flatMap((command) => narrator.tell(command, NOW).map(({ type }) => type));
  // The standard, as the client knows it.
  const known: readonly string[] = Object.values(RTVIMessageType);
  expect(types.filter((type) => !known.includes(type))).toEqual([]);
  return types;
}

describe('a call in the messages of RTVI', () => {
  test('who speaks is told when it changes', () => {
    expect(
      told([
        state('silent', 'idle'),
        state('speaking', 'idle'),
        state('pausing', 'idle'),
        state('speaking', 'idle'),
        state('silent', 'thinking'),
        state('silent', 'speaking'),
        state('speaking', 'held'),
        state('silent', 'idle'),
      ]),
    ).toEqual([
      'user-started-speaking',
      'user-stopped-speaking',
      'bot-llm-started',
      'bot-llm-stopped',
      'bot-started-speaking',
      'user-started-speaking',
      'bot-stopped-speaking',
      'user-stopped-speaking',
    ]);
  });

  test('a piece of a reply is told when it is played, and completed when it was heard whole', () => {
    const piece = [
      line('command', 'tts.start', { uttId: 3, text: 'Yes.' }),
      line('command', 'play.start', { uttId: 3 }),
    ];
    const begun = ['bot-llm-text', 'bot-output', 'bot-tts-started'];
    const finished = line('event', 'play.finished', { uttId: 3 });
    expect(told([...piece, finished])).toEqual([...begun, 'bot-output', 'bot-tts-stopped']);
    expect(told([...piece, finished], false)).toEqual([...begun, 'bot-tts-stopped']);
    const cleared = line('event', 'play.cleared', { uttId: 3, playedMs: 80 });
    expect(told([...piece, cleared])).toEqual([...begun, 'bot-tts-stopped']);
    // A draft that is never played is nobody's business.
    const [draft] = piece;
    expect(told([draft as WebCommand, line('command', 'tts.cancel', { uttId: 3 })])).toEqual([]);
  });

  test('words of a reply are told once each, and the whole at its end', () => {
    const narrator = new RtviNarrator(true);
    const news = [said('We'), said('We are'), said('We are open.', true), said('Well')].flatMap(
      (command) => narrator.tell(command, NOW),
    );
    expect(news).toEqual([
      { type: 'bot-tts-text', data: { text: 'We' } },
      { type: 'bot-tts-text', data: { text: 'are' } },
      { type: 'bot-tts-text', data: { text: 'open.' } },
      { type: 'bot-transcription', data: { text: 'We are open.' } },
      { type: 'bot-tts-text', data: { text: 'Well' } },
    ]);
  });

  test('words of the caller are told with the time; none are not', () => {
    const narrator = new RtviNarrator(true);
    const heard = (text: string, final: boolean) =>
      narrator.tell({ type: 'transcript', role: 'user', text, final }, NOW);
    const common = { timestamp: NOW, user_id: 'caller' };
    expect(heard('Hel', false)).toEqual([
      { type: 'user-transcription', data: { text: 'Hel', final: false, ...common } },
    ]);
    expect(heard('Hello', true)).toEqual([
      { type: 'user-transcription', data: { text: 'Hello', final: true, ...common } },
      { type: 'user-llm-text', data: { text: 'Hello' } },
    ]);
    expect(heard('', true)).toEqual([]);
  });

  test('a tool is told of without its name, arguments and result', () => {
    const narrator = new RtviNarrator(true);
    const secret = { name: 'lookUp', arguments: { secret: 1 } };
    const news = [
      line('command', 'tool.invoke', { toolCallId: 't1', ...secret }),
      line('event', 'tool.result', { toolCallId: 't1', result: 'secret' }),
      line('command', 'tool.cancel', { toolCallId: 't2' }),
    ].flatMap((command) => narrator.tell(command, NOW));
    expect(news).toEqual([
      { type: 'llm-function-call-started', data: {} },
      { type: 'llm-function-call-in-progress', data: { tool_call_id: 't1' } },
      { type: 'llm-function-call-stopped', data: { tool_call_id: 't1', cancelled: false } },
      { type: 'llm-function-call-stopped', data: { tool_call_id: 't2', cancelled: true } },
    ]);
  });

  test('times are told in seconds, those that there are', () => {
    const metrics = { turn: 1, modelMs: 120, totalMs: 500 };
    const narrator = new RtviNarrator(true);
    expect(narrator.tell(line('command', 'turn.metrics', { metrics }), NOW)).toEqual([
      {
        type: 'metrics',
        data: {
          ttfb: [{ processor: 'llm', value: 0.12 }],
          processing: [{ processor: 'turn', value: 0.5 }],
        },
      },
    ]);
  });

  test('status, end and faults are told; what else is in the journal is not', () => {
    expect(
      told([
        { type: 'status', status: 'ongoing' },
        { type: 'error', code: 'model-error', message: 'No answer.' },
        line('event', 'llm.text', { text: 'a draft' }),
        { type: 'mark', mark: 'm1' },
        { type: 'ended', reason: 'idle-timeout' },
      ]),
    ).toEqual(['server-message', 'error', 'server-message']);
  });
});
