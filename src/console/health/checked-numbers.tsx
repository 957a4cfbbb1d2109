import { useState } from 'preact/hooks';
import type { NumberSetup } from '../../client/api.generated.ts';
import { NumberChecks } from '../numbers/number-checks.tsx';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { faultText } from '../ui/fault-text.ts';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';
import '../numbers/numbers.css';

/** The others are checked on their own pages. */
const SHOWN = 12;

/** The newest numbers, each to be checked with a press: its carrier is asked. */
export function CheckedNumbers() {
  const client = useClient();
  const numbers = useLoad(
    (signal) => client.call('listNumbers', { query: { limit: SHOWN }, signal }),
    [client],
  );
  const [shown, setShown] = useState<{ readonly number: string; readonly setup?: NumberSetup }>();
  const check = useAction(async (id: string, number: string) => {
    setShown({ number });
    setShown({ number, setup: await client.call('checkNumberSetup', { path: { id } }) });
  });
  if (!numbers.data?.length) return null;
  return (
    <>
      <div class="row">
        {numbers.data.map(({ _id: id, number }) => (
          <Button
            key={id}
            small
            busy={check.busy && shown?.number === number}
            onClick={() => void check.run(id, number)}
          >
            Check {number}
          </Button>
        ))}
      </div>
      <div id="checked-number" aria-live="polite">
        {check.busy && shown && <p class="soft">Asking the carrier of {shown.number} …</p>}
        {check.error !== undefined && <Callout tone="bad">{faultText(check.error)}</Callout>}
        {shown?.setup && (
          <>
            <h3>{shown.number}</h3>
            <NumberChecks checks={shown.setup.checks} />
          </>
        )}
      </div>
    </>
  );
}
