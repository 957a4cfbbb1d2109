import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSynthetic } from '../../fixtures/audio/make-synthetic.ts';
import { CLOSED, FAULTS, UNLISTED } from '../support/sound-faults.ts';
import { type Outcome, SCENARIOS, type Scenario, Sounds } from '../support/sound-scenarios.ts';
import { SoundStage } from '../support/sound-stage.ts';
import { startTestService } from '../support/test-service.ts';

// Real time on a machine that does other things as well: bounds are wide here, `npm run bench -- sound` has
// the figures.
/** More calls than this keep two cores too busy to be in time. */
const AT_ONCE = 8;
const STOP_MS = 1500;
const HELD_MS = 3000;
const ANSWER_MS = 4000;

let folder: string;
let stage: SoundStage;
const outcomes = new Map<string, Promise<Outcome>>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-sounds-'));
  await makeSynthetic(folder);
  stage = await SoundStage.start(startTestService);
  const queue = new PQueue({ concurrency: AT_ONCE });
  for (const scenario of [...SCENARIOS, ...FAULTS]) {
    const outcome = queue.add(() => scenario.run(stage, new Sounds(folder)));
    // Each is awaited by its own test.
    outcome.catch(() => undefined);
    outcomes.set(scenario.name, outcome);
  }
});

afterAll(async () => {
  await Promise.allSettled(outcomes.values());
  await stage?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const looked = new Set<string>();

/** What became of a scenario. A test that is tried again has it played again, with nothing beside it. */
async function outcome(name: string): Promise<Outcome> {
  if (!looked.has(name)) {
    looked.add(name);
    return outcomes.get(name) as Promise<Outcome>;
  }
  await Promise.allSettled(outcomes.values());
  const scenario = [...SCENARIOS, ...FAULTS].find((one) => one.name === name) as Scenario;
  return scenario.run(stage, new Sounds(folder));
}

const namesOf = (scenarios: typeof SCENARIOS) => scenarios.map(({ name }) => name);
const named = (part: string) => namesOf(SCENARIOS).filter((name) => name.includes(part));
const REPLY = /^assistant: We are open from nine to five .* right next to the post office\.$/;

describe('on real sound through real sockets', () => {
  test.each(named('barge-in').filter((name) => !name.includes('98')))(
    '[B2] [B3] [B10] [H4] %s: the reply stops, the record has what was heard, the caller is answered',
    async (name) => {
      const { stopMs, answerMs, messages } = await outcome(name);
      expect(stopMs).toBeLessThan(STOP_MS);
      expect(answerMs).toBeLessThan(ANSWER_MS);
      expect(messages).toHaveLength(4);
      expect(messages[1]).toMatch(/^assistant: We are open/);
      expect(messages[1]).not.toMatch(REPLY);
      expect(messages[2]).toBe('user: What your country can do for you?');
    },
  );

  test('[B13] barge-in at 98 %: the reply is let finish, and the caller is answered', async () => {
    const { lost, messages } = await outcome('barge-in at 98 %');
    expect(lost).toBe(false);
    expect(messages[1]).toMatch(REPLY);
    expect(messages).toHaveLength(4);
  });

  test.each([
    'nobody disturbs',
    'cough',
    'mm-hm',
    'yeah',
    ...named('line noise 15'),
    ...named('echo'),
  ])(
    '[B6] [B15] [C9] %s over the reply: it is heard to its end, and nobody is answered for it',
    async (name) => {
      const { lost, heldMs, messages } = await outcome(name);
      expect(lost).toBe(false);
      expect(heldMs).toBeLessThan(HELD_MS);
      expect(messages[1]).toMatch(REPLY);
      expect(messages).toHaveLength(2);
    },
  );

  test.each(named('television'))(
    '[L1] [L3] %s: the caller is answered, and the reply is heard to its end',
    async (name) => {
      const { answerMs, lost, heldMs, messages } = await outcome(name);
      expect(answerMs).toBeLessThan(ANSWER_MS);
      expect(lost).toBe(false);
      expect(heldMs).toBeLessThan(HELD_MS);
      expect(messages[1]).toMatch(REPLY);
      expect(messages).toHaveLength(2);
    },
  );

  test.each(['pauses within a sentence', 'slow digits'])(
    '[N4] [N5] %s: nothing is said into the turn, and it stays one turn',
    async (name) => {
      const { cutIns, answerMs, messages } = await outcome(name);
      expect(cutIns).toBe(0);
      expect(answerMs).toBeLessThan(ANSWER_MS);
      expect(messages.filter((line) => line.startsWith('user:'))).toHaveLength(1);
    },
  );

  test('[W1] a question before a slow welcome is answered, and the welcome is not said', async () => {
    const { answerMs, messages } = await outcome('a question before a slow welcome');
    expect(answerMs).toBeLessThan(ANSWER_MS);
    expect(messages).toEqual([
      'user: Where are you located?',
      'assistant: It is behind the old railway station.',
    ]);
  });

  test('[K1] [E6] a voice that stalls is followed by the next one, and the record has what was heard', async () => {
    const { answerMs, messages } = await outcome('a voice that stalls, beside another');
    expect(answerMs).toBeLessThan(ANSWER_MS);
    expect(messages.at(-1)).toBe('assistant: It is behind the old railway station.');
    expect(messages.join(' ')).not.toContain('but Sunday');
  });

  test('[E6] a voice that stalls twice ends the call where the assistant says so', async () => {
    const { endReason, messages } = await outcome('a voice that stalls twice');
    expect(endReason).toBe('voice-failed');
    expect(messages.join(' ')).not.toMatch(/nobody hears|as long/);
  });

  test.each(namesOf(CLOSED))('[N6] %s is a closed sentence and not a hesitation', async (name) => {
    const { endpointMs, messages } = await outcome(name);
    expect(endpointMs).toBeLessThan(1000);
    expect(messages).toHaveLength(2);
  });

  test.each(namesOf(UNLISTED))(
    '[B16] %s over the reply, a backchannel in no list: it is heard to its end',
    async (name) => {
      const { lost, messages } = await outcome(name);
      expect(lost).toBe(false);
      expect(messages[1]).toMatch(REPLY);
      expect(messages).toHaveLength(2);
    },
  );

  test('[C9] a voice without word times does not interrupt itself by its echo', async () => {
    const { lost, messages } = await outcome('echo of a voice without word times');
    expect(lost).toBe(false);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatch(/^assistant: Unless .* ill-disposed\.$/);
  });
});
