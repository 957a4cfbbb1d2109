import type { ControlEvent } from '../contract/control.ts';
import { NodeAwayError } from '../lib/node-away-error.ts';
import type { Bus } from '../ports/bus.ts';
import type { CallControl, ControlOutcome } from '../ports/call-control.ts';
import type { Log } from '../ports/log.ts';
import { findCallNode } from '../store/calls.ts';
import type { Db } from '../store/db.ts';

interface ControlDeps {
  readonly db: Db;
  readonly bus: Bus;
  /** The calls of this process. */
  readonly local: CallControl;
  readonly log: Pick<Log, 'warn'>;
}

const CONTROL = 'call-control';

interface Asked {
  readonly callId: string;
  readonly event: ControlEvent;
}

/** Controls live calls on this node, or through the node that runs them. */
export function createClusterControl({ db, bus, local, log }: ControlDeps): CallControl {
  bus.answer(CONTROL, (body) => {
    const { callId, event } = body as Asked;
    return local.command(callId, event);
  });
  return {
    async command(callId, event) {
      const here = await local.command(callId, event);
      if (here.outcome !== 'not-live') return here;
      const nodeId = await findCallNode(db, { id: callId });
      if (!nodeId || nodeId === bus.nodeId) return here;
      try {
        const asked: Asked = { callId, event };
        return (await bus.ask(nodeId, CONTROL, asked)) as ControlOutcome;
      } catch (error) {
        if (!(error instanceof NodeAwayError)) throw error;
        log.warn({ callId, err: error }, "the call's process cannot be reached to control it");
        return { outcome: 'unreachable' };
      }
    },
  };
}
