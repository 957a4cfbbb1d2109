import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { leaveIfRefused } from './session.ts';

/** What was asked for: not there yet, there, or why it is not. While it is asked for again, the old one stays. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly loading: boolean;
  /** Asks again. */
  readonly reload: () => void;
  /** Shows a newer one, such as the answer to a change. */
  readonly set: (data: T) => void;
}

/** Loads when the page opens and whenever `deps` change; an answer that comes too late is dropped. */
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
