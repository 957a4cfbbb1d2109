import { describe, expect, test } from 'vitest';
import { ENGINE_VERSION } from '../../src/engine/machine/call.ts';
import {
  type Checkpoint,
  type RestoredCall,
  restoreCall,
  restoreFrom,
} from '../../src/engine/machine/replay.ts';
import { finish } from '../../src/lib/steps.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { Random } from '../bench/turns/random.ts';
import { isLong, runs, testSeed } from '../support/effort.ts';
import { readJournals } from '../support/journal-fixtures.ts';
import { cutsOf } from '../support/killed-call.ts';
import fc from '../support/properties.ts';
import { conversation, converse } from '../support/random-conversation.ts';

const SEED = testSeed(4);
const CONVERSATIONS = runs({ usual: 20, long: 500 });

/** As a store gives it back. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

const checkpointAfter = (lines: readonly JournalLine[], cut: number): Checkpoint => {
  const { call, form, ...rest } = finish(restoreCall(lines.slice(0, cut + 1)));
  const checkpoint = stored({
    engineVersion: ENGINE_VERSION,
    ...{ last: rest.last, startedAtMs: rest.startedAtMs, messages: rest.messages },
    ...{ call: call.snapshot, form: form.snapshot },
  });
  call.stop();
  return checkpoint;
};

/** Everything by which a call goes on. */
const whatIsKnown = ({ call, form, commands: _, ...rest }: RestoredCall) => {
  call.stop();
  return stored({ ...rest, form: form.snapshot });
};

/** From there it takes every decision of the journal again, and ends as the whole does. */
function leadsToTheSame(name: string, lines: readonly JournalLine[], cut: number): void {
  const whole = finish(restoreCall(lines));
  const soon = finish(restoreFrom(checkpointAfter(lines, cut), lines.slice(cut)));
  const when = `${name}, checkpoint after line ${cut}`;
  expect(stored(soon.call.snapshot), when).toEqual(stored(whole.call.snapshot));
  expect(whatIsKnown(soon), when).toEqual(whatIsKnown(whole));
}

describe('a checkpoint of a call', () => {
  test.each(readJournals())('leads to the same as the whole journal of %s', (name, lines) => {
    const chance = new Random(SEED).fork(name);
    for (const cut of cutsOf(lines))
      if (isLong || chance.chance(0.1)) leadsToTheSame(name, lines, cut);
  });

  test(`and of ${CONVERSATIONS} random conversations`, () => {
    const chance = new Random(SEED);
    for (const said of fc.sample(conversation, { seed: SEED, numRuns: CONVERSATIONS })) {
      const { journal, call } = converse(said);
      call.stop();
      leadsToTheSame('a conversation', journal, chance.pick(cutsOf(journal)));
    }
  });

  test('is of use only with its own engine and its own journal', () => {
    const [, lines] = readJournals()[0] as readonly [string, readonly JournalLine[]];
    const cut = cutsOf(lines).at(-5) as number;
    const checkpoint = checkpointAfter(lines, cut);
    const from = (changed: Partial<Checkpoint>, following = lines.slice(cut)) =>
      finish(restoreFrom({ ...stored(checkpoint), ...changed }, following));
    expect(() => from({ engineVersion: '0' })).toThrow(/another engine/);
    expect(() => from({}, lines.slice(cut + 1))).toThrow(/another journal/);
    expect(() => from({}, [])).toThrow(/another journal/);
    const other = { ...checkpoint.call.state.settings, systemPrompt: 'Another.' };
    const asksTheModel = lines.findIndex(({ type }) => type === 'llm.start');
    const early = checkpointAfter(lines, cutsOf(lines).findLast((i) => i < asksTheModel) ?? 0);
    expect(() =>
      finish(
        restoreFrom(
          { ...early, call: { ...early.call, state: { ...early.call.state, settings: other } } },
          lines.slice(early.last.seq),
        ),
      ),
    ).toThrow(/decides otherwise/);
  });
});
