import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSynthetic } from '../../fixtures/audio/make-synthetic.ts';
import { type Outcome, SCENARIOS, Sounds } from '../support/sound-scenarios.ts';
import { SoundStage } from '../support/sound-stage.ts';
import type { Bench } from './main.ts';
import { quantiles } from './quantiles.ts';

const ROUNDS = 3;
const round = (value: number | undefined) => (value === undefined ? undefined : Math.round(value));

function known(outcomes: readonly Outcome[], key: 'stopMs' | 'heldMs' | 'answerMs'): number[] {
  return outcomes.flatMap((outcome) => outcome[key] ?? []);
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
        outcomes.push(...(await Promise.all(SCENARIOS.map((it) => it.run(stage, sounds)))));
    } finally {
      await stage[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
    const shown = SCENARIOS.map(({ name }) => {
      const own = outcomes.filter((outcome) => outcome.name === name);
      return {
        scenario: name,
        stop: round(quantiles(known(own, 'stopMs')).p50 || undefined),
        held: round(quantiles(known(own, 'heldMs')).max),
        answer: round(quantiles(known(own, 'answerMs')).p50),
        lost: own.filter(({ lost }) => lost).length,
        'cut-ins': own.reduce((sum, { cutIns }) => sum + (cutIns ?? 0), 0),
      };
    });
    console.table(shown);
    const disturbed = outcomes.filter(({ heldMs }) => heldMs !== undefined);
    const rows = {
      'barge-in to silence': quantiles(known(outcomes, 'stopMs')),
      'reply held by what was no barge-in': quantiles(known(disturbed, 'heldMs')),
      'end of speech to answer': quantiles(known(outcomes, 'answerMs')),
    };
    console.table(rows);
    const lost = outcomes.filter((outcome) => outcome.lost).length;
    console.log(`replies lost: ${lost} of ${disturbed.length}`);
    return { ...rows, lost, scenarios: shown };
  },
};
