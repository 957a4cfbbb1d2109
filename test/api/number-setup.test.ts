import { describe, expect, test } from 'vitest';
import { checkSetup, type SetupFacts } from '../../src/api/numbers/setup-checks.ts';
import type { CarrierName } from '../../src/ports/carrier.ts';

const VOICE = 'https://voice.example/carriers/twilio/voice';
const AT = new Date('2026-03-01T10:00:00Z');
const LATER = new Date('2026-03-01T11:00:00Z');

/** A number at Twilio to which calls arrive. */
const READY: SetupFacts = {
  provider: 'twilio',
  hasAccount: true,
  route: { value: { voiceUrl: VOICE } },
  publicUrl: 'https://voice.example',
  voiceUrl: VOICE,
  reached: { value: true },
  assistant: { name: 'Desk', problems: [] },
  inboundEnabled: true,
  arrivedAt: AT,
  refusedAt: null,
};
const found = (facts: Partial<SetupFacts>, check: string) =>
  checkSetup({ ...READY, ...facts }).find((one) => one.check === check);

describe('the set-up of a number', () => {
  test('has nothing to do where calls arrive, and gives no advice', () => {
    const checks = checkSetup(READY);
    expect(checks.map(({ check, state }) => [check, state])).toEqual([
      ['credentials', 'ok'],
      ['address', 'ok'],
      ['number', 'ok'],
      ['webhook', 'ok'],
      ['assistant', 'ok'],
      ['inbound', 'ok'],
      ['signature', 'ok'],
      ['arrival', 'ok'],
    ]);
    expect(checks.filter(({ help }) => help !== undefined)).toEqual([]);
    expect(found({}, 'arrival')?.at).toBe(AT.toISOString());
  });

  test.each<[CarrierName, readonly string[]]>([
    ['asterisk', ['credentials', 'listening', 'assistant', 'inbound', 'arrival']],
    ['emulator', ['assistant', 'inbound', 'arrival']],
  ])('at %s has only what matters there: %j', (provider, names) => {
    expect(checkSetup({ ...READY, provider }).map(({ check }) => check)).toEqual(names);
  });

  test.each<[string, Partial<SetupFacts>, string, string, RegExp]>([
    ['no account', { hasAccount: false, route: undefined }, 'credentials', 'failed', /none/],
    [
      'a refused account',
      { route: { problem: 'twilio refused: Authenticate', isRefused: true } },
      'credentials',
      'failed',
      /^twilio refused: Authenticate\.$/,
    ],
    [
      'a carrier that is away',
      { route: { problem: 'there was no answer in time' } },
      'credentials',
      'todo',
      /could not be asked/,
    ],
    ['the same', { route: { problem: 'away' } }, 'number', 'todo', /Not known/],
    ['the same', { route: { problem: 'away' } }, 'webhook', 'todo', /Not known/],
    [
      'an Asterisk that is away',
      { provider: 'asterisk', route: undefined, followed: { problem: 'away' } },
      'credentials',
      'failed',
      /^away\.$/,
    ],
    [
      'an Asterisk without a listener',
      { provider: 'asterisk', route: undefined, followed: { value: false } },
      'listening',
      'failed',
      /no listener/,
    ],
    ['no address', { publicUrl: undefined }, 'address', 'failed', /no public address/],
    ['an address of http', { publicUrl: 'http://voice.example' }, 'address', 'todo', /not https/],
    [
      'an address that is away',
      { reached: { problem: 'the host is unknown' }, arrivedAt: null },
      'address',
      'failed',
      /does not answer: the host is unknown/,
    ],
    [
      'an address that only carriers reach',
      { reached: { problem: 'timed out' } },
      'address',
      'todo',
      /but calls have come/,
    ],
    ['a number of others', { route: { value: undefined } }, 'number', 'failed', /not in this/],
    [
      'another webhook',
      { route: { value: { voiceUrl: 'https://old.example/voice' } } },
      'webhook',
      'failed',
      /https:\/\/old\.example\/voice instead of https:\/\/voice\.example/,
    ],
    ['no webhook', { route: { value: { voiceUrl: '' } } }, 'webhook', 'failed', /No address/],
    [
      'a SIP trunk',
      { route: { value: { voiceUrl: VOICE, obstacle: 'is set to a SIP trunk' } } },
      'webhook',
      'failed',
      /^The number is set to a SIP trunk\.$/,
    ],
    ['no assistant', { assistant: undefined }, 'assistant', 'failed', /none/],
    [
      'an assistant without a key',
      { assistant: { name: 'Desk', problems: ['openai needs a key'] } },
      'assistant',
      'failed',
      /Desk cannot take calls: openai needs a key\./,
    ],
    ['inbound off', { inboundEnabled: false }, 'inbound', 'failed', /off/],
    ['a refused request', { refusedAt: LATER }, 'signature', 'failed', /was refused/],
    ['nothing yet', { arrivedAt: null }, 'signature', 'todo', /No request/],
    ['nothing yet', { arrivedAt: null }, 'arrival', 'todo', /None/],
  ])('tells of %s (%#)', (_what, facts, check, state, message) => {
    const one = found(facts, check);
    expect(one).toMatchObject({ state, message: expect.stringMatching(message) });
    expect(one?.help).toMatch(/\w/);
  });

  test('an old refusal is over once a call has come', () => {
    expect(found({ refusedAt: AT, arrivedAt: LATER }, 'signature')?.state).toBe('ok');
  });
});
