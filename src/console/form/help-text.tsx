/** The contract's words, in which `code` stands in backquotes. */
export function HelpText({ text }: { readonly text: string }) {
  const parts = text.split('`');
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
