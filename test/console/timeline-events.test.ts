import { expect, test } from 'vitest';
import type { JournalLine } from '../../src/console/calls/journal.ts';
import { timelineEventOf } from '../../src/console/calls/timeline-events.ts';

const AT = { seq: 7, atMs: 1500 };

function shown(type: string, data: object) {
  return timelineEventOf({ seq: 7, at: 1500, kind: 'event', type, data } as unknown as JournalLine);
}

const message = (role: string, text: string) => ({
  message: { messageId: 'm1', role, text, at: 900 },
});
const error = { message: 'the vendor is away' };
const failover = { vendor: 'deepgram', successor: 'offline', delayMs: 1240, error };

test.each<readonly [type: string, data: object, expected: object]>([
  ['leg.ringing', {}, { group: 'call', title: 'Ringing' }],
  ['leg.answered', {}, { group: 'call', title: 'Answered' }],
  ['status', { status: 'queued' }, { group: 'call', title: 'Queued' }],
  ['status', { status: 'forwarded' }, { group: 'call', title: 'Forwarded' }],
  ['media.resumed', {}, { group: 'call', title: 'Connection restored', tone: 'good' }],
  [
    'workflow.step',
    { from: 'greet', to: 'book', by: 'caller' },
    { group: 'call', title: 'Workflow: greet to book', detail: 'by caller' },
  ],
  [
    'finish',
    { status: 'finished', endReason: 'voice-failed', failure: { message: 'It has no voice.' } },
    { group: 'call', title: 'Ended: Voice failed', detail: 'It has no voice.', tone: 'bad' },
  ],
  ['log', { note: 'idle' }, { group: 'call', title: 'Idle' }],
  [
    'log',
    { note: 'idle', data: { text: 'Hello?' } },
    { group: 'call', title: 'Idle', detail: 'Hello?' },
  ],
  ['log', { note: 'idle', data: { n: 2 } }, { group: 'call', title: 'Idle', detail: '{"n":2}' }],
  [
    'transcript.append',
    message('user', 'Hi'),
    { group: 'turn', title: 'Caller', detail: 'Hi', atMs: 900, messageId: 'm1' },
  ],
  [
    'transcript.append',
    message('system', 'She is calm'),
    { group: 'turn', title: 'Note', detail: 'She is calm', atMs: 900 },
  ],
  [
    'turn.metrics',
    { metrics: { turn: 3, totalMs: 411.6 } },
    { group: 'turn', title: 'Reply started', detail: 'turn 3, after 412 ms' },
  ],
  ['play.hold', {}, { group: 'turn', title: 'Speech paused: the caller speaks' }],
  ['play.release', {}, { group: 'turn', title: 'Speech resumed' }],
  ['play.clear', {}, { group: 'turn', title: 'Barge-in: reply cut off', tone: 'warn' }],
  ['play.backchannel', { text: 'mhm' }, { group: 'turn', title: 'Backchannel', detail: 'mhm' }],
  ['dtmf', { digit: '#' }, { group: 'turn', title: 'Key #' }],
  ['beep', {}, { group: 'turn', title: 'Mailbox beep' }],
  ['tool.cancel', { toolCallId: 'c1' }, { group: 'tool', title: 'Tool cancelled', tone: 'warn' }],
  [
    'leg.dial',
    { name: 'Desk', to: '+49301' },
    { group: 'transfer', title: 'Transfer: dialling Desk', detail: '+49301' },
  ],
  [
    'leg.dial',
    { name: '', to: '+49301' },
    { group: 'transfer', title: 'Transfer: dialling +49301', detail: '+49301' },
  ],
  ['operator.ringing', {}, { group: 'transfer', title: 'Transfer: ringing' }],
  ['operator.answered', {}, { group: 'transfer', title: 'Transfer: answered' }],
  ['operator.accepted', {}, { group: 'transfer', title: 'Transfer: accepted', tone: 'good' }],
  ['operator.hungUp', {}, { group: 'transfer', title: 'Transfer: the operator hung up' }],
  [
    'operator.declined',
    { reason: 'busy' },
    { group: 'transfer', title: 'Transfer: declined', detail: 'busy', tone: 'warn' },
  ],
  [
    'operator.failed',
    { reason: 'no answer' },
    { group: 'transfer', title: 'Transfer: failed', detail: 'no answer', tone: 'bad' },
  ],
  [
    'leg.bridge',
    {},
    { group: 'transfer', title: 'Caller and operator are connected', tone: 'good' },
  ],
  ['leg.resume', {}, { group: 'transfer', title: "The operator's line is asked for again" }],
  ['hold.music', { on: true }, { group: 'transfer', title: 'Hold music' }],
  ['hold.music', { on: false }, { group: 'transfer', title: 'Hold music ends' }],
  [
    'control.say',
    { text: 'One moment' },
    { group: 'control', title: 'Control: say', detail: 'One moment' },
  ],
  [
    'control.forward',
    { to: '+49301' },
    { group: 'control', title: 'Control: transfer', detail: '+49301' },
  ],
  ['control.forward', {}, { group: 'control', title: 'Control: transfer' }],
  ['control.dtmf', { digits: '12' }, { group: 'control', title: 'Control: tones', detail: '12' }],
  ['control.end', { text: 'Bye' }, { group: 'control', title: 'Control: end', detail: 'Bye' }],
  ['control.end', {}, { group: 'control', title: 'Control: end' }],
  [
    'control.addMessage',
    { text: 'Be brief' },
    { group: 'control', title: 'Control: whisper to assistant', detail: 'Be brief' },
  ],
  ['control.mute', { who: 'user', on: true }, { group: 'control', title: 'Control: user muted' }],
  [
    'control.mute',
    { who: 'assistant', on: false },
    { group: 'control', title: 'Control: assistant unmuted' },
  ],
  [
    'supervisor.join',
    { by: 'Ada' },
    { group: 'control', title: 'Ada has taken over', tone: 'warn' },
  ],
  ['supervisor.leave', {}, { group: 'control', title: 'Given back to the assistant' }],
  [
    'control.refused',
    { reason: 'not now' },
    { group: 'control', title: 'Control: refused', detail: 'not now', tone: 'warn' },
  ],
  [
    'leg.failed',
    { reason: 'not found' },
    { group: 'fault', title: 'Could not be reached', detail: 'not found', tone: 'bad' },
  ],
  ['media.lost', {}, { group: 'fault', title: 'Connection lost', tone: 'bad' }],
  ['process.lost', {}, { group: 'fault', title: 'The process of the call ended', tone: 'bad' }],
  ...(
    [
      ['stt.error', 'Transcription failed'],
      ['llm.error', 'Model failed'],
      ['tts.failed', 'Voice failed'],
    ] as const
  ).map(
    ([type, title]) =>
      [type, { error }, { group: 'fault', title, detail: error.message, tone: 'bad' }] as const,
  ),
  [
    'vendor.failover',
    failover,
    {
      group: 'fault',
      title: 'offline took over',
      detail: 'the vendor is away (after 1.2 s)',
      tone: 'warn',
    },
  ],
  [
    'vendor.failover',
    { ...failover, successor: 'deepgram' },
    {
      group: 'fault',
      title: 'deepgram was retried',
      detail: 'the vendor is away (after 1.2 s)',
      tone: 'warn',
    },
  ],
  ['webhook', { kind: 'hang' }, { group: 'fault', title: 'No answer for 5 seconds', tone: 'warn' }],
  ['failure', error, { group: 'fault', title: 'Failure', detail: error.message, tone: 'bad' }],
  [
    'call.crashed',
    { at: 3 },
    { group: 'fault', title: 'Internal error', detail: '{"at":3}', tone: 'bad' },
  ],
])('%s is shown to people (%o)', (type, data, expected) => {
  expect(shown(type, data)).toEqual({ ...AT, ...expected });
});

test.each<readonly [type: string, data: object]>([
  ['status', { status: 'ongoing' }],
  ['status', { status: 'finished' }],
  ['transcript.append', message('assistant', 'Hello')],
  ['turn.metrics', { metrics: { turn: 1 } }],
  ['llm.toolCall', { name: 'book' }],
  ['webhook', { kind: 'status-update' }],
  ['audio.level', {}],
])('%s is not shown, since it says nothing or something else says it (%o)', (type, data) => {
  expect(shown(type, data)).toBeUndefined();
});
