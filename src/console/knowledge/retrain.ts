interface RetrainOption {
  readonly value: string;
  readonly label: string;
}

/** Intervals in minutes. */
const USUAL: readonly RetrainOption[] = [
  { value: '0', label: 'Manually only' },
  { value: '60', label: 'Every hour' },
  { value: '360', label: 'Every 6 hours' },
  { value: '1440', label: 'Every day' },
  { value: '10080', label: 'Every week' },
];

/** Choices for how often web pages are read again, including an unusual interval set by another client. */
export function retrainOptions(minutes: number): readonly RetrainOption[] {
  if (USUAL.some(({ value }) => Number(value) === minutes)) return USUAL;
  return [...USUAL, { value: String(minutes), label: `Every ${minutes / 60} hours` }];
}
