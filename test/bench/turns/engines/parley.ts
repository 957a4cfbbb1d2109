import { Call } from '../../../../src/engine/machine/call.ts';
import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
import type { Engine, EngineKind } from '../engine.ts';

/** Our own mind of a call, as the service runs it. */
function create(settings: CallSettings): Engine {
  const call = new Call({ settings });
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

/** How long it waits, against the settings of a script. */
const stretched = (settings: CallSettings, by: number): CallSettings => {
  const { startSpeaking } = settings;
  return {
    ...settings,
    startSpeaking: {
      ...startSpeaking,
      engineBaseMs: startSpeaking.engineBaseMs * by,
      engineScaleMs: startSpeaking.engineScaleMs * by,
    },
  };
};

/** Without a separation it reads the words alone; with one it also asks a model of that quality. */
export const parley = (name: string, stretch = 1, separation?: number): EngineKind => ({
  name,
  settings: (settings) => ({
    ...stretched(settings, stretch),
    predictor: separation === undefined ? 'text' : 'outside',
  }),
  create,
  replayable: true,
  ...(separation !== undefined && { separation }),
});

/** What ships. */
export const parleyByWords = parley('Parley');
