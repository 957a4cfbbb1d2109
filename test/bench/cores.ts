import { keptTo } from './cores/promise.ts';
import { curveOf, fitReply, refusalsOf, roomsOf } from './cores/questions.ts';
import { record } from './cores/record.ts';
import { type Recording, readRecordings, writeRecordings } from './cores/recording.ts';
import { curveTable, refusalsTable, roomTable } from './cores/tables.ts';
import { WorkModel } from './cores/work-model.ts';
import type { Bench } from './main.ts';
import { writeMeasured } from './measured.ts';

const RECORDED = [50, 100, 200];
const CURVE = [25, 50, 75, 100, 125, 150, 200, 250];
const CORES = [4, 16, 64];
const GOALS_MS = [10, 25];
const LAGS_MS = [2, 3, 5, 8, 15, 25];

/** Of each number of calls the recording with the middle tail. */
function middleOf(recordings: readonly Recording[]): Recording[] {
  const p99 = ({ measured }: Recording) => measured.replyOwnMs.p99;
  return [...Map.groupBy(recordings, ({ calls }) => calls).values()].map((rounds) => {
    const sorted = rounds.toSorted((a, b) => p99(a) - p99(b));
    return sorted[(sorted.length - 1) >> 1] as Recording;
  });
}

export const bench: Bench = {
  about: 'replies on machines of many cores, simulated from the recorded work of one process',
  async run(options) {
    const { calls = RECORDED, from, report, seed, write } = options;
    const all = from ? await readRecordings(from) : await record({ ...options, calls });
    if (report) await writeRecordings(report, all);
    const recordings = middleOf(all);
    const model = new WorkModel(recordings);
    const known = { replyMs: fitReply(model, seed), seed };
    console.log(`a reply takes ${known.replyMs.toFixed(1)} ms where nothing is in its way`);
    const wanted = [...new Set([...CURVE, ...recordings.map((one) => one.calls)])];
    const curve = curveOf(
      recordings,
      wanted.toSorted((a, b) => a - b),
      known,
    );
    console.log(`\n${curveTable(curve)}\n`);
    const refusals = refusalsOf(model, LAGS_MS, known);
    const parts = [keptTo(curve, refusals), curveTable(curve)];
    parts.push(
      `Half as many calls again as a core has time for, by \`MAX_LAG_MS\`:\n\n${refusalsTable(refusals)}`,
    );
    console.log(`${parts[2]}\n\n${parts[0]}\n`);
    const rooms = CORES.flatMap((cores) => roomsOf(model, cores, GOALS_MS, known));
    parts.push(`Machines with a process for each core:\n\n${roomTable(rooms)}`);
    console.log(`${parts[3]}\n`);
    if (write) await writeMeasured('docs/scale.md', 'cores', parts.join('\n\n'));
    return { ...known, curve, rooms, refusals };
  },
};
