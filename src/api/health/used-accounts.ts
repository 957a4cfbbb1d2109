import type { TeamVendor } from '../../contract/team.ts';
import type { VendorPart } from '../../contract/vendor-account.ts';
import type { NamedVendors, VendorUse } from '../../store/team-health.ts';

interface Known {
  readonly parts: readonly VendorPart[];
  readonly accounts: readonly TeamVendor[];
}

/** The accounts with a key that the vendors named by assistants use. */
export function usedAccounts(uses: readonly VendorUse[], { parts, accounts }: Known): string[] {
  const named = new Set(uses.flatMap((use) => namesOf(use.named)));
  const used = new Set(
    parts.filter(({ part, name }) => named.has(`${part} ${name}`)).map(({ account }) => account),
  );
  return accounts
    .filter(({ vendor, account }) => account !== 'none' && used.has(vendor))
    .map(({ vendor }) => vendor);
}

function namesOf({ assistantProvider, config }: NamedVendors): string[] {
  const { stt, sttFallback, ttsData } = config.speech;
  return [
    `model ${assistantProvider}`,
    `recogniser ${stt.vendor}`,
    ...(sttFallback?.enabled ? [`recogniser ${sttFallback.vendor}`] : []),
    ...ttsData.filter(({ enabled }) => enabled).map(({ vendor }) => `voice ${vendor}`),
  ];
}
