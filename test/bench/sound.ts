import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeSynthetic } from '../../fixtures/audio/make-synthetic.ts';
import { type Outcome, SCENARIOS, Sounds } from '../support/sound-scenarios.ts';
import { SoundStage } from '../support/sound-stage.ts';
import type { Bench } from './main.ts';
import { quantiles } from './quantiles.ts';

const ROUNDS = 3;
/** The built-in voice makes one sentence at a time: calls that begin together would wait for each other. */
const STAGGER_MS = 800;
/** Absent where nothing was measured. */
const round = (value: number) => (Number.isNaN(value) ? undefined : Math.round(value));

function known(outcomes: readonly Outcome[], key: 'stopMs' | 'heldMs' | 'answerMs'): number[] {
  return outcomes.flatMap((outcome) => outcome[key] ?? []);
}

function runAll(stage: SoundStage, sounds: Sounds): Promise<Outcome[]> {
  return Promise.all(
    SCENARIOS.map(async (scenario, n) => {
      await delay(n * STAGGER_MS);
      return scenario.run(stage, sounds);
    }),
  );
}

export const bench: Bench = {
  about:
    'turn-taking by ear: calls in real time through real sockets, measured on what was heard, ms',
  async run({ scale }) {
    const folder = await mkdtemp(join(tmpdir(), 'parley-sounds-'));
    await makeSynthetic(folder);
    const sounds = new Sounds(folder);
    const stage = await SoundStage.start();
    const outcomes: Outcome[] = [];
    try {
      for (let n = 0; n < Math.max(1, Math.round(ROUNDS * scale)); n++)
        outcomes.push(...(await runAll(stage, sounds)));
    } finally {
      await stage[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
    const shown = SCENARIOS.map(({ name }) => {
      const own = outcomes.filter((outcome) => outcome.name === name);
      return {
        scenario: name,
        stop: round(quantiles(known(own, 'stopMs')).p50),
        held: round(quantiles(known(own, 'heldMs')).max),
        answer: round(quantiles(known(own, 'answerMs')).p50),
        lost: own.filter(({ lost }) => lost).length,
        'cut-ins': own.reduce((sum, { cutIns }) => sum + (cutIns ?? 0), 0),
      };
    });
    console.table(shown);
    const whole = outcomes.filter((outcome) => outcome.lost !== undefined);
    const disturbed = outcomes.filter(({ name }) => name !== 'nobody disturbs');
    const rows = {
      'barge-in to silence': quantiles(known(outcomes, 'stopMs')),
      'reply held by what was no barge-in': quantiles(known(disturbed, 'heldMs')),
      'end of speech to answer': quantiles(known(outcomes, 'answerMs')),
    };
    console.table(rows);
    const lost = whole.filter((outcome) => outcome.lost).length;
    console.log(`replies lost: ${lost} of ${whole.length}`);
    return { ...rows, lost, scenarios: shown };
  },
};
