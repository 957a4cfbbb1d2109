import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { CalendarConfigSchema } from '../../src/contract/calendar.ts';
import { listBooked } from '../../src/store/appointments.ts';
import { type CalendarRecord, createCalendar } from '../../src/store/calendars.ts';
import { createAppointmentTools } from '../../src/tools/appointment/appointment-tools.ts';
import { MAX_BOOKED } from '../../src/tools/appointment/booking.ts';
import { createToolRunner } from '../../src/tools/hosted-tool.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { withDatabase } from '../support/postgres.ts';

const clock = new ManualClock(Date.parse('2027-03-01T06:00:00Z'));
const log = { debug() {}, info() {}, warn() {}, error() {} };
const MONDAY = '2027-03-01T09:00';
const TUESDAY = '2027-03-02T09:30';

withDatabase('the appointment tools', ({ db, newTeam }) => {
  let teamId: string;
  let calendar: CalendarRecord;
  let calls = 0;
  const newDesk = async (capacity = 1) => {
    teamId = await newTeam();
    const config = CalendarConfigSchema.parse({ name: 'Desk', capacity });
    calendar = await createCalendar(db(), { teamId, config });
  };
  beforeAll(() => newDesk());

  /** The tools as one caller's model has them. */
  const caller = (callerNumber: string | null = '+14155550123', callId = `WC-${++calls}`) => {
    const runner = createToolRunner(
      createAppointmentTools({
        db: db(),
        clock,
        log,
        teamId,
        assistantId: null,
        callerNumber,
        language: 'en-US',
      }),
    );
    let n = 0;
    return async (name: string, args: Record<string, unknown> = {}, toolCallId = `t${++n}`) => {
      const { signal } = new AbortController();
      expect(await runner.check?.(name, args, signal)).toBeUndefined();
      const outcome = await runner.invoke({
        callId,
        toolCallId,
        name,
        arguments: args,
        signal,
      });
      return outcome.ok ? JSON.parse(outcome.result) : { error: outcome.error };
    };
  };
  const booked = () =>
    listBooked(db(), {
      calendarId: calendar.id,
      from: new Date(0),
      to: new Date('2100-01-01'),
      limit: 100,
    });

  test('a caller looks for a time, books it, moves it and cancels it', async () => {
    await newDesk();
    const ask = caller();
    const { now, free } = await ask('appointmentSlots', { days: 2, partOfDay: 'morning' });
    expect(now).toBe('Monday, 2027-03-01T06:00');
    expect(free[0]).toEqual({ start: MONDAY, say: 'Monday, March 1 at 9:00 AM' });
    const made = await ask('appointmentBook', { start: MONDAY, name: 'Ada' });
    expect(made).toMatchObject({
      status: 'booked',
      start: MONDAY,
      reference: expect.stringMatching(/^[A-Z0-9]{5}$/),
    });
    expect((await ask('appointmentSlots', { days: 1 })).free[0].start).not.toBe(MONDAY);
    expect(await ask('appointmentFind')).toMatchObject({
      appointments: [{ reference: made.reference }],
    });
    expect(await ask('appointmentMove', { newStart: TUESDAY })).toMatchObject({
      status: 'moved',
      start: TUESDAY,
    });
    const spelled = made.reference.toLowerCase().split('').join(' ');
    expect(await caller(null)('appointmentCancel', { reference: spelled })).toMatchObject({
      status: 'cancelled',
    });
    expect(await booked()).toEqual([]);
  });

  test('of a calendar fuller than is read, what lies beyond the last one read is not free', async () => {
    await newDesk();
    await db().execute(sql`
      insert into appointments (id, calendar_id, reference, status, start_at, end_at, name, phone,
        notes, created_at, updated_at)
      select 'many-' || n, ${calendar.id}, 'R' || n, 'booked', '2027-03-02T09:30Z',
        '2027-03-02T10:00Z', 'Eve', '', '', now(), now()
      from generate_series(1, ${MAX_BOOKED}) as n`);
    const { free } = await caller()('appointmentSlots', { days: 5, partOfDay: 'morning' });
    const starts = free.map(({ start }: { start: string }) => start);
    expect(starts[0]).toBe(MONDAY);
    expect(starts.filter((start: string) => start >= TUESDAY)).toEqual([]);
    const error = (await caller()('appointmentBook', { start: '2027-03-03T09:00', name: 'Ada' }))
      .error;
    expect(error).toContain('not free');
  });

  test('the same tool call again books nothing more, and neither does the same wish', async () => {
    await newDesk(5);
    const ask = caller('+1', 'WC-again');
    const first = await ask('appointmentBook', { start: MONDAY, name: 'Ada' }, 'same');
    expect(
      await caller('+1', 'WC-again')('appointmentBook', { start: TUESDAY, name: 'Ada' }, 'same'),
    ).toEqual(first);
    expect(await ask('appointmentBook', { start: MONDAY, name: 'Ada' })).toEqual(first);
    expect(await booked()).toHaveLength(1);
  });

  test('of many who want the last place at once, as many get it as there is room', async () => {
    await newDesk(3);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        caller(`+1${i}`)('appointmentBook', { start: MONDAY, name: `N${i}` }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'booked')).toHaveLength(3);
    expect(
      outcomes.filter(({ error }) =>
        String(error).includes('not free; free near it: 2027-03-01T09:30'),
      ),
    ).toHaveLength(9);
    expect(await booked()).toHaveLength(3);
  });

  test.each<[string, string, Record<string, unknown>, RegExp]>([
    [
      'a time that is no slot',
      'appointmentBook',
      { start: '2027-03-01T09:10', name: 'A' },
      /not free/,
    ],
    ['a time that is none', 'appointmentBook', { start: 'soon', name: 'A' }, /no time such as/],
    ['the past', 'appointmentBook', { start: '2020-03-02T09:00', name: 'A' }, /not free/],
    ['an unknown reference', 'appointmentCancel', { reference: 'ZZZZZ' }, /no appointment with/],
    ['nothing of their own', 'appointmentMove', { newStart: TUESDAY }, /ask for the reference/],
  ])('%s is refused in words for the model', async (_what, name, args, error) => {
    await newDesk();
    expect(await caller()(name, args)).toEqual({ error: expect.stringMatching(error) });
  });

  test("another caller's appointment is not found by their own number", async () => {
    await newDesk();
    await caller('+1 (415) 555-0100')('appointmentBook', { start: MONDAY, name: 'Ada' });
    expect(await caller('+14155550199')('appointmentFind')).toEqual({ appointments: [] });
    expect((await caller('+14155550100')('appointmentFind')).appointments).toHaveLength(1);
  });

  test('without a calendar the model is told so', async () => {
    teamId = await newTeam();
    expect(await caller()('appointmentSlots')).toEqual({
      error: expect.stringContaining('no calendar is set up'),
    });
  });
});
