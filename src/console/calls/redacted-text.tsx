import type { RedactionLabel } from '../../contract/redaction.ts';

const LABELS: Readonly<Record<RedactionLabel, string>> = {
  card: 'card number',
  'bank-account': 'bank account',
  'identity-number': 'identity number',
  phone: 'phone number',
  name: 'name',
  address: 'address',
  'date-of-birth': 'date of birth',
  email: 'e-mail address',
  health: 'word about health',
  number: 'number',
  word: 'word',
  withheld: 'withheld',
};

const MARKS = new RegExp(`\\[(${Object.keys(LABELS).join('|')})\\]`);

/** A text of a call's record, with what was taken out of it marked as such. */
export function RedactedText({ text }: { readonly text: string }) {
  // Every second part is a label.
  const parts = text.split(MARKS);
  if (parts.length === 1) return <>{text}</>;
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <span key={i} class="call-redacted" title="Redacted before it was stored">
            {LABELS[part as RedactionLabel]}
          </span>
        ),
      )}
    </>
  );
}
