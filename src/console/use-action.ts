import { useCallback, useRef, useState } from 'preact/hooks';
import { leaveIfRefused } from './session.ts';
import { showToast } from './ui/toasts.tsx';

/** State of an asynchronous action. */
export interface Action<A extends readonly unknown[]> {
  /** Runs the action; resolves with true on success. Ignored, with false, while the action is running. */
  readonly run: (...input: A) => Promise<boolean>;
  readonly busy: boolean;
  /** Error of the last run; cleared by the next one. */
  readonly error: unknown;
  readonly forget: () => void;
}

interface ActionOptions<A extends readonly unknown[]> {
  /** Toast shown on success. */
  readonly done?: string | ((...input: A) => string);
}

/** Runs an action, one run at a time; shows a toast on success and keeps the error on failure. */
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
