import { describe, expect, test } from 'vitest';
import { CalendarConfigSchema, WEEKDAYS } from '../../src/contract/calendar.ts';
import { freeSlots } from '../../src/tools/appointment/slots.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import fc from '../support/properties.ts';

const calendar = (changes: object = {}) => CalendarConfigSchema.parse({ name: 'Desk', ...changes });
const ms = (iso: string) => Date.parse(iso);
// A Monday.
const NOW = ms('2027-03-01T06:00:00Z');
const starts = (slots: readonly { readonly startMs: number }[]) =>
  slots.map(({ startMs }) => new Date(startMs).toISOString().slice(5, 16));

describe('the free slots of a calendar', () => {
  test('follow the opening hours, and end before they do', () => {
    const hours = {
      monday: [
        { from: '09:00', to: '10:20' },
        { from: '14:00', to: '15:00' },
      ],
    };
    const slots = freeSlots(calendar({ openingHours: hours }), [], {
      nowMs: NOW,
      fromDate: '2027-03-01',
      days: 7,
    });
    expect(starts(slots)).toEqual(['03-01T09:00', '03-01T09:30', '03-01T14:00', '03-01T14:30']);
  });

  test('leave out what is full, too soon, too far or closed', () => {
    const busy = calendar({
      openingHours: {
        monday: [{ from: '07:00', to: '09:00' }],
        tuesday: [{ from: '09:00', to: '10:00' }],
        wednesday: [{ from: '09:00', to: '10:00' }],
      },
      leadMinutes: 90,
      horizonDays: 7,
      closedDates: ['2027-03-02'],
    });
    const booked = [{ startMs: ms('2027-03-03T09:15:00Z'), endMs: ms('2027-03-03T09:45:00Z') }];
    const slots = freeSlots(busy, booked, { nowMs: NOW, fromDate: '2027-03-01', days: 30 });
    expect(starts(slots)).toEqual([
      '03-01T07:30',
      '03-01T08:00',
      '03-01T08:30',
      '03-08T07:00',
      '03-08T07:30',
      '03-08T08:00',
      '03-08T08:30',
    ]);
  });

  test('hold as many as the capacity', () => {
    const two = calendar({
      capacity: 2,
      openingHours: { monday: [{ from: '09:00', to: '09:30' }] },
    });
    const one = { startMs: ms('2027-03-01T09:00:00Z'), endMs: ms('2027-03-01T09:30:00Z') };
    const range = { nowMs: NOW, fromDate: '2027-03-01', days: 1 };
    expect(freeSlots(two, [one], range)).toMatchObject([{ left: 1 }]);
    expect(freeSlots(two, [one, one], range)).toEqual([]);
  });

  test('are those of the clock on the wall on the days on which clocks change', () => {
    const night = calendar({
      timezone: 'Europe/Berlin',
      slotMinutes: 60,
      leadMinutes: 0,
      openingHours: { sunday: [{ from: '00:00', to: '04:00' }] },
    });
    const at = (fromDate: string) =>
      freeSlots(night, [], { nowMs: ms('2027-03-20T00:00:00Z'), fromDate, days: 1 });
    // Forward: three hours; the hour from two to three is not there.
    expect(starts(at('2027-03-28'))).toEqual(['03-27T23:00', '03-28T00:00', '03-28T01:00']);
    const autumn = freeSlots(night, [], {
      nowMs: ms('2027-10-20T00:00:00Z'),
      fromDate: '2027-10-31',
      days: 1,
    });
    expect(autumn).toHaveLength(5);
  });

  test('never overlap what fills them, and never each other', () => {
    const span = fc.record({
      at: fc.integer({ min: 0, max: 5 * 24 * 60 }),
      minutes: fc.integer({ min: 5, max: 240 }),
    });
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 30 }),
        fc.integer({ min: 5, max: 180 }),
        fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia'),
        (spans, slotMinutes, timezone) => {
          const booked = spans.map(({ at, minutes }) => ({
            startMs: NOW + at * 60_000,
            endMs: NOW + (at + minutes) * 60_000,
          }));
          const slots = freeSlots(calendar({ slotMinutes, timezone }), booked, {
            nowMs: NOW,
            fromDate: '2027-03-01',
            days: 5,
          });
          for (const [i, slot] of slots.entries()) {
            expect(slot.startMs).toBeGreaterThanOrEqual(NOW + 3_600_000);
            expect(slot.endMs - slot.startMs).toBe(slotMinutes * 60_000);
            expect(booked.some((b) => b.startMs < slot.endMs && slot.startMs < b.endMs)).toBe(
              false,
            );
            const next = slots[i + 1];
            if (next) expect(next.startMs).toBeGreaterThanOrEqual(slot.endMs);
          }
        },
      ),
      { numRuns: 300, seed: 3 },
    );
  });

  test('count what is booked as comparing each slot with each booking would', () => {
    const open = calendar({
      openingHours: { monday: [{ from: '00:00', to: '24:00' }] },
      slotMinutes: 30,
      capacity: 5,
    });
    const day = { nowMs: ms('2027-02-28T00:00:00Z'), fromDate: '2027-03-01', days: 1 };
    const minute = fc.integer({ min: -60, max: 25 * 60 });
    const booking = fc.tuple(minute, fc.integer({ min: 1, max: 180 }));
    fc.assert(
      fc.property(fc.array(booking, { maxLength: 40 }), (minutes) => {
        const booked = minutes.map(([from, length]) => ({
          startMs: ms('2027-03-01T00:00:00Z') + from * 60_000,
          endMs: ms('2027-03-01T00:00:00Z') + (from + length) * 60_000,
        }));
        const left = new Map(freeSlots(open, booked, day).map((slot) => [slot.startMs, slot.left]));
        for (const slot of freeSlots(open, [], day)) {
          const taken = booked.filter(
            (other) => other.startMs < slot.endMs && slot.startMs < other.endMs,
          );
          expect(left.get(slot.startMs) ?? 0).toBe(Math.max(0, 5 - taken.length));
        }
      }),
    );
  });

  test('are found in a moment, however much is booked', () => {
    const hours = [{ from: '00:00', to: '24:00' }];
    const busy = calendar({
      openingHours: Object.fromEntries(WEEKDAYS.map((day) => [day, hours])),
      slotMinutes: 5,
      capacity: 1000,
    });
    const booked = Array.from({ length: 20_000 }, (_, index) => ({
      startMs: NOW + index * 100_000,
      endMs: NOW + index * 100_000 + 300_000,
    }));
    const range = { nowMs: NOW, fromDate: '2027-03-01', days: 62 };
    let found = 0;
    const cpuMs = cpuMsOf(() => {
      found = freeSlots(busy, booked, range).length;
    });
    expect(found).toBeGreaterThan(17_000);
    // 1.5 s where each slot was compared with each booking.
    expect(cpuMs).toBeLessThan(400);
  });
});
