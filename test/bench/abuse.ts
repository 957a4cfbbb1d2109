import { ATTACKS } from './abuse/attacks.ts';
import { attackRows, resultsTable, windowRows } from './abuse/results.ts';
import { type AbuseRound, QUIET, runRound } from './abuse/round.ts';
import type { Bench } from './main.ts';
import { writeMeasured } from './measured.ts';

const CALLS = 50;
/** Of each attack. */
const SECONDS = 6;
const SETTLE_SECONDS = 15;

function refuseUnknown(attacks: readonly string[]): void {
  const unknown = attacks.find((name) => name !== QUIET && !(name in ATTACKS));
  if (unknown === undefined) return;
  const known = [QUIET, ...Object.keys(ATTACKS)].join(', ');
  throw new Error(`There is no attack "${unknown}"; there are ${known}`);
}

export const bench: Bench = {
  about: 'a hostile team beside the calls of another, one attack after the other',
  async run(options) {
    const attacks = options.attacks ?? Object.keys(ATTACKS);
    refuseUnknown(attacks);
    const calls = options.calls?.[0] ?? CALLS;
    const seconds = options.seconds ?? SECONDS;
    const settleSeconds = options.settleSeconds ?? SETTLE_SECONDS;
    const { oneCore } = options;
    const rounds: AbuseRound[] = [];
    while (rounds.length < options.rounds) {
      const one = await runRound({ calls, seconds, settleSeconds, attacks, oneCore });
      console.table(windowRows(one));
      for (const { attack, counts, lost } of one.windows) {
        if (attack !== QUIET) console.log(attack, counts);
        if (lost.length > 0) console.log('lost', new Set(lost));
      }
      console.log({ memoryMib: one.memoryMib, logMib: one.logMib });
      console.table(one.processes);
      rounds.push(one);
    }
    if (rounds.length > 1) console.table(attackRows(rounds));
    // A service that nobody attacks grows in the same time, too.
    const unattacked = attacks.map(() => QUIET);
    const control = await runRound({ calls, seconds, settleSeconds, attacks: unattacked, oneCore });
    console.log({ unattackedMib: control.memoryMib });
    const table = resultsTable(rounds, control);
    console.log(`\n${table}\n`);
    if (options.write) await writeMeasured('docs/security.md', 'abuse', table);
    return { calls, seconds, rounds, control };
  },
};
