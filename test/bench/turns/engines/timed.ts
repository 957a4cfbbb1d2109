import type { EngineKind } from '../engine.ts';

/** The same engine, its own work counted: what the world around it costs is left out. */
export function timed(kind: EngineKind, worked: (ms: number) => void): EngineKind {
  const { replayable: _, ...rest } = kind;
  return {
    ...rest,
    create: (settings, senses) => {
      const engine = kind.create(settings, senses);
      const count = <T>(act: () => T): T => {
        const from = performance.now();
        const result = act();
        worked(performance.now() - from);
        return result;
      };
      return {
        dispatch: (event) => count(() => engine.dispatch(event)),
        advanceTo: (at) => count(() => engine.advanceTo(at)),
        nextDueAt: () => count(() => engine.nextDueAt()),
        stop: () => engine.stop(),
        get resting() {
          return engine.resting;
        },
        get finished() {
          return engine.finished;
        },
      };
    },
  };
}
