import { Call } from '../../../../src/engine/machine/call.ts';
import type { CallSettings } from '../../../../src/engine/settings/settings.ts';
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

/** With a predictor outside, its wait function stretched by a factor. */
export const parleyStretched = (by: number): EngineKind => ({
  name: 'Parley',
  settings: (settings) => ({ ...stretched(settings, by), predictor: 'outside' }),
  create,
  replayable: true,
});

/** The same without a predictor outside: it reads the words alone. */
export const parleyByWordsStretched = (by: number): EngineKind => ({
  name: 'Parley, words only',
  settings: (settings) => stretched(settings, by),
  create,
  replayable: true,
});

export const parley = parleyStretched(1);
export const parleyByWords = parleyByWordsStretched(1);
