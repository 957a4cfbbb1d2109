import { expect, test } from 'vitest';
import { directEvents } from '../../src/engine/machine/direct-events.ts';
import { callMachine } from '../../src/engine/machine/machine.ts';

const direct = directEvents(callMachine);

test('what only the root hears, and what leads nowhere, is done without asking the states', () => {
  expect([...direct.keys()]).toEqual(
    expect.arrayContaining(['play.mark', 'play.finished', 'llm.text', 'tts.audio', 'dtmf']),
  );
});

test('what a state hears in its own way is left to the statechart', () => {
  for (const { events } of Object.values(callMachine.root.states))
    for (const type of events) expect(direct.has(type)).toBe(false);
  // The root hears it as well, a state otherwise.
  expect(callMachine.root.transitions.has('system.end')).toBe(true);
  expect(direct.has('system.end')).toBe(false);
});

test('every other event of the root is among them', () => {
  const heard = new Set(Object.values(callMachine.root.states).flatMap(({ events }) => events));
  const own = [...callMachine.root.transitions.keys()].filter((type) => !heard.has(type as never));
  expect([...direct.keys()]).toEqual(own);
});
