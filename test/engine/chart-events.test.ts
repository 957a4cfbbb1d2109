import { expect, test } from 'vitest';
import { CHART_EVENTS } from '../../src/engine/machine/chart-events.ts';
import { DATA_EVENTS } from '../../src/engine/machine/data-events.ts';
import { callMachine } from '../../src/engine/machine/machine.ts';

test('the statechart hears exactly the events that are listed as its own', () => {
  // It hears this one by what it does after every event: it looks who has the floor.
  const listed = CHART_EVENTS.filter((type) => type !== 'internal.floor');
  expect(callMachine.events.toSorted()).toEqual(listed.toSorted());
});

test("no event is both the statechart's and the table of data events'", () => {
  expect(CHART_EVENTS.filter((type) => type in DATA_EVENTS)).toEqual([]);
});
