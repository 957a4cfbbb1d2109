import { replayJournal } from '../../../../src/engine/machine/replay.ts';
import type { Trace } from '../trace.ts';
import { measureControl, measureDeadAir } from './control.ts';
import { measureFloor } from './floor.ts';
import { Measures } from './measures.ts';
import { measureOverlaps } from './overlap.ts';
import { heardReplies } from './replies.ts';
import { measureTranscript } from './transcript.ts';

/** Everything that one trace tells. */
export function measure(trace: Trace): Measures {
  const to = new Measures();
  const replies = heardReplies(trace);
  to.count('calls');
  to.count('virtual ms', trace.end.at);
  to.count('faults', trace.fault === undefined ? 0 : 1);
  to.count('double responses', 0);
  to.count('stuck', trace.stuck + (trace.end.resting || trace.end.finished ? 0 : 1));
  if (trace.script.plan.stallsAfterMs !== undefined) {
    to.count('stalling calls');
    to.count('stalling calls left open', trace.end.finished ? 0 : 1);
  }
  measureFloor(trace, replies, to);
  measureOverlaps(trace, replies, to);
  measureDeadAir(trace, replies, to);
  if (trace.journal) {
    measureTranscript(trace, to);
    measureControl(trace, to);
  }
  measureSpeculation(trace, to);
  measureReplay(trace, to);
  return to;
}

function measureSpeculation({ commands, generations }: Trace, to: Measures): void {
  for (const command of commands) {
    if (command.type === 'llm.start') {
      to.count(command.speculative ? 'drafts' : 'plain model calls');
    } else if (command.type === 'llm.adopt') {
      to.count('drafts adopted');
      const draft = generations.get(command.genId);
      if (draft) to.sample('saved by draft', Math.min(draft.firstMs, command.at - draft.at));
    }
  }
}

function measureReplay({ journal }: Trace, to: Measures): void {
  if (!journal) return;
  to.count('replays');
  const { recorded, replayed } = replayJournal(journal);
  const same =
    recorded.length === replayed.length &&
    recorded.every(({ canonical }, i) => canonical === replayed[i]?.canonical);
  if (same) to.count('replays equal');
}
