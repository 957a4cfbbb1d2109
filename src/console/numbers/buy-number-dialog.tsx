import { useState } from 'preact/hooks';
import type { AvailableNumber } from '../../client/api.generated.ts';
import { fieldFaults } from '../field-faults.ts';
import { navigate } from '../router.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { CARRIER_NAMES, CARRIERS, type CarrierName } from './carriers.ts';

interface BuyNumberDialogProps {
  /** The list of numbers has changed. */
  readonly onBought: () => void;
  readonly onClose: () => void;
}

const SELLERS = CARRIER_NAMES.filter((name) => CARRIERS[name].sells);

/** Searches a carrier for numbers and buys one after confirmation. */
export function BuyNumberDialog({ onBought, onClose }: BuyNumberDialogProps) {
  const client = useClient();
  const [carrier, setCarrier] = useState<CarrierName>('emulator');
  const [wish, setWish] = useState({ country: 'US', areaCode: '', contains: '' });
  const [offered, setOffered] = useState<readonly AvailableNumber[]>();
  const [chosen, setChosen] = useState<AvailableNumber>();
  const search = useAction(async () => {
    const { country, areaCode, contains } = wish;
    setOffered(undefined);
    setOffered(
      await client.call('listAvailableNumbers', {
        query: {
          provider: carrier,
          country: country.trim().toUpperCase() || 'US',
          ...(areaCode.trim() ? { areaCode: areaCode.trim() } : {}),
          ...(contains.trim() ? { contains: contains.trim() } : {}),
        },
      }),
    );
  });
  const faults = fieldFaults(search.error);
  const isOfFields = ['country', 'areaCode', 'contains'].some((name) => faults[name]);
  const buy = async (number: string): Promise<void> => {
    try {
      const body = { provider: carrier, number };
      const { _id: id } = await client.call('purchaseNumber', { body });
      showToast(`${number} was bought.`);
      navigate(`/numbers/${id}`);
    } finally {
      // The number may have been bought even if a later step failed.
      onBought();
    }
  };
  return (
    <>
      <Dialog title="Buy a number" shape="wide" onClose={onClose}>
        <form
          class="number-search"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void search.run();
          }}
        >
          <Select
            id="buy-carrier"
            label="Carrier"
            value={carrier}
            onChange={(name) => {
              setCarrier(name);
              setOffered(undefined);
              search.forget();
            }}
            options={SELLERS.map((value) => ({ value, label: CARRIERS[value].title }))}
          />
          <TextField
            id="buy-country"
            label="Country"
            help="Two letters."
            value={wish.country}
            onChange={(country) => setWish({ ...wish, country })}
            error={faults.country}
            maxLength={2}
          />
          <TextField
            id="buy-area"
            label="Area code"
            placeholder="Any"
            value={wish.areaCode}
            onChange={(areaCode) => setWish({ ...wish, areaCode })}
            error={faults.areaCode}
            maxLength={6}
          />
          <TextField
            id="buy-contains"
            label="Contains"
            placeholder="Any"
            help="* matches any digit."
            value={wish.contains}
            onChange={(contains) => setWish({ ...wish, contains })}
            error={faults.contains}
            maxLength={16}
          />
          <Button type="submit" id="buy-search" kind="primary" icon="search" busy={search.busy}>
            Search
          </Button>
        </form>
        <Callout tone={carrier === 'emulator' ? 'info' : 'warn'}>
          <p>{CARRIERS[carrier].cost}</p>
        </Callout>
        {search.error !== undefined && !isOfFields && (
          <ErrorState title="No numbers available" error={search.error} />
        )}
        <div aria-live="polite">{offered && <Offers offered={offered} onChoose={setChosen} />}</div>
      </Dialog>
      {chosen && (
        <ConfirmDialog
          title={`Buy ${chosen.number}?`}
          action="Buy"
          onConfirm={() => buy(chosen.number)}
          onClose={() => setChosen(undefined)}
        >
          <p>{CARRIERS[carrier].cost}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface OffersProps {
  readonly offered: readonly AvailableNumber[];
  readonly onChoose: (number: AvailableNumber) => void;
}

function Offers({ offered, onChoose }: OffersProps) {
  if (offered.length === 0)
    return (
      <p class="soft">The carrier has no matching number. Try again with fewer fields filled in.</p>
    );
  return (
    <ul id="offers" class="number-offers" aria-label="Available numbers">
      {offered.map((offer) => (
        <li key={offer.number}>
          <span>
            <strong class="numeric">{offer.number}</strong>{' '}
            <span class="soft">{placeOf(offer)}</span>
          </span>
          <Button small aria-label={`Buy ${offer.number}`} onClick={() => onChoose(offer)}>
            Buy
          </Button>
        </li>
      ))}
    </ul>
  );
}

function placeOf({ locality, region, country, capabilities }: AvailableNumber): string {
  const place = [locality, region, country].filter(Boolean).join(', ');
  const can = [capabilities.voice && 'calls', capabilities.sms && 'texts'].filter(Boolean);
  return `${place} · ${can.join(' and ')}`;
}
