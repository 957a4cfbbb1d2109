import { useEffect, useState } from 'preact/hooks';
import { may, useClient } from '../session.ts';
import type { TestFault } from './source-editor.tsx';

const AFTER_MS = 500;

/** The faults of a text of tests, looked for when the typing stops. */
export function useCheck(source: string): readonly TestFault[] {
  const client = useClient();
  const [faults, setFaults] = useState<readonly TestFault[]>([]);
  useEffect(() => {
    if (source.trim() === '' || !may('builder')) {
      setFaults([]);
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const { signal } = controller;
      client.call('checkTests', { body: { source }, signal }).then(
        (check) => !signal.aborted && setFaults(check.faults),
        // Saving checks again, and says what is wrong.
        () => {},
      );
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [client, source]);
  return faults;
}
