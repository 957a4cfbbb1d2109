import type { NumberView } from '../../contract/number.ts';
import type { NumberRecord } from '../../store/numbers.ts';

/** A number as the contract shows it; what it is opened with at the carrier is nobody's to see. */
export function presentNumber(record: NumberRecord): NumberView {
  return {
    _id: record.id,
    teamId: record.teamId,
    number: record.number,
    provider: { name: record.provider },
    assistantId: record.assistantId ?? '',
    inboundEnabled: record.inboundEnabled,
    outboundEnabled: record.outboundEnabled,
    label: record.label,
  };
}
