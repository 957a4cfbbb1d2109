import { Call } from '../../../../src/call/call.ts';
import type { CallSettings } from '../../../../src/call/settings.ts';
import type { Engine, EngineKind } from '../engine.ts';

/** Our own mind of a call, as the service runs it. */
function create(settings: CallSettings): Engine {
  const call = new Call({ callId: 'bench', settings });
  return {
    dispatch: (event) => call.dispatch(event),
    advanceTo: (at) => call.advanceTo(at),
    nextDueAt: () => call.nextDueAt(),
    stop: () => call.stop(),
    get resting() {
      return call.view.user === 'silent' && call.view.assistant === 'idle';
    },
    get finished() {
      return call.view.lifecycle === 'finished';
    },
  };
}

export const parley: EngineKind = {
  name: 'Parley',
  settings: (settings) => ({ ...settings, predictor: 'outside' }),
  create,
  replayable: true,
};

/** The same without a predictor outside: it reads the words alone. */
export const parleyByWords: EngineKind = { name: 'Parley, words only', create, replayable: true };
