/** A description from the contract; text in backquotes is rendered as code. */
export function HelpText({ text }: { readonly text: string }) {
  const parts = text.split('`');
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
