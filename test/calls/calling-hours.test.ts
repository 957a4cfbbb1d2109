import { DateTime } from 'luxon';
import { describe, expect, test } from 'vitest';
import { judgeHours, timeZonesOf } from '../../src/calls/calling-hours.ts';
import { asksNotToBeCalled } from '../../src/calls/do-not-call-words.ts';
import { CallingHoursSchema } from '../../src/contract/do-not-call.ts';

const hours = (settings: object = {}) => CallingHoursSchema.parse({ enabled: true, ...settings });
const at = (text: string) => DateTime.fromISO(text, { zone: 'utc' }).toMillis();

describe('calling hours', () => {
  test('follow the clocks of the called number, which change in spring and autumn', () => {
    const zones = ['Europe/Madrid'];
    // 08:00 there is 07:00 UTC in winter and 06:00 UTC in summer.
    for (const [instant, judged] of [
      ['2026-03-28T06:59:59Z', 'outside-calling-hours'],
      ['2026-03-28T07:00:00Z', 'open'],
      ['2026-03-29T05:59:59Z', 'outside-calling-hours'],
      ['2026-03-29T06:00:00Z', 'open'],
      ['2026-10-24T06:00:00Z', 'open'],
      ['2026-10-25T06:59:59Z', 'outside-calling-hours'],
      ['2026-10-25T07:00:00Z', 'open'],
      ['2026-10-25T19:59:59Z', 'open'],
      ['2026-10-25T20:00:00Z', 'outside-calling-hours'],
    ] as const)
      expect(judgeHours(hours(), { zones, atMs: at(instant) }), instant).toBe(judged);
  });

  test('are those of all zones in which a number may be', () => {
    const zones = ['America/New_York', 'America/Los_Angeles'];
    const judge = (instant: string) => judgeHours(hours(), { zones, atMs: at(instant) });
    expect(judge('2026-06-01T14:00:00Z')).toBe('outside-calling-hours');
    expect(judge('2026-06-01T15:00:00Z')).toBe('open');
    expect(judge('2026-06-02T01:00:00Z')).toBe('outside-calling-hours');
  });

  test('count days by the date there, and a zone of the settings before that of the number', () => {
    const monday = hours({ days: ['monday'], from: '00:00', to: '24:00' });
    const zones = ['Pacific/Auckland'];
    expect(judgeHours(monday, { zones, atMs: at('2026-06-07T20:00:00Z') })).toBe('open');
    expect(judgeHours(monday, { zones, atMs: at('2026-06-08T20:00:00Z') })).toBe(
      'outside-calling-hours',
    );
    const home = hours({ timeZone: 'Europe/London' });
    expect(judgeHours(home, { zones, atMs: at('2026-06-08T12:00:00Z') })).toBe('open');
  });

  test('are open if they are off, and refuse where no zone is known', () => {
    expect(judgeHours(hours({ enabled: false }), { zones: [], atMs: 0 })).toBe('open');
    expect(judgeHours(hours(), { zones: [], atMs: 0 })).toBe('unknown-time-zone');
  });

  test('are refused if they end before they begin, or name no zone', () => {
    expect(CallingHoursSchema.safeParse({ from: '21:00', to: '08:00' }).success).toBe(false);
    expect(CallingHoursSchema.safeParse({ timeZone: 'Mars/Olympus' }).success).toBe(false);
    expect(CallingHoursSchema.safeParse({ from: '8:00' }).success).toBe(false);
  });
});

test.each([
  ['+34912345678', ['Europe/Madrid']],
  ['+442079460958', ['Europe/London']],
  ['+14155552671', ['America/Los_Angeles']],
  ['+12085551234', ['America/Boise', 'America/Los_Angeles']],
])('%s is in %j', async (number, zones) => {
  expect(await timeZonesOf(number)).toEqual(zones);
});

test('a toll-free number may be anywhere in its numbering plan, and a number of no country nowhere', async () => {
  expect((await timeZonesOf('+18005551234')).length).toBeGreaterThan(10);
  expect(await timeZonesOf('+9991234567')).toEqual([]);
});

test.each([
  ['en', "Please don't call me again!", true],
  ['en-GB', 'Take me off your list, will you', true],
  ['en', "Don't call me Al", false],
  ['es', 'Por favor no me llamen más', true],
  ['fr', "Ne m'appelez plus s'il vous plaît", true],
  ['de', 'Bitte rufen Sie mich nicht mehr an.', true],
  ['de', "Please don't call me again", false],
  ['pl', 'proszę więcej nie dzwonić', true],
])('%s: "%s" asks not to be called again: %s', (language, text, asks) => {
  expect(asksNotToBeCalled(text, [language])).toBe(asks);
});
