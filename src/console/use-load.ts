import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { leaveIfRefused } from './session.ts';

/** Result of loading: pending, data or an error. Reloading keeps the old data until the new data arrives. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Loads again. */
  readonly reload: () => void;
  /** Replaces the data, such as with the response to a change. */
  readonly set: (data: T) => void;
}

/** Loads when the component mounts and whenever `deps` change; outdated responses are dropped. */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  deps: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload' | 'set'>>({
    data: undefined,
    error: undefined,
    loading: true,
  });
  const running = useRef<AbortController>(null);
  const reload = useCallback(() => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((old) => ({ ...old, loading: true }));
    load(controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ data, error: undefined, loading: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        leaveIfRefused(error);
        setState((old) => ({ ...old, error, loading: false }));
      },
    );
  }, deps);
  useEffect(() => {
    reload();
    return () => running.current?.abort();
  }, [reload]);
  const set = useCallback((data: T) => setState({ data, error: undefined, loading: false }), []);
  return { ...state, reload, set };
}
