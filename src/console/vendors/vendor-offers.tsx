import type { VendorPart } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { faultText } from '../ui/fault-text.ts';
import { useLoad } from '../use-load.ts';

const SHOWN = 12;

interface VendorOffersProps {
  readonly vendor: string;
  readonly parts: readonly VendorPart[];
}

/** The models and voices that a vendor lists for this key. */
export function VendorOffers({ vendor, parts }: VendorOffersProps) {
  const client = useClient();
  const has = (part: VendorPart['part']): boolean => parts.some((one) => one.part === part);
  const offers = useLoad(
    async (signal) => {
      const query = { vendor };
      const [models, voices] = await Promise.all([
        has('model') ? client.call('listVendorModels', { query, signal }) : { models: [] },
        has('voice') ? client.call('listVendorVoices', { query, signal }) : { voices: [] },
      ]);
      return { models: models.models, voices: voices.voices.map(({ name }) => name) };
    },
    [client, vendor],
  );
  if (offers.error !== undefined)
    return <p class="soft">What it offers could not be read: {faultText(offers.error)}</p>;
  if (!offers.data) return null;
  return (
    <>
      <Offered title="Models" names={offers.data.models} />
      <Offered title="Voices" names={offers.data.voices} />
    </>
  );
}

function Offered({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  const more = names.length - SHOWN;
  return (
    <p class="vendor-offers">
      <span class="soft">{title}:</span> {names.slice(0, SHOWN).join(', ')}
      {more > 0 && <span class="soft"> and {more} more</span>}
    </p>
  );
}
