import { CodeBlock } from '../ui/code-block.tsx';
import { CARRIERS, type CarrierName, voiceAddress } from './carriers.ts';

/** How calls come from the carrier, and what to look at when they do not. */
export function AtTheCarrier({ carrier }: { readonly carrier: CarrierName }) {
  const { title, calls } = CARRIERS[carrier];
  const address = voiceAddress(carrier, location.href);
  return (
    <section class="section" aria-labelledby="number-carrier-title">
      <h2 id="number-carrier-title">At the carrier</h2>
      <div class="card stack">
        <p>{calls}</p>
        {address && (
          <>
            <p class="soft">
              Should calls not arrive, look there whether {title} sends them to this address, and
              whether it can be reached from outside:
            </p>
            <CodeBlock label="Address for calls" text={address} wrap />
          </>
        )}
        {carrier === 'emulator' && (
          <p class="soft">
            Who is called from it is emulated, too, and answers; a number that ends in 01 is busy,
            in 02 does not answer, in 03 fails.
          </p>
        )}
      </div>
    </section>
  );
}
