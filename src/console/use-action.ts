import { useCallback, useRef, useState } from 'preact/hooks';
import { leaveIfRefused } from './session.ts';
import { showToast } from './ui/toasts.tsx';

/** A change that is asked for with `run`: at work, and what came of it. */
export interface Action<A extends readonly unknown[]> {
  /** Resolves to whether it was done; asked again while at work, it does nothing. */
  readonly run: (...input: A) => Promise<boolean>;
  readonly busy: boolean;
  /** Of the last time; gone when it is tried again. */
  readonly error: unknown;
  readonly forget: () => void;
}

interface ActionOptions<A extends readonly unknown[]> {
  /** Said when it is done. */
  readonly done?: string | ((...input: A) => string);
}

/** Does one change at a time, says when it is done, and keeps what it failed with. */
export function useAction<A extends readonly unknown[]>(
  action: (...input: A) => Promise<unknown>,
  { done }: ActionOptions<A> = {},
): Action<A> {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({
    busy: false,
    error: undefined,
  });
  const latest = useRef({ action, done, busy: false });
  latest.current = { ...latest.current, action, done };
  const run = useCallback(async (...input: A): Promise<boolean> => {
    if (latest.current.busy) return false;
    latest.current.busy = true;
    setState({ busy: true, error: undefined });
    try {
      await latest.current.action(...input);
      const said = latest.current.done;
      if (said !== undefined) showToast(typeof said === 'string' ? said : said(...input));
      setState({ busy: false, error: undefined });
      return true;
    } catch (error) {
      leaveIfRefused(error);
      setState({ busy: false, error });
      return false;
    } finally {
      latest.current.busy = false;
    }
  }, []);
  const forget = useCallback(() => setState((old) => ({ ...old, error: undefined })), []);
  return { run, ...state, forget };
}
